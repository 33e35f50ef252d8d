import * as fc from 'fast-check';
import { simulateDaemonSet } from '../../../src/workloads/daemonset/simulate';
import type { DaemonSetUpdateStrategy } from '../../../src/workloads/daemonset/types';

function rollingUpdate(limits: {
  readonly maxSurge?: number | `${number}%`;
  readonly maxUnavailable?: number | `${number}%`;
}): DaemonSetUpdateStrategy {
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge: limits.maxSurge ?? 0, maxUnavailable: limits.maxUnavailable ?? 0 } };
}

/** Formats a wave as `new/old/available`. */
function rows(
  strategy: DaemonSetUpdateStrategy,
  start: { readonly replicas: number; readonly down?: number; readonly otherNodesDown?: number },
  since131 = true,
) {
  return simulateDaemonSet(strategy, start, since131).waves.map(({ newPods, oldPods, available }) => `${newPods}/${oldPods}/${available}`);
}

describe('with maxUnavailable, up to that many nodes at a time have no available pod', () => {
  test('replaces one node after another by default', () => {
    expect(simulateDaemonSet(rollingUpdate({ maxUnavailable: 1 }), { replicas: 3 }, true)).toEqual({
      kind: 'daemonset',
      nodes: 3,
      surge: 0,
      unavailable: 1,
      waves: [
        { wave: 1, newPods: 1, oldPods: 2, total: 3, available: 2 },
        { wave: 2, newPods: 2, oldPods: 1, total: 3, available: 2 },
        { wave: 3, newPods: 3, oldPods: 0, total: 3, available: 2 },
      ],
      peakPods: 3,
      minAvailable: 2,
    });
  });

  test('a percentage is rounded up, unlike that of a Deployment: 10% of 11 nodes is 2', () => {
    expect(rows(rollingUpdate({ maxUnavailable: '10%' }), { replicas: 11 })).toEqual([
      '2/9/9',
      '4/7/9',
      '6/5/9',
      '8/3/9',
      '10/1/9',
      '11/0/10',
    ]);
  });

  test('there are no waves without nodes', () => {
    expect(simulateDaemonSet(rollingUpdate({ maxUnavailable: '10%' }), { replicas: 0 }, true)).toMatchObject({
      waves: [],
      unavailable: 0,
      minAvailable: 0,
    });
  });
});

describe('with maxSurge, every node keeps an available pod', () => {
  test('the last wave only deletes pods', () => {
    expect(simulateDaemonSet(rollingUpdate({ maxSurge: 2 }), { replicas: 3 }, true)).toEqual({
      kind: 'daemonset',
      nodes: 3,
      surge: 2,
      unavailable: 0,
      waves: [
        { wave: 1, newPods: 2, oldPods: 3, total: 5, available: 3 },
        { wave: 2, newPods: 3, oldPods: 1, total: 4, available: 3 },
        { wave: 3, newPods: 3, oldPods: 0, total: 3, available: 3 },
      ],
      peakPods: 5,
      minAvailable: 3,
    });
  });
});

describe('nodes that are down', () => {
  test('use up maxUnavailable permanently: one of them deadlocks a rollout with the default', () => {
    expect(simulateDaemonSet(rollingUpdate({ maxUnavailable: 1 }), { replicas: 4, otherNodesDown: 1 }, true)).toMatchObject({
      waves: [{ wave: 1, newPods: 0, oldPods: 4, total: 4, available: 4 }],
      halted: { wave: 1, nodes: 1, reason: 'nodes-down' },
    });
  });

  test('leave the rest of the limit to the other nodes', () => {
    expect(rows(rollingUpdate({ maxUnavailable: 2 }), { replicas: 5, down: 1 })).toEqual(['1/3/3', '2/2/3', '3/1/3', '4/0/3']);
  });

  test('do not count in the first round before Kubernetes 1.31', () => {
    expect(rows(rollingUpdate({ maxUnavailable: 2 }), { replicas: 5, down: 1 }, false)).toEqual(['2/2/2', '3/1/3', '4/0/3']);
  });

  test('do not count against the limit with maxSurge', () => {
    const simulation = simulateDaemonSet(rollingUpdate({ maxSurge: 1 }), { replicas: 3, down: 1 }, true);
    expect(simulation.waves.map(({ newPods, oldPods, available }) => [newPods, oldPods, available])).toEqual([
      [2, 2, 2],
      [3, 1, 2],
      [3, 0, 2],
    ]);
    expect(simulation.halted).toBeUndefined();
  });
});

test('OnDelete waits until the pods are deleted', () => {
  expect(simulateDaemonSet({ type: 'OnDelete' }, { replicas: 7 }, true)).toEqual({
    kind: 'daemonset',
    nodes: 7,
    surge: 0,
    unavailable: 0,
    waves: [],
    peakPods: 7,
    minAvailable: 7,
  });
});

test('a long rollout lists its first and last 50 rows, and has exact totals', () => {
  const simulation = simulateDaemonSet(rollingUpdate({ maxUnavailable: 1 }), { replicas: 2_147_483_647 }, true);
  expect(simulation.waves).toHaveLength(100);
  expect(simulation.waves.at(-1)).toEqual({
    wave: 2_147_483_647,
    newPods: 2_147_483_647,
    oldPods: 0,
    total: 2_147_483_647,
    available: 2_147_483_646,
  });
  expect(simulation.elided).toBe(2_147_483_547);
});

test('for any limits, the minimum of available pods holds, and every node that is up gets the new version unless the rollout is halted', () => {
  const limits = fc.oneof(
    fc.integer({ min: 1, max: 40 }).map((maxUnavailable) => rollingUpdate({ maxUnavailable })),
    fc.integer({ min: 1, max: 40 }).map((maxSurge) => rollingUpdate({ maxSurge })),
  );
  fc.assert(
    fc.property(limits, fc.nat(60), fc.nat(5), fc.nat(5), (strategy, up, down, otherNodesDown) => {
      const { waves, minAvailable, peakPods, halted } = simulateDaemonSet(strategy, { replicas: up + down, down, otherNodesDown }, true);
      expect(minAvailable).toBe(Math.min(up, ...waves.map(({ available }) => available)));
      expect(peakPods).toBe(Math.max(up + down + otherNodesDown, ...waves.map(({ total }) => total)));
      const left = waves.at(-1)?.oldPods ?? up;
      expect(left > 0 && up > 0).toBe(halted !== undefined);
    }),
  );
});
