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

function workload(index: number, app: string, podSpec: object = {}, cpu = '100m'): object {
  const containers = [{ name: 'a', image: 'a:1', resources: { requests: { cpu, memory: '1Gi' } } }];
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

function node(index: number, spec: object = {}, cpu = '64'): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${index}`,
      labels: { 'kubernetes.io/hostname': `node-${index}`, 'kubernetes.io/os': 'linux', pool: `pool-${index}`, [`for-${index}`]: 'yes' },
    },
    spec,
    status: { allocatable: { cpu, memory: '256Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function requireNode(requirement: object): object {
  const nodeSelectorTerms = [{ matchExpressions: [requirement] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

function daemonSet(index: number, podSpec: object, cpu = '1m'): object {
  const app = `agent-${index}`;
  const containers = [{ name: 'a', image: 'a:1', resources: { requests: { cpu } } }];
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

/** Returns the pod spec of a pod that runs on any Node except one. */
function avoidNode(index: number): object {
  return requireNode({ key: 'kubernetes.io/hostname', operator: 'NotIn', values: [`node-${index}`] });
}

function taintFor(index: number): object {
  return { taints: [{ key: `for-${index}`, effect: 'NoSchedule' }] };
}

function tolerateTaintFor(index: number): object {
  return { tolerations: [{ key: `for-${index}`, operator: 'Exists' }] };
}

/** Ways in which a pod can select one Node. */
const OWN_NODE: Readonly<Record<string, (index: number) => object>> = {
  'a node selector': (index) => ({ nodeSelector: { 'kubernetes.io/os': 'linux', pool: `pool-${index}` } }),
  'a unique Node label': (index) => ({ nodeSelector: { [`for-${index}`]: 'yes' } }),
  'a node affinity': (index) => requireNode({ key: 'kubernetes.io/hostname', operator: 'In', values: [`node-${index}`] }),
};

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
    name: 'quotas and workloads in one namespace',
    objects: (size) => [
      ...workloadsWithOneLabel(size),
      ...times(size, (index) => inNamespace('v1', 'ResourceQuota', index, { hard: { 'requests.cpu': '10000', pods: '100000' } })),
    ],
  },
  {
    name: 'workloads and the resources of one quota',
    objects: (size) => [
      ...workloadsWithOneLabel(size),
      inNamespace('v1', 'ResourceQuota', 0, {
        hard: Object.fromEntries(times(size, (index) => [`requests.example.com/r${index}`, '5'])),
      }),
    ],
  },
  {
    name: 'changed InferenceServices and the serving runtimes that each may use',
    objects: (size) => [...times(size, (index) => inferenceService(index, 2)), ...times(size, servingRuntime)],
    before: (size) => [...times(size, (index) => inferenceService(index, 1)), ...times(size, servingRuntime)],
  },
  {
    name: 'LimitRanges and workloads in one namespace',
    objects: (size) => [
      ...workloadsWithOneLabel(size),
      ...times(size, (index) => inNamespace('v1', 'LimitRange', index, { limits: [{ type: 'Container', default: { cpu: '1' } }] })),
    ],
  },
  {
    name: 'DaemonSets with a node affinity, each for its own Node',
    objects: (size) => [
      ...times(size, (index) => daemonSet(index, OWN_NODE['a node affinity']!(index))),
      ...times(size, (index) => node(index)),
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
  ...Object.entries(OWN_NODE).map(([selection, podSpecOf]) => ({
    name: `workloads with ${selection}, each for its own Node`,
    objects: (size: number) => times(size, (index) => workload(index, `web-${index}`, podSpecOf(index))),
    capacity: (size: number) => ({ kind: 'List', items: times(size, (index) => node(index)) }),
  })),
  {
    name: 'workloads with a node affinity, each for all Nodes except one',
    objects: (size) => times(size, (index) => workload(index, `web-${index}`, avoidNode(index))),
    capacity: (size) => ({ kind: 'List', items: times(size, (index) => node(index)) }),
  },
  {
    name: 'DaemonSets with a node affinity, each for all Nodes except one',
    objects: (size) => [...times(size, (index) => daemonSet(index, avoidNode(index))), ...times(size, (index) => node(index))],
  },
  ...Object.entries(KEEP_APART).map(([rule, podSpecOf]) => ({
    name: `workloads with ${rule} on 50 Nodes`,
    objects: (size: number) => times(size, (index) => workload(index, `web-${index}`, podSpecOf(`web-${index}`))),
    capacity: () => ({ kind: 'List', items: times(50, (index) => roomyNode(index)) }),
  })),
  {
    name: 'workloads that tolerate a taint, each for its own Node',
    objects: (size) => times(size, (index) => workload(index, `web-${index}`, tolerateTaintFor(index))),
    capacity: (size) => ({ kind: 'List', items: times(size, (index) => node(index, taintFor(index))) }),
  },
  {
    name: 'workloads of different teams, each with a Node tainted for its team',
    objects: (size) =>
      times(size, (index) =>
        workload(index, `web-${index}`, { tolerations: [{ key: 'team', value: `team-${index}`, effect: 'NoSchedule' }] }),
      ),
    capacity: (size) => ({
      kind: 'List',
      items: times(size, (index) => node(index, { taints: [{ key: 'team', value: `team-${index}`, effect: 'NoSchedule' }] })),
    }),
  },
  {
    name: 'workloads and Nodes of different sizes, with a few pods per Node',
    objects: (size) => times(size, (index) => workload(index, `web-${index}`, {}, `${1_000 + index}m`)),
    capacity: (size) => ({ kind: 'List', items: times(size, (index) => node(index, {}, `${3_000 + 3 * index}m`)) }),
  },
  {
    name: 'DaemonSets that tolerate a taint, each for its own Node',
    objects: (size) => [
      ...times(size, (index) => daemonSet(index, tolerateTaintFor(index))),
      ...times(size, (index) => node(index, taintFor(index))),
    ],
  },
  {
    name: 'DaemonSets that overcommit Nodes of different sizes',
    objects: (size) => [
      ...times(size, (index) => daemonSet(index, {}, `${100 + index}m`)),
      ...times(size, (index) => node(index, {}, `${2_000 + 7 * index}m`)),
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
