import { planChange } from '../../../src/headless';
import type { DaemonSetSimulation } from '../../../src/core/simulations/daemonset';

const NODES = ['a', 'b', 'c', 'd'].map((name) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  status: { allocatable: { cpu: '16', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
}));

function daemonSet(image: string, cpu: string, rollingUpdate: object) {
  const containers = [{ name: 'agent', image, resources: { requests: { cpu } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'shop' },
    spec: {
      updateStrategy: { rollingUpdate },
      selector: { matchLabels: { app: 'agent' } },
      template: { metadata: { labels: { app: 'agent' } }, spec: { containers } },
    },
  };
}

/** Plans a DaemonSet of 4 pods under a quota of CPUs. */
function planRollout(quota: string, [old, next]: readonly [string, string], rollingUpdate: object, nodes: readonly object[] = NODES) {
  const limit = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'cpu', namespace: 'shop' },
    spec: { hard: { 'requests.cpu': quota } },
  };
  const objects = [daemonSet('agent:1', old, rollingUpdate), limit, ...nodes];
  return planChange(objects, [daemonSet('agent:2', next, rollingUpdate)]).rollouts[0]!;
}

/** Returns how a DaemonSet of 4 pods ends under a quota of CPUs: the verdict, and its rows. */
function planUnder(quota: string, requests: readonly [string, string], rollingUpdate: object) {
  const { capacity, simulation } = planRollout(quota, requests, rollingUpdate);
  const { waves } = simulation as DaemonSetSimulation;
  return { message: capacity!.message, rows: waves.map(({ newPods, oldPods }) => `${newPods} new, ${oldPods} old`) };
}

// Source: k/k pkg/controller/daemon/daemon_controller.go, `updateDaemonSet`: it returns the error of a refused pod before `rollingUpdate`.
describe('the controller of a DaemonSet deletes no old pod while a new one is refused', () => {
  const twoAtOnce = { maxUnavailable: 2 };

  test('so that larger pods stop after those that the first deletion makes room for', () => {
    // 2 old pods of 1 CPU leave 3 of 5 for new ones of 2. After the next deletion, a second one would be admitted.
    expect(planUnder('5', ['1', '2'], twoAtOnce)).toMatchInlineSnapshot(`
{
  "message": "Deadlocks at wave 1: it peaks at 8 requests.cpu and ResourceQuota "cpu" has 5 left.",
  "rows": [
    "1 new, 2 old",
  ],
}
`);
  });

  test('so that smaller pods never replace all old ones of a quota that was lowered', () => {
    // 2 old pods of 2 CPU leave 1 of 5 for new ones of 1.
    expect(planUnder('5', ['2', '1'], twoAtOnce)).toMatchInlineSnapshot(`
{
  "message": "Deadlocks at wave 1: it peaks at 6 requests.cpu and ResourceQuota "cpu" has 5 left.",
  "rows": [
    "1 new, 2 old",
  ],
}
`);
  });

  test('but a given capacity refuses no pod, so that one that waits is no reason to stop', () => {
    const objects = [daemonSet('agent:1', '2', twoAtOnce), ...NODES];
    const { capacity } = planChange(objects, [daemonSet('agent:2', '1', twoAtOnce)], { capacity: { total: { cpu: 5 } } }).rollouts[0]!;
    expect(capacity!.message).toMatchInlineSnapshot(
      `"Takes 3 waves that create pods, with fewer pods at once: it peaks at 6 cpu and the given capacity has 5 left."`,
    );
  });

  test('but each new pod next to an old one lets it delete that one', () => {
    expect(planUnder('5', ['1', '1'], { maxSurge: 2, maxUnavailable: 0 })).toMatchInlineSnapshot(`
{
  "message": "Takes 4 waves that create pods, with fewer pods at once: it peaks at 6 requests.cpu and ResourceQuota "cpu" has 5 left.",
  "rows": [
    "1 new, 4 old",
    "2 new, 3 old",
    "3 new, 2 old",
    "4 new, 1 old",
    "4 new, 0 old",
  ],
}
`);
  });
});

describe('a DaemonSet that deadlocks under a quota shows the fewest and the most new pods that run in the end', () => {
  const rangeOf = (...rollout: Parameters<typeof planRollout>) => {
    const { verdict, newPodsAtLeast, newPodsAtMost } = planRollout(...rollout).capacity!;
    return `${verdict} with ${newPodsAtLeast} to ${newPodsAtMost}`;
  };

  test('by how many of them become ready at once', () => {
    // 2 old pods of 1 CPU leave 4 of 6 for 2 new ones of 2. One that is ready first lets only one old pod go, and its successor is refused or not.
    expect(rangeOf('6', ['1', '2'], { maxUnavailable: 2 })).toMatchInlineSnapshot(`"deadlocks with 2 to 3"`);
    expect(rangeOf('9', ['1', '3'], { maxUnavailable: 2 })).toMatchInlineSnapshot(`"deadlocks with 2 to 3"`);
  });

  test('if nodes lack capacity too, by which of them are tried first', () => {
    const full = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'e' },
      status: { ...NODES[0]!.status, allocatable: { cpu: '1', pods: '110' } },
    };
    expect(rangeOf('9', ['1', '2'], { maxUnavailable: 1 }, [...NODES, full])).toMatchInlineSnapshot(`"deadlocks with 0 to 4"`);
    // Next to 5 old pods the quota admits none.
    expect(rangeOf('6', ['1', '2'], { maxSurge: 1, maxUnavailable: 0 }, [...NODES, full])).toMatchInlineSnapshot(`"deadlocks with 0 to 0"`);
  });
});
