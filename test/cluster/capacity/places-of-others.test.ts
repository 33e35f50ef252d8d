import { planChange } from '../../../src/headless';

const node = (name: string, pool: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, pool } },
  status: { allocatable: { cpu: '4', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
});

function deployment(name: string, image: string, cpu: string, podSpec: object = {}) {
  const labels = { app: name };
  const containers = [{ name, image, resources: { requests: { cpu } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: 1,
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
  "LeaderWorkerSet: Deadlocks at wave 1: a pod needs 2 cpu, and no eligible node has more than 1 left.",
  "RayService: Fits only with 1 more node in pool "a". Without it the rollout deadlocks at row 1 (capacity 100 % old, 100 % new): a pod needs 2 cpu, and no eligible node has more than 1 left.",
  "LeaderWorkerSet: Fits: there is capacity for its peak of 1 pod.",
  "RayService: Fits: there is capacity for its peak of 2 pods.",
  "LeaderWorkerSet: Fits: there is capacity for its peak of 1 pod.",
  "RayService: Fits: there is capacity for its peak of 2 pods.",
]
`);
  });
});
