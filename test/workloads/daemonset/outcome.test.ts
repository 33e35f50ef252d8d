import * as fc from 'fast-check';
import { computeDaemonSetOutcome, withUnschedulablePods } from '../../../src/workloads/daemonset/outcome';
import { simulateDaemonSet } from '../../../src/workloads/daemonset/simulate';
import { resolveNodeLimits, defaultDaemonSetStrategy } from '../../../src/workloads/daemonset/strategy';

function strategy(maxSurge: number, maxUnavailable: number) {
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } as const;
}

function outcomeOf(replicas: number, surge: number, capacity: number, unavailable = surge === 0 ? 1 : 0) {
  const written = strategy(surge, unavailable);
  const stuck = () => simulateDaemonSet(written, withUnschedulablePods({ replicas }, capacity), true);
  return computeDaemonSetOutcome(simulateDaemonSet(written, { replicas }, true), capacity, stuck);
}

describe('the outcome of a rollout while only so many pods run at once', () => {
  test.each([
    ['no nodes', 0, 1, 0, { verdict: 'fits' }],
    ['without surge, capacity for each node', 3, 0, 3, { verdict: 'fits' }],
    ['without surge, capacity for fewer nodes', 3, 0, 2, { verdict: 'deadlocks', deadlockWave: 1 }],
    ['with surge, capacity for the full surge', 3, 1, 4, { verdict: 'fits' }],
    ['a surge above the number of nodes, capacity for two pods per node', 3, 5, 6, { verdict: 'fits' }],
    ['with surge, capacity for only one pod per node', 3, 1, 3, { verdict: 'deadlocks', deadlockWave: 1 }],
    ['with surge, capacity for a part of the surge', 10, 4, 13, { verdict: 'slower', iterations: 4 }],
  ] as const)('%s', (_what, nodes, surge, capacity, outcome) => {
    expect(outcomeOf(nodes, surge, capacity)).toEqual(outcome);
  });

  test('nodes without capacity leave the rest of maxUnavailable to the others', () => {
    expect(outcomeOf(10, 0, 8, 3)).toEqual({ verdict: 'deadlocks', deadlockWave: 8 });
    expect(outcomeOf(10, 0, 8, 2)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  });

  test('OnDelete always fits, since nothing is replaced', () => {
    const atRest = simulateDaemonSet({ type: 'OnDelete' }, { replicas: 3 }, true);
    expect(computeDaemonSetOutcome(atRest, 2, () => atRest)).toEqual({ verdict: 'fits' });
  });

  test('more capacity never makes it worse', () => {
    const rank = { deadlocks: 0, slower: 1, fits: 2 };
    fc.assert(
      fc.property(fc.nat({ max: 20 }), fc.nat({ max: 20 }), fc.nat({ max: 45 }), (nodes, surge, capacity) => {
        const [less, more] = [outcomeOf(nodes, surge, capacity), outcomeOf(nodes, surge, capacity + 1)];
        expect(rank[more.verdict as keyof typeof rank]).toBeGreaterThanOrEqual(rank[less.verdict as keyof typeof rank]);
      }),
    );
  });
});

test.each([
  [undefined, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }],
  [null, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }],
  [{ type: 'RollingUpdate' }, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }],
  [{ type: 'OnDelete' }, { type: 'OnDelete' }],
  [
    { type: 'OnDelete', rollingUpdate: {} },
    { type: 'OnDelete', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
  ],
  [
    { type: 'OnDelete', rollingUpdate: { maxSurge: 2, maxUnavailable: '10%' } },
    { type: 'OnDelete', rollingUpdate: { maxSurge: 2, maxUnavailable: '10%' } },
  ],
] as const)('for %j the API server stores %j', (written, stored) => {
  expect(defaultDaemonSetStrategy(written)).toEqual(stored);
});

test('two limits of 0 replace one node at a time, and none without nodes', () => {
  const zero = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '0%', maxUnavailable: '0%' } } as const;
  expect([resolveNodeLimits(zero, 5), resolveNodeLimits(zero, 0)]).toEqual([
    { surge: 0, unavailable: 1 },
    { surge: 0, unavailable: 0 },
  ]);
});
