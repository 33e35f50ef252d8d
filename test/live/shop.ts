import type { PlayedCluster } from './kubectl-player';

const CONTAINER = { name: 'web', image: 'web:1', resources: { requests: { cpu: '2' } } };

const template = (labels: object) => ({ metadata: { labels: { app: 'web', ...labels } }, spec: { containers: [CONTAINER] } });

/** A Deployment of 4 pods as the API server returns it. */
export const LIVE_WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'uid-web',
    resourceVersion: '4711',
    generation: 3,
    annotations: { 'deployment.kubernetes.io/revision': '3' },
    managedFields: [
      { manager: 'kubectl', operation: 'Apply', time: '2026-11-01T09:00:00Z', fieldsV1: { 'f:spec': {} } },
      { manager: 'kube-controller-manager', operation: 'Update', subresource: 'status', fieldsV1: { 'f:status': {} } },
    ],
  },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'web' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    template: template({}),
  },
  status: { observedGeneration: 3, replicas: 4, updatedReplicas: 4, readyReplicas: 4, availableReplicas: 4 },
};

const REPLICA_SET = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {
    name: 'web-5d4f',
    namespace: 'shop',
    uid: 'uid-web-5d4f',
    creationTimestamp: '2026-11-01T09:00:00Z',
    annotations: { 'deployment.kubernetes.io/revision': '3' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-web', controller: true }],
  },
  spec: { replicas: 4, template: template({ 'pod-template-hash': '5d4f' }) },
  status: { replicas: 4, availableReplicas: 4 },
};

/** Builds a pod that runs on a node and asks for 2 CPUs, or as many as given. */
export function runningPod(name: string, nodeName: string, owner: object, namespace = 'shop', cpu = '2') {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      labels: { app: 'web', 'pod-template-hash': '5d4f' },
      ownerReferences: [{ ...owner, controller: true }],
    },
    spec: {
      nodeName,
      containers: [{ ...CONTAINER, env: [{ name: 'TOKEN', value: 'top-secret' }], resources: { requests: { cpu } } }],
    },
    status: {
      phase: 'Running',
      podIP: '10.0.0.7',
      conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-11-01T09:00:09Z' }],
    },
  };
}

const OF_WEB = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5d4f', uid: 'uid-web-5d4f' };
const OF_RAY = { apiVersion: 'ray.io/v1', kind: 'RayCluster', name: 'rc', uid: 'uid-rc' };

/** Builds a node with 10 CPUs. */
export function node(name: string) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `uid-${name}`, labels: { 'kubernetes.io/hostname': name } },
    spec: {},
    status: {
      allocatable: { cpu: '10', memory: '64Gi', pods: '110' },
      images: [{ names: ['web:1'], sizeBytes: 1 }],
      conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: '2026-11-28T08:52:16Z' }],
    },
  };
}

/** A cluster of one node with 10 CPUs: 4 pods of web use 8 of them, and a RayCluster, which is not planned, uses 1 or as many as given. */
export function shopCluster(rayCpu = '1'): PlayedCluster {
  return {
    currentContext: 'prod',
    namespace: 'shop',
    serverVersion: 'v1.33.2+k3s1',
    objects: [
      LIVE_WEB,
      REPLICA_SET,
      ...[1, 2, 3, 4].map((index) => runningPod(`web-5d4f-${index}`, 'n1', OF_WEB)),
      runningPod('rc-head', 'n1', OF_RAY, 'train', rayCpu),
      node('n1'),
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db', namespace: 'shop', uid: 'uid-db' }, data: { password: 'aHVudGVyMg==' } },
    ],
  };
}

/** The Deployment with another image, as a file without a namespace. */
export const NEW_WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: "web:2", resources: { requests: { cpu: "2" } } }]
`;
