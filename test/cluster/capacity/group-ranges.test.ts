import { planChange } from '../../../src/headless';

const node = (name: string, cpu: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  status: { allocatable: { cpu, pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
});

/** Two groups of a leader and a worker, all of which are replaced at once. */
function groups(cpu: string) {
  const containers = [{ name: 'web', image: 'web:1', resources: { requests: { cpu } } }];
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 2 } },
      leaderWorkerTemplate: { size: 2, workerTemplate: { metadata: { labels: { app: 'web' } }, spec: { containers } } },
    },
  };
}

test('groups that deadlock show a range of pods of complete groups, because two leaders may take the places of one group', () => {
  const rangeOf = (...nodes: readonly object[]) => {
    const { verdict, podsThatFit, newPodsAtLeast, newPodsAtMost } = planChange([groups('2'), ...nodes], [groups('3')]).rollouts[0]!
      .capacity!;
    return { verdict, podsThatFit, newPodsAtLeast, newPodsAtMost };
  };
  expect({
    'two places': rangeOf(node('a', '5'), node('b', '5')),
    'one place': rangeOf(node('a', '4'), node('b', '2'), node('c', '2')),
  }).toMatchInlineSnapshot(`
{
  "one place": {
    "newPodsAtLeast": 0,
    "newPodsAtMost": 0,
    "podsThatFit": 0,
    "verdict": "deadlocks",
  },
  "two places": {
    "newPodsAtLeast": 0,
    "newPodsAtMost": 2,
    "podsThatFit": 2,
    "verdict": "deadlocks",
  },
}
`);
});
