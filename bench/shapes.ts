import { planChange, planManifests } from 'rolloutkit/plan';

/** Objects and capacity that combine two kinds of things, with equally many of both. */
export interface Shape {
  readonly name: string;
  readonly objects: (size: number) => readonly object[];
  /** Old objects, to plan a change. @default - no change is planned */
  readonly before?: (size: number) => readonly object[];
  /** Capacity of the cluster. @default - the capacity in the objects */
  readonly capacity?: (size: number) => object;
}

/** Returns a function that plans a shape of a size. */
export function planOf({ objects, before, capacity }: Shape, size: number): () => unknown {
  const manifests = objects(size);
  const oldManifests = before?.(size);
  const options = capacity ? { capacity: capacity(size) } : {};
  return () => (oldManifests ? planChange(oldManifests, manifests, options) : planManifests(manifests, options));
}

function times<T>(size: number, build: (index: number) => T): T[] {
  return Array.from({ length: size }, (_, index) => build(index));
}

function workload(index: number, app: string, podSpec: object = {}): object {
  const containers = [{ name: 'a', image: 'a:1', resources: { requests: { cpu: '100m', memory: '1Gi' } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `web-${index}`, namespace: 'shop' },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers, ...podSpec } },
    },
  };
}

function workloadsWithOneLabel(size: number): object[] {
  return times(size, (index) => workload(index, 'web'));
}

function inNamespace(apiVersion: string, kind: string, index: number, spec: object): object {
  return { apiVersion, kind, metadata: { name: `${kind.toLowerCase()}-${index}`, namespace: 'shop' }, spec };
}

function inferenceService(index: number, minReplicas: number): object {
  const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://models' };
  return inNamespace('serving.kserve.io/v1beta1', 'InferenceService', index, { predictor: { minReplicas, model } });
}

function servingRuntime(index: number): object {
  const supportedModelFormats = [{ name: 'sklearn', version: '1', autoSelect: true, priority: index % 7 }];
  const containers = [{ name: 'kserve-container', image: 'a:1' }];
  return inNamespace('serving.kserve.io/v1alpha1', 'ServingRuntime', index, { supportedModelFormats, containers });
}

function budget(index: number, selector: object): object {
  return inNamespace('policy/v1', 'PodDisruptionBudget', index, { minAvailable: 2, selector });
}

/** Builds the autoscaler of the workload with the same index. */
function autoscaler(index: number, minReplicas: number): object {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: `web-${index}` };
  return inNamespace('autoscaling/v2', 'HorizontalPodAutoscaler', index, { scaleTargetRef, minReplicas, maxReplicas: 10 });
}

function node(index: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${index}`,
      labels: { 'kubernetes.io/hostname': `node-${index}`, 'kubernetes.io/os': 'linux', pool: `pool-${index}` },
    },
    spec: {},
    status: { allocatable: { cpu: '64', memory: '256Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function requireNode(requirement: object): object {
  const nodeSelectorTerms = [{ matchExpressions: [requirement] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

function daemonSet(index: number, podSpec: object): object {
  const app = `agent-${index}`;
  const containers = [{ name: 'a', image: 'a:1', resources: { requests: { cpu: '1m' } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: app, namespace: 'ops' },
    spec: {
      updateStrategy: { rollingUpdate: { maxUnavailable: '100%' } },
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers, ...podSpec } },
    },
  };
}

function fleet(kind: 'Bundle' | 'Cluster', index: number, labels: object, spec: object): object {
  return {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind,
    metadata: { name: `${kind.toLowerCase()}-${index}`, namespace: 'fleet-default', labels },
    spec,
  };
}

/** Returns a Node with capacity for the pods of 10,000 workloads. */
function roomyNode(index: number): object {
  return { ...node(index), status: { allocatable: { cpu: '1000', memory: '4000Gi', pods: '5000' } } };
}

/** Rules that keep the pods of a workload apart. */
const KEEP_APART: Readonly<Record<string, (app: string) => object>> = {
  'an anti-affinity': (app) => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } },
        ],
      },
    },
  }),
  'a spread constraint': (app) => ({
    topologySpreadConstraints: [
      { topologyKey: 'pool', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app } } },
    ],
  }),
};

/** Returns a pod of a workload with three pods, on one of 50 Nodes. */
function pod(index: number): object {
  const app = `web-${Math.floor(index / 3)}`;
  const containers = [{ name: 'a', image: 'a:1', resources: { requests: { cpu: '100m', memory: '1Gi' } } }];
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${app}-5d9c7b6f4d`, uid: app, controller: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${app}-5d9c7b6f4d-${index}`,
      namespace: 'shop',
      labels: { app, 'pod-template-hash': '5d9c7b6f4d' },
      ownerReferences: [owner],
    },
    spec: { containers, ...KEEP_APART['an anti-affinity']!(app), nodeName: `node-${index % 50}` },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/** Shapes that combine equally many of two kinds. Their plans do not grow faster than the input. */
export const SHAPES: readonly Shape[] = [
  {
    name: 'workloads with one budget each',
    objects: (size) => [
      ...times(size, (index) => workload(index, `web-${index}`)),
      ...times(size, (index) => budget(index, { matchLabels: { app: `web-${index}` } })),
    ],
  },
  {
    name: 'budgets that each select all workloads',
    objects: (size) => [
      ...workloadsWithOneLabel(size),
      ...times(size, (index) => budget(index, { matchExpressions: [{ key: 'app', operator: 'Exists' }] })),
    ],
  },
  {
    name: 'workloads with one changed autoscaler each',
    objects: (size) => [...times(size, (index) => workload(index, `web-${index}`)), ...times(size, (index) => autoscaler(index, 5))],
    before: (size) => [...times(size, (index) => workload(index, `web-${index}`)), ...times(size, (index) => autoscaler(index, 4))],
  },
  {
    name: 'autoscalers of one workload',
    objects: (size) => [
      workload(0, 'web'),
      ...times(4 * size, (index) => ({ ...autoscaler(0, 1), metadata: { name: `auto-${index}`, namespace: 'shop' } })),
    ],
  },
  {
    name: 'Services that select nothing, next to workloads',
    objects: (size) => [
      ...times(size, (index) => workload(index, `web-${index}`)),
      ...times(size, (index) =>
        inNamespace('v1', 'Service', index, { selector: { app: `web-${index}`, tier: 'x' }, ports: [{ port: 80 }] }),
      ),
    ],
  },
  {
    name: 'changed InferenceServices and the serving runtimes that each may use',
    objects: (size) => [...times(size, (index) => inferenceService(index, 2)), ...times(size, servingRuntime)],
    before: (size) => [...times(size, (index) => inferenceService(index, 1)), ...times(size, servingRuntime)],
  },
  {
    name: 'workloads that deadlock under one quota',
    objects: (size) => [
      ...times(size, (index) => workload(index, `web-${index}`)),
      inNamespace('v1', 'ResourceQuota', 0, { hard: { 'requests.cpu': `${300 * size}m` } }),
    ],
  },
  {
    name: 'LimitRanges and workloads in one namespace',
    objects: (size) => [
      ...workloadsWithOneLabel(size),
      ...times(size, (index) => inNamespace('v1', 'LimitRange', index, { limits: [{ type: 'Container', default: { cpu: '1' } }] })),
    ],
  },
  {
    name: 'DaemonSets and Nodes, each DaemonSet on every Node',
    objects: (size) => [...times(size, (index) => daemonSet(index, {})), ...times(size, (index) => node(index))],
  },
  {
    name: 'Fleet bundles, each for one cluster by name',
    objects: (size) => [
      ...times(size, (index) => fleet('Bundle', index, {}, { targets: [{ clusterName: `cluster-${index}` }] })),
      ...times(size, (index) => fleet('Cluster', index, {}, {})),
    ],
  },
  {
    name: 'Fleet bundles, each for one cluster by label',
    objects: (size) => [
      ...times(size, (index) => fleet('Bundle', index, {}, { targets: [{ clusterSelector: { matchLabels: { app: `a-${index}` } } }] })),
      ...times(size, (index) => fleet('Cluster', index, { app: `a-${index}` }, {})),
    ],
  },
  ...Object.entries(KEEP_APART).map(([rule, podSpecOf]) => ({
    name: `workloads with ${rule} on 50 Nodes`,
    objects: (size: number) => times(size, (index) => workload(index, `web-${index}`, podSpecOf(`web-${index}`))),
    capacity: () => ({ kind: 'List', items: times(50, (index) => roomyNode(index)) }),
  })),
  {
    name: 'workloads that deadlock on 50 full Nodes, with their pods',
    objects: (size) =>
      times(size, (index) =>
        workload(index, `web-${index}`, { ...KEEP_APART['an anti-affinity']!(`web-${index}`), terminationGracePeriodSeconds: 40 }),
      ),
    before: (size) => [
      ...times(size, (index) => workload(index, `web-${index}`, KEEP_APART['an anti-affinity']!(`web-${index}`))),
      ...times(3 * size, (index) => pod(index)),
      ...times(50, (index) => ({ ...node(index), status: { allocatable: { cpu: `${6 * size}m`, memory: '4000Gi', pods: '5000' } } })),
    ],
  },
  {
    name: 'Node names in one node affinity',
    objects: (size) => [
      daemonSet(0, requireNode({ key: 'kubernetes.io/hostname', operator: 'NotIn', values: times(size, (index) => `node-${index + 1}`) })),
      ...times(size, (index) => node(index)),
    ],
  },
];
