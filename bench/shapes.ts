import { planChange, planManifests } from 'rolloutkit/plan';

/** Objects and capacity of which two things meet: as many of the one as of the other. */
export interface Shape {
  readonly name: string;
  readonly objects: (size: number) => readonly object[];
  /** What stood before, for a change to be planned. @default - no change is planned */
  readonly before?: (size: number) => readonly object[];
  /** What the cluster has for them. @default - what the objects say */
  readonly capacity?: (size: number) => object;
}

/** What planning so many of each takes. */
export function planOf({ objects, before, capacity }: Shape, size: number): () => unknown {
  const given = objects(size);
  const old = before?.(size);
  const options = capacity ? { capacity: capacity(size) } : {};
  return () => (old ? planChange(old, given, options) : planManifests(given, options));
}

function times<T>(size: number, one: (index: number) => T): T[] {
  return Array.from({ length: size }, (_, index) => one(index));
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

function alike(size: number): object[] {
  return times(size, (index) => workload(index, 'web'));
}

function inNamespace(apiVersion: string, kind: string, index: number, spec: object): object {
  return { apiVersion, kind, metadata: { name: `${kind.toLowerCase()}-${index}`, namespace: 'shop' }, spec };
}

function budget(index: number, selector: object): object {
  return inNamespace('policy/v1', 'PodDisruptionBudget', index, { minAvailable: 2, selector });
}

/** Of the workload of the same index. */
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

function requiring(requirement: object): object {
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

/** A pod that runs on any Node but one. */
function avoiding(index: number): object {
  return requiring({ key: 'kubernetes.io/hostname', operator: 'NotIn', values: [`node-${index}`] });
}

function tainted(index: number): object {
  return { taints: [{ key: `for-${index}`, effect: 'NoSchedule' }] };
}

function tolerating(index: number): object {
  return { tolerations: [{ key: `for-${index}`, operator: 'Exists' }] };
}

/** The ways in which a pod may ask for one Node. */
const OWN_NODE: Readonly<Record<string, (index: number) => object>> = {
  'a node selector': (index) => ({ nodeSelector: { 'kubernetes.io/os': 'linux', pool: `pool-${index}` } }),
  'a label for it alone': (index) => ({ nodeSelector: { [`for-${index}`]: 'yes' } }),
  'a node affinity': (index) => requiring({ key: 'kubernetes.io/hostname', operator: 'In', values: [`node-${index}`] }),
};

/** Where as many of one kind meet as many of another, and the answer itself does not grow faster than they do. */
export const SHAPES: readonly Shape[] = [
  {
    name: 'budgets and workloads, each its own',
    objects: (size) => [
      ...times(size, (index) => workload(index, `web-${index}`)),
      ...times(size, (index) => budget(index, { matchLabels: { app: `web-${index}` } })),
    ],
  },
  {
    name: 'budgets that each select all workloads',
    objects: (size) => [
      ...alike(size),
      ...times(size, (index) => budget(index, { matchExpressions: [{ key: 'app', operator: 'Exists' }] })),
    ],
  },
  {
    name: 'autoscalers that change and workloads, each its own',
    objects: (size) => [...times(size, (index) => workload(index, `web-${index}`)), ...times(size, (index) => autoscaler(index, 5))],
    before: (size) => [...times(size, (index) => workload(index, `web-${index}`)), ...times(size, (index) => autoscaler(index, 4))],
  },
  {
    name: 'quotas and workloads of one namespace',
    objects: (size) => [
      ...alike(size),
      ...times(size, (index) => inNamespace('v1', 'ResourceQuota', index, { hard: { 'requests.cpu': '10000', pods: '100000' } })),
    ],
  },
  {
    name: 'LimitRanges and workloads of one namespace',
    objects: (size) => [
      ...alike(size),
      ...times(size, (index) => inNamespace('v1', 'LimitRange', index, { limits: [{ type: 'Container', default: { cpu: '1' } }] })),
    ],
  },
  {
    name: 'DaemonSets with a node affinity, each for a Node of its own',
    objects: (size) => [
      ...times(size, (index) => daemonSet(index, OWN_NODE['a node affinity']!(index))),
      ...times(size, (index) => node(index)),
    ],
  },
  {
    name: 'DaemonSets that run on every one of as many Nodes',
    objects: (size) => [...times(size, (index) => daemonSet(index, {})), ...times(size, (index) => node(index))],
  },
  {
    name: 'Fleet bundles and clusters by name',
    objects: (size) => [
      ...times(size, (index) => fleet('Bundle', index, {}, { targets: [{ clusterName: `cluster-${index}` }] })),
      ...times(size, (index) => fleet('Cluster', index, {}, {})),
    ],
  },
  {
    name: 'Fleet bundles and clusters, each its own',
    objects: (size) => [
      ...times(size, (index) => fleet('Bundle', index, {}, { targets: [{ clusterSelector: { matchLabels: { app: `a-${index}` } } }] })),
      ...times(size, (index) => fleet('Cluster', index, { app: `a-${index}` }, {})),
    ],
  },
  ...Object.entries(OWN_NODE).map(([how, podSpecOf]) => ({
    name: `workloads with ${how}, each for a Node of its own`,
    objects: (size: number) => times(size, (index) => workload(index, `web-${index}`, podSpecOf(index))),
    capacity: (size: number) => ({ kind: 'List', items: times(size, (index) => node(index)) }),
  })),
  {
    name: 'workloads with a node affinity, each for all Nodes but one',
    objects: (size) => times(size, (index) => workload(index, `web-${index}`, avoiding(index))),
    capacity: (size) => ({ kind: 'List', items: times(size, (index) => node(index)) }),
  },
  {
    name: 'DaemonSets with a node affinity, each for all Nodes but one',
    objects: (size) => [...times(size, (index) => daemonSet(index, avoiding(index))), ...times(size, (index) => node(index))],
  },
  {
    name: 'workloads that tolerate a taint, each for a Node of its own',
    objects: (size) => times(size, (index) => workload(index, `web-${index}`, tolerating(index))),
    capacity: (size) => ({ kind: 'List', items: times(size, (index) => node(index, tainted(index))) }),
  },
  {
    name: 'workloads of teams, each with Nodes that keep the other teams off',
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
    name: 'workloads and Nodes of as many sizes, each filled by a few pods',
    objects: (size) => times(size, (index) => workload(index, `web-${index}`, {}, `${1_000 + index}m`)),
    capacity: (size) => ({ kind: 'List', items: times(size, (index) => node(index, {}, `${3_000 + 3 * index}m`)) }),
  },
  {
    name: 'DaemonSets that tolerate a taint, each for a Node of its own',
    objects: (size) => [
      ...times(size, (index) => daemonSet(index, tolerating(index))),
      ...times(size, (index) => node(index, tainted(index))),
    ],
  },
  {
    name: 'DaemonSets that overfill as many Nodes of as many sizes',
    objects: (size) => [
      ...times(size, (index) => daemonSet(index, {}, `${100 + index}m`)),
      ...times(size, (index) => node(index, {}, `${2_000 + 7 * index}m`)),
    ],
  },
  {
    name: 'names in a node affinity',
    objects: (size) => [
      daemonSet(0, requiring({ key: 'kubernetes.io/hostname', operator: 'NotIn', values: times(size, (index) => `node-${index + 1}`) })),
      ...times(size, (index) => node(index)),
    ],
  },
];
