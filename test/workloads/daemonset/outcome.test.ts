import * as fc from 'fast-check';
import { computeDaemonSetOutcome, withUnschedulablePods } from '../../../src/workloads/daemonset/outcome';
import { simulateDaemonSet } from '../../../src/workloads/daemonset/simulate';
import { resolveNodeLimits, defaultDaemonSetStrategy } from '../../../src/workloads/daemonset/strategy';

function strategy(maxSurge: number, maxUnavailable: number) {
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } as const;
}

function outcomeOf(replicas: number, surge: number, room: number, unavailable = surge === 0 ? 1 : 0) {
  const written = strategy(surge, unavailable);
  const stuck = () => simulateDaemonSet(written, withUnschedulablePods({ replicas }, room), true);
  return computeDaemonSetOutcome(simulateDaemonSet(written, { replicas }, true), room, stuck);
}

describe('what becomes of a rollout while so many pods run at once', () => {
  test.each([
    ['no nodes', 0, 1, 0, { verdict: 'fits' }],
    ['old pods first, room for each node', 3, 0, 3, { verdict: 'fits' }],
    ['old pods first, room for fewer', 3, 0, 2, { verdict: 'deadlocks', deadlockWave: 1 }],
    ['new pods first, room for the surge', 3, 1, 4, { verdict: 'fits' }],
    ['a surge of more than there are nodes, room for each twice', 3, 5, 6, { verdict: 'fits' }],
    ['new pods first, room for the nodes alone', 3, 1, 3, { verdict: 'deadlocks', deadlockWave: 1 }],
    ['new pods first, room for fewer than the surge', 10, 4, 13, { verdict: 'slower', iterations: 4 }],
  ] as const)('%s', (_what, nodes, surge, room, outcome) => {
    expect(outcomeOf(nodes, surge, room)).toEqual(outcome);
  });

  test('nodes without room leave the others what is left of maxUnavailable', () => {
    expect(outcomeOf(10, 0, 8, 3)).toEqual({ verdict: 'deadlocks', deadlockWave: 8 });
    expect(outcomeOf(10, 0, 8, 2)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  });

  test('by hand nothing moves, so that nothing lacks room', () => {
    const atRest = simulateDaemonSet({ type: 'OnDelete' }, { replicas: 3 }, true);
    expect(computeDaemonSetOutcome(atRest, 2, () => atRest)).toEqual({ verdict: 'fits' });
  });

  test('with more room it is never worse', () => {
    const rank = { deadlocks: 0, slower: 1, fits: 2 };
    fc.assert(
      fc.property(fc.nat({ max: 20 }), fc.nat({ max: 20 }), fc.nat({ max: 45 }), (nodes, surge, room) => {
        const [less, more] = [outcomeOf(nodes, surge, room), outcomeOf(nodes, surge, room + 1)];
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
] as const)('of %j the API server stores %j', (written, stored) => {
  expect(defaultDaemonSetStrategy(written)).toEqual(stored);
});

test('both limits at 0 leave one node at a time, and no node none', () => {
  const zero = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '0%', maxUnavailable: '0%' } } as const;
  expect([resolveNodeLimits(zero, 5), resolveNodeLimits(zero, 0)]).toEqual([
    { surge: 0, unavailable: 1 },
    { surge: 0, unavailable: 0 },
  ]);
});
