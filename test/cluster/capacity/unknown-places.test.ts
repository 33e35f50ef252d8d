import { planChange, planManifests } from '../../../src/headless';
import type { CapacityResult } from '../../../src/core/document/capacity-result';
import type { Manifest } from '../../../src/core/manifest/manifest';

const PORT_PODS = { containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 8080, hostPort: 8080 }] }] };

function deployment(replicas: number, podSpec: object): Manifest {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
    },
  };
}

interface NodeParts {
  readonly cpu?: string;
  readonly taints?: readonly object[];
}

function node(name: string, { cpu = '4', taints = [] }: NodeParts = {}): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: { taints },
    status: { allocatable: { cpu, pods: '20' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function capacityOf(objects: readonly Manifest[]): CapacityResult {
  return planManifests(objects).rollouts[0]!.capacity!;
}

describe('old pods may be on a node that got a taint since, because NoSchedule does not evict them', () => {
  const taint = { key: 'team', value: 'train', effect: 'NoSchedule' };

  test('so that it is not certain that a new pod finds no node', () => {
    const { verdict, because, message } = capacityOf([deployment(1, PORT_PODS), node('a'), node('b', { taints: [taint] })]);
    expect({ verdict, because, message }).toMatchInlineSnapshot(`
{
  "because": [
    "old pods on nodes that accept them no longer",
  ],
  "message": "May not fit: between 0 and 1 of 1 new pod run. This depends on whether old pods run on nodes that accept them no longer.",
  "verdict": "may-not-fit",
}
`);
  });

  test('and every verdict that does not depend on it stays as it is', () => {
    const [a, b, c] = [node('a'), node('b'), node('c', { taints: [taint] })];
    expect(capacityOf([deployment(1, PORT_PODS), a, b, c]).verdict).toBe('fits');
    const evicting = node('c', { taints: [{ ...taint, effect: 'NoExecute' }] });
    expect(capacityOf([deployment(1, PORT_PODS), a, evicting]).verdict).toBe('deadlocks');
    // Neither a node that is too small for them nor one that is not a Node yet had old pods.
    const sized = { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '3' } } }] };
    expect(capacityOf([deployment(1, sized), a, node('c', { cpu: '2', taints: [taint] })]).verdict).toBe('deadlocks');
    const pools = [
      { name: 'web', count: 1, allocatable: { cpu: '4' } },
      { name: 'train', count: 1, allocatable: { cpu: '4' }, taints: [taint] },
    ];
    expect(planManifests([deployment(1, PORT_PODS)], { capacity: { nodePools: pools } }).rollouts[0]!.capacity!.verdict).toBe('deadlocks');
  });

  test('which decides nothing if no node accepts a new pod', () => {
    // The host port keeps 2 old pods off one node, so that their places are not compared.
    const cordoned = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
    const web = deployment(2, PORT_PODS);
    expect(capacityOf([web, node('a', { taints: [...cordoned, taint] })]).verdict).toBe('deadlocks');
    expect(capacityOf([deployment(3, PORT_PODS), node('a'), node('b', { taints: [taint] })]).verdict).toBe('may-not-fit');
  });

  test('unless their Pods show where they are', () => {
    const web = deployment(1, PORT_PODS);
    const pod: Manifest = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web-5d9c7b6f4d-a',
        namespace: 'shop',
        labels: { app: 'web', 'pod-template-hash': '5d9c7b6f4d' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5d9c7b6f4d', uid: 'web', controller: true }],
      },
      spec: { ...PORT_PODS, nodeName: 'a' },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    };
    const next = deployment(1, { containers: [{ ...PORT_PODS.containers[0]!, image: 'web:2' }] });
    const verdictOn = (nodeName: string) => {
      const live = { ...pod, spec: { ...PORT_PODS, nodeName } };
      return planChange([web, live, node('a'), node('b', { taints: [taint] })], [next]).rollouts[0]!.capacity!.verdict;
    };
    expect(verdictOn('a')).toBe('deadlocks');
    expect(verdictOn('b')).toBe('fits');
  });
});

describe('old pods are on no node that other pods would have kept them off', () => {
  const zoneOf = (object: Manifest, zone: string): Manifest => {
    const { metadata } = object as { readonly metadata: { readonly labels: Readonly<Record<string, string>> } };
    return { ...object, metadata: { ...object.metadata, labels: { ...metadata.labels, zone } } };
  };
  const separated = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } }],
    },
  };
  const other = (spec: object, labels: Readonly<Record<string, string>> = {}): Manifest => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'job', namespace: 'shop', labels },
    spec: { nodeName: 'b', ...spec },
    status: { phase: 'Running' },
  });
  const small = { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '2' } } }] };

  test('another pod with their host port uses the only node without an old one', () => {
    const job = other({ containers: [{ name: 'job', image: 'job:1', ports: [{ containerPort: 1, hostPort: 8080 }] }] });
    expect(capacityOf([deployment(1, PORT_PODS), node('a'), node('b'), job]).verdict).toBe('deadlocks');
  });

  test('a pod with an anti-affinity to them is there', () => {
    const job = other({ containers: [{ name: 'job', image: 'job:1' }], affinity: separated });
    const nodes = [zoneOf(node('a'), 'a'), zoneOf(node('b'), 'b')];
    expect(capacityOf([deployment(2, small), ...nodes, job]).verdict).toBe('deadlocks');
  });

  test('they have an anti-affinity to it', () => {
    const web = (image: string, affinity?: object) =>
      deployment(1, { containers: [{ ...PORT_PODS.containers[0]!, image }], ...(affinity && { affinity }) });
    const cluster = [node('a'), zoneOf(node('b'), 'b'), other({ containers: [] }, { app: 'web' })];
    expect(planChange([web('web:1', separated), ...cluster], [web('web:2')]).rollouts[0]!.capacity!.verdict).toBe('fits');
    expect(planChange([web('web:1'), ...cluster], [web('web:2', separated)]).rollouts[0]!.capacity!.verdict).toBe('may-not-fit');
  });

  test('they have an anti-affinity to each other', () => {
    // Each zone has one of them, so that zone b has capacity for a new one.
    const [term] = separated.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
    const ofRevision = {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, matchLabelKeys: ['pod-template-hash'] }] },
    };
    const [container] = small.containers;
    const nodes = [zoneOf(node('a'), 'a'), zoneOf(node('b'), 'b')];
    const next = deployment(2, { containers: [{ ...container, image: 'web:2' }], nodeSelector: { zone: 'b' } });
    const planFrom = (spec: object) => planChange([deployment(2, spec), ...nodes], [next]).rollouts[0]!.capacity!.verdict;
    expect(planFrom({ ...small, affinity: ofRevision })).toBe('fits');
    expect(planFrom(small)).toBe('may-not-fit');
  });
});

describe('a StatefulSet with a partition', () => {
  const statefulSet = (cpu: string, partition: number): Manifest => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'shop' },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      updateStrategy: { rollingUpdate: { partition } },
      template: {
        metadata: { labels: { app: 'db' } },
        spec: { containers: [{ name: 'db', image: `db:${cpu}`, resources: { requests: { cpu } } }] },
      },
    },
  });
  const planOn = (cpus: readonly string[], partition: number) => {
    const nodes = cpus.map((cpu, index) => node(`n${index}`, { cpu }));
    return planChange([statefulSet('2', partition), ...nodes], [statefulSet('4', partition)]).rollouts[0]!.capacity!;
  };

  test('keeps old pods on any node that accepts them', () => {
    // The pods that stay use at least 4 CPUs: of two nodes with 4, or of two of three.
    expect(planOn(['4', '4'], 2)).toMatchObject({ verdict: 'may-not-fit', because: ['the choice of nodes'] });
    expect(planOn(['4', '2', '2'], 2)).toMatchObject({ verdict: 'may-not-fit', because: ['the choice of nodes'] });
    expect(planOn(['4', '4', '4'], 2).verdict).toBe('fits');
    expect(planOn(['3', '3', '3'], 2).verdict).toBe('deadlocks');
    expect(planOn(['6'], 2).verdict).toBe('deadlocks');
    expect(planOn(['8'], 2).verdict).toBe('fits');
  });
});

test('a DaemonSet has an old pod on each node that accepts it, so that its new pods are decided by node', () => {
  const daemonSet = (spec: object): Manifest => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { metadata: { labels: { app: 'agent' } }, spec },
    },
  });
  const agent = (image: string, cpu: string) => [{ name: 'agent', image, resources: { requests: { cpu } } }];
  const gpu = [{ key: 'gpu', effect: 'NoSchedule' }];
  const old = daemonSet({ containers: agent('agent:1', '1') });
  const next = daemonSet({ containers: agent('agent:2', '4'), tolerations: [{ key: 'gpu', operator: 'Exists' }] });
  // The old pods do not tolerate the taint, so that the new pod has the tainted node to itself.
  const planOn = (cpu: string) => planChange([old, node('a', { cpu }), node('b', { taints: gpu })], [next]).rollouts[0]!.capacity!;
  expect(planOn('5').verdict).toBe('fits');
  expect(planOn('4')).toMatchObject({ verdict: 'deadlocks', newPodsAtLeast: 1, newPodsAtMost: 1 });
});

describe('old groups may be on any node that accepts them', () => {
  const leaderWorkerSet = (gpus: number): Manifest => ({
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: { name: 'llm', namespace: 'shop' },
    spec: {
      replicas: 1,
      rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: { maxSurge: 1, maxUnavailable: 0 } },
      leaderWorkerTemplate: {
        size: 1,
        workerTemplate: {
          metadata: { labels: { app: 'llm' } },
          spec: { containers: [{ name: 'llm', image: `llm:${gpus}`, resources: { limits: { 'nvidia.com/gpu': gpus } } }] },
        },
      },
    },
  });
  const planOn = (...gpus: readonly number[]) => {
    const nodes = gpus.map((count, index) => {
      const own = node(`n${index}`);
      return { ...own, status: { ...(own.status as object), allocatable: { cpu: '4', pods: '20', 'nvidia.com/gpu': count } } };
    });
    const { verdict, because } = planChange([leaderWorkerSet(2), ...nodes], [leaderWorkerSet(4)]).rollouts[0]!.capacity!;
    return because ? `${verdict}: ${because.join(', ')}` : verdict;
  };

  test('so that the order of the nodes decides nothing', () => {
    // The surge group stays until group 0 is ready again, so that both need 4 GPUs.
    expect(planOn(2, 4)).toBe('deadlocks');
    expect(planOn(4, 2)).toBe('deadlocks');
    expect(planOn(4, 4)).toBe('fits');
    expect(planOn(6, 2)).toBe('deadlocks');
    expect(planOn(8, 2)).toBe('fits');
    expect(planOn(4)).toBe('deadlocks');
    expect(planOn(3, 3)).toBe('deadlocks');
  });
});

describe('old pods of another rollout of the same change, whose nodes are not known', () => {
  const workload = (name: string, replicas: number, cpu: string, spec: object = {}): Manifest => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name, image: `${name}:1`, resources: { requests: { cpu } } }], ...spec },
      },
    },
  });
  const capacitiesOf = (old: readonly Manifest[], next: readonly Manifest[]) =>
    planChange(old, next).rollouts.map(({ capacity }) => [capacity!.verdict, capacity!.podsThatFit, capacity!.mostPodsThatFit]);
  const [before, stuck] = [workload('a', 1, '3'), workload('a', 1, '1', { nodeSelector: { disk: 'none' } })];
  const cluster = node('n', { cpu: '6' });

  test('stay if it cannot finish, so that pods that are added next to them do not fit', () => {
    expect(capacitiesOf([before, workload('b', 1, '2'), cluster], [stuck, workload('b', 2, '2')])).toEqual([
      ['deadlocks', 0, undefined],
      ['deadlocks', 1, 2],
    ]);
  });

  test('keep other rollouts from their capacity', () => {
    const next = workload('b', 1, '2', { priorityClassName: 'other' });
    expect(capacitiesOf([before, workload('b', 1, '2'), cluster], [stuck, next])).toEqual([
      ['deadlocks', 0, undefined],
      ['deadlocks', 1, undefined],
    ]);
    const [, onLarger] = capacitiesOf([before, workload('b', 1, '2'), node('n', { cpu: '7' })], [stuck, next]);
    expect(onLarger).toEqual(['fits', 2, undefined]);
  });
});

test('old pods may be on a node that has less than its pods use, because its capacity was larger when they started', () => {
  const web = (replicas: number, podSpec: object = {}) =>
    deployment(replicas, { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '3' } } }], ...podSpec });
  const other = (cpu: string): Manifest => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'job', namespace: 'shop' },
    spec: { nodeName: 'b', containers: [{ name: 'job', image: 'job:1', resources: { requests: { cpu } } }] },
    status: { phase: 'Running' },
  });
  const verdictOf = (replicas: number, cpu: string) => {
    const { verdict, because = [] } = capacityOf([web(replicas), node('a'), node('b'), other(cpu)]);
    return [verdict, ...because];
  };
  expect(verdictOf(1, '5')).toEqual(['may-not-fit', 'old pods on nodes that accept them no longer']);
  // Node b is full and was no larger, or the new pods do not fit without the old ones either.
  expect([verdictOf(1, '4'), verdictOf(2, '5')]).toEqual([['deadlocks'], ['deadlocks']]);
  // A new pod that needs an old one on its node finds none on the larger node if they are on node b.
  const labelSelector = { matchLabels: { app: 'web' } };
  const affinity = {
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: 'kubernetes.io/hostname' }] },
  };
  const { verdict, because } = planChange([web(1), node('a', { cpu: '8' }), node('b'), other('5')], [web(1, { affinity })]).rollouts[0]!
    .capacity!;
  expect([verdict, because]).toEqual(['may-not-fit', ['old pods on nodes that accept them no longer']]);
});
