import { planChange } from '../../../src/headless';

const node = (name: string, pool: string, cpu = '4') => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, pool } },
  status: { allocatable: { cpu, pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
});

function deployment(name: string, image: string, cpu: string, podSpec: object = {}, replicas = 1) {
  const labels = { app: name };
  const containers = [{ name, image, resources: { requests: { cpu } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, ...podSpec } },
    },
  };
}

describe('a Deployment that moves to a node, next to one whose node is not known', () => {
  const nodes = [node('a', 'small'), node('b', 'large')];
  const messageOf = (pool: string, cpuOfOther: string, otherSpec: object = {}) => {
    const other = deployment('cache', 'cache:1', cpuOfOther, otherSpec);
    const old = [other, deployment('web', 'web:1', '1'), ...nodes];
    const { rollouts } = planChange(old, [other, deployment('web', 'web:2', '2', { nodeSelector: { pool } })]);
    return rollouts.find(({ capacity }) => capacity)!.capacity!.message;
  };

  test('may not fit if the other pod may be there, whichever node is the first', () => {
    expect([messageOf('small', '3'), messageOf('large', '3')]).toMatchInlineSnapshot(`
[
  "May not fit: 0 of 1 new pod run now. This depends on which nodes the scheduler chooses.",
  "May not fit: there is capacity for 1 new pod now. This depends on which nodes the scheduler chooses.",
]
`);
  });

  test('deadlocks if the other pod can only be there', () => {
    expect(messageOf('small', '3', { nodeSelector: { pool: 'small' } })).toMatchInlineSnapshot(
      `"Deadlocks at wave 2: a pod needs 2 cpu, and no eligible node has more than 1 left."`,
    );
  });

  test('fits if the other pod is not there, or the node has capacity for both', () => {
    expect([messageOf('small', '3', { nodeSelector: { pool: 'large' } }), messageOf('large', '2')]).toMatchInlineSnapshot(`
[
  "Fits: there is capacity for its peak of 1 pod.",
  "Fits: there is capacity for its peak of 1 pod.",
]
`);
  });
});

describe('pods that may use every node, next to Deployments whose nodes are not known', () => {
  const messageOf = (old: readonly object[], next: readonly object[], nodes: readonly object[]) =>
    planChange([...old, ...nodes], next).rollouts.find(({ capacity }) => capacity)!.capacity!.message;
  const cache = (cpu: string, replicas = 1) => deployment('cache', 'cache:1', cpu, {}, replicas);

  test('may not fit if the others may be on the only node that is large enough', () => {
    const nodes = [node('a', 'small'), node('b', 'large', '8')];
    const [before, after] = [deployment('web', 'web:1', '1'), deployment('web', 'web:2', '6')];
    expect([
      messageOf([cache('3'), before], [cache('3'), after], nodes),
      messageOf([cache('3')], [cache('3'), after], nodes),
      // They are on the smaller node for certain, or leave enough of the larger one.
      messageOf([cache('3', 2), before], [cache('3', 2), deployment('web', 'web:2', '2')], nodes),
      messageOf([cache('2')], [cache('2'), after], nodes),
    ]).toMatchInlineSnapshot(`
[
  "May not fit: there is capacity for 1 new pod now. This depends on which nodes the scheduler chooses.",
  "May not fit: there is capacity for 1 of 1 pod now. This depends on which nodes the scheduler chooses.",
  "Fits: there is capacity for its peak of 1 pod.",
  "Fits: there is capacity for 1 pod.",
]
`);
  });

  test('may not fit if one pod on each node leaves too little of both', () => {
    const nodes = [node('a', 'small'), node('b', 'large')];
    const web = (cpu: string) => deployment('web', 'web:1', cpu);
    expect([
      messageOf([cache('2', 2)], [cache('2', 2), web('3')], nodes),
      messageOf([cache('1', 4)], [cache('1', 4), web('3')], nodes),
      messageOf([cache('1', 3)], [cache('1', 3), web('3')], nodes),
    ]).toMatchInlineSnapshot(`
[
  "May not fit: there is capacity for 1 of 1 pod now. This depends on which nodes the scheduler chooses.",
  "May not fit: there is capacity for 1 of 1 pod now. This depends on which nodes the scheduler chooses.",
  "Fits: there is capacity for 1 pod.",
]
`);
  });

  test('deadlock only if no other places of the others leave enough', () => {
    const nodes = [node('a', 'large', '8'), node('b', 'small')];
    const web = deployment('web', 'web:1', '6');
    expect([messageOf([cache('3')], [cache('3'), web], nodes), messageOf([cache('5')], [cache('5'), web], nodes)]).toMatchInlineSnapshot(`
[
  "May not fit: there is capacity for 0 of 1 pod now. This depends on which nodes the scheduler chooses.",
  "The only pod does not fit: a pod needs 6 cpu, and no node has more than 4 left. All of them fit with 1 more node in pool "a".",
]
`);
  });

  test('an object that only grows is open in the same cases, and keeps its own pods', () => {
    const nodes = [node('a', 'small'), node('b', 'large')];
    const web = (replicas: number, podSpec: object = {}) => deployment('web', 'web:1', '2', podSpec, replicas);
    const onB = { nodeSelector: { pool: 'large' } };
    expect([
      messageOf([cache('2'), web(1, onB)], [cache('2'), web(2, onB)], nodes),
      messageOf([cache('2'), web(1)], [cache('2'), web(3)], nodes),
      messageOf([cache('3'), web(1, onB)], [cache('3'), web(2, onB)], nodes),
    ]).toMatchInlineSnapshot(`
[
  "May not fit: there is capacity for 2 of 2 pods now. This depends on which nodes the scheduler chooses.",
  "Fits: there is capacity for 3 pods.",
  "Fits: there is capacity for 2 pods.",
]
`);
  });
});

describe('groups and clusters that move to a node, next to a Deployment whose node is not known', () => {
  const nodes = [node('a', 'small'), node('b', 'large')];
  const templateOf = (image: string, cpu: string, podSpec: object = {}) => deployment('web', image, cpu, podSpec).spec.template;
  const kinds = {
    LeaderWorkerSet: (image: string, cpu: string, podSpec?: object) => ({
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { replicas: 1, leaderWorkerTemplate: { size: 1, workerTemplate: templateOf(image, cpu, podSpec) } },
    }),
    RayService: (image: string, cpu: string, podSpec?: object) => ({
      apiVersion: 'ray.io/v1',
      kind: 'RayService',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { rayClusterConfig: { headGroupSpec: { rayStartParams: {}, template: templateOf(image, cpu, podSpec) } } },
    }),
  };
  const messagesOf = (pool: string, cpuOfOther: string, otherSpec: object = {}) =>
    Object.entries(kinds).map(([kind, build]) => {
      const other = deployment('cache', 'cache:1', cpuOfOther, otherSpec);
      const { rollouts } = planChange([other, build('web:1', '1'), ...nodes], [other, build('web:2', '2', { nodeSelector: { pool } })]);
      return `${kind}: ${rollouts.find(({ capacity }) => capacity)!.capacity!.message}`;
    });

  test('may not fit if the other pod may be there, whichever node is the first', () => {
    expect([...messagesOf('small', '3'), ...messagesOf('large', '3')]).toMatchInlineSnapshot(`
[
  "LeaderWorkerSet: May not fit: its peak is 1 pod. This depends on the choice of nodes.",
  "RayService: May not fit: its peak is 2 pods. This depends on the choice of nodes.",
  "LeaderWorkerSet: May not fit: its peak is 1 pod. This depends on the choice of nodes.",
  "RayService: May not fit: its peak is 2 pods. This depends on the choice of nodes.",
]
`);
  });

  test('deadlock if the other pod can only be there, and fit if it is not there or the node has capacity for both', () => {
    expect([
      ...messagesOf('small', '3', { nodeSelector: { pool: 'small' } }),
      ...messagesOf('small', '3', { nodeSelector: { pool: 'large' } }),
      ...messagesOf('large', '1'),
    ]).toMatchInlineSnapshot(`
[
  "LeaderWorkerSet: Fits only with 1 more node in pool "a". Without it the rollout deadlocks at wave 1: a pod needs 2 cpu, and no eligible node has more than 1 left.",
  "RayService: Fits only with 1 more node in pool "a". Without it the rollout deadlocks at row 1 (capacity 100% old, 100% new): a pod needs 2 cpu, and no eligible node has more than 1 left.",
  "LeaderWorkerSet: Fits: there is capacity for its peak of 1 pod.",
  "RayService: Fits: there is capacity for its peak of 2 pods.",
  "LeaderWorkerSet: Fits: there is capacity for its peak of 1 pod.",
  "RayService: Fits: there is capacity for its peak of 2 pods.",
]
`);
  });
});

describe('a DaemonSet next to a Deployment whose node is not known', () => {
  const daemonSet = (cpu: string, maxSurge: number, podSpec: object = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      updateStrategy: { rollingUpdate: { maxSurge, maxUnavailable: maxSurge > 0 ? 0 : 1 } },
      template: deployment('agent', `agent:${cpu}`, cpu, podSpec).spec.template,
    },
  });
  const larger = node('b', 'large');
  const nodes = [node('a', 'small'), { ...larger, status: { ...larger.status, allocatable: { cpu: '8', pods: '110' } } }];
  const messageOf = (cpu: string, maxSurge: number, cpuOfOther: string, otherSpec: object = {}) => {
    const other = deployment('cache', 'cache:1', cpuOfOther, otherSpec);
    const { rollouts } = planChange(
      [other, daemonSet('1', maxSurge), ...nodes],
      [other, daemonSet(cpu, maxSurge, { terminationGracePeriodSeconds: 5 })],
    );
    return rollouts.find(({ capacity }) => capacity)?.capacity!.message;
  };

  test('may not fit if the other pod may leave too little of a node', () => {
    expect({
      'its pods grow': messageOf('2', 0, '3'),
      'its pods grow, and the other one fits next to them on the larger node only': messageOf('3', 0, '3'),
      'its new pods are next to the old ones': messageOf('1', 1, '3'),
      'the assumed node has no capacity for a new pod next to the old one': messageOf('3', 1, '2'),
    }).toMatchInlineSnapshot(`
{
  "its new pods are next to the old ones": "May not fit: it peaks at 2 nodes and the node pools have 1 left if the other pods are where they are assumed to be, and their nodes are not known.",
  "its pods grow": "May not fit: there is capacity for 2 new pods now. This depends on which nodes the scheduler chooses.",
  "its pods grow, and the other one fits next to them on the larger node only": "May not fit: there is capacity for 2 new pods now. This depends on which nodes the scheduler chooses.",
  "the assumed node has no capacity for a new pod next to the old one": "May not fit: it peaks at 2 nodes and the node pools have 1 left if the other pods are where they are assumed to be, and their nodes are not known.",
}
`);
  });

  test('lacks nothing if its pods need no more than before, or each node has capacity for both', () => {
    const onLarger = { nodeSelector: { pool: 'large' } };
    expect([messageOf('1', 0, '3'), messageOf('2', 0, '2'), messageOf('2', 0, '3', onLarger)]).toEqual([undefined, undefined, undefined]);
  });
});

test('as many pods of others as the API server stores, next to a node with capacity for all, take neither minutes nor gigabytes', () => {
  const huge = { ...node('a', 'small', '2000000000'), status: { allocatable: { cpu: '2000000000', pods: '2147483647' } } };
  const others = deployment('cache', 'cache:1', '1', {}, 1_900_000_000);
  const { rollouts } = planChange(
    [others, deployment('web', 'web:1', '1000000'), huge],
    [others, deployment('web', 'web:2', '1100000'), huge],
  );
  expect(rollouts.find(({ resource }) => resource.name === 'web')!.capacity!.message).toMatchInlineSnapshot(
    `"Fits: there is capacity for its peak of 1 pod."`,
  );
});

test('a verdict next to too many kinds of pods on unknown nodes says that it rests on one placement', () => {
  const nodes = Array.from({ length: 51 }, (_, index) => node(`n${index}`, 'plain'));
  const others = Array.from({ length: 50 }, (_, index) => deployment(`other-${index}`, 'm:1', `${10 + index}m`));
  const messages = (kinds: number, next: object) =>
    planChange([...others.slice(0, kinds), deployment('web', 'web:1', '1'), ...nodes], [...others.slice(0, kinds), next]).rollouts.find(
      ({ capacity }) => capacity,
    )!.capacity!.message;
  expect([
    messages(49, deployment('web', 'web:2', '1')),
    messages(50, deployment('web', 'web:2', '1')),
    messages(50, deployment('web', 'web:2', '5')),
    messages(50, deployment('web', 'web:1', '1', {}, 300)),
  ]).toMatchInlineSnapshot(`
[
  "Fits: there is capacity for its peak of 1 pod.",
  "Fits: there is capacity for its peak of 1 pod. The nodes of other pods are not known, and these are too many: only one placement of them was looked at.",
  "Deadlocks at wave 2: a pod needs 5 cpu, and no node has more than 4 left. The nodes of other pods are not known, and these are too many: only one placement of them was looked at.",
  "Only 202 of 300 pods fit: a pod needs 1 cpu, and no node has more than 275m left. All of them fit with 25 more nodes in pool "n0". The nodes of other pods are not known, and these are too many: only one placement of them was looked at.",
]
`);
});
