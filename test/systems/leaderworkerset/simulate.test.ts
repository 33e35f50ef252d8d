import * as fc from 'fast-check';
import { simulateGroups } from '../../../src/workloads/leader-worker-set/simulate';
import { resolveGroupLimits, resolveLeaderLimit } from '../../../src/workloads/leader-worker-set/strategy';
import { getLwsBehaviour } from '../../../src/workloads/leader-worker-set/versions';
import type { IntOrPercent } from '../../../src/core/int-or-percent';

function rollout(
  replicas: number,
  [maxSurge, maxUnavailable, partition = 0]: readonly [surge: IntOrPercent, unavailable: IntOrPercent, partition?: number],
  { lws = '0.9', kubernetes = '1.34' } = {},
) {
  const strategy = { type: 'RollingUpdate', rollingUpdateConfiguration: { maxSurge, maxUnavailable, partition } } as const;
  const limits = resolveGroupLimits(strategy, replicas);
  const behaviour = getLwsBehaviour(lws);
  const limit = resolveLeaderLimit(strategy, limits, behaviour, kubernetes);
  return { limits, size: 4, behaviour, leaderLimit: limit.isDropped ? undefined : limit.resolve, isRejected: limit.isRejected };
}

/** Rows as `new+old: available`. */
function rowsOf(simulation: ReturnType<typeof simulateGroups>): string[] {
  return simulation.waves.map(({ newGroups, oldGroups, available }) => `${newGroups}+${oldGroups}: ${available}`);
}

/** A simulation that has gone through every wave, shown as longer ones are. */
function cut(simulation: ReturnType<typeof simulateGroups>, whole: number, atEachEnd: number): ReturnType<typeof simulateGroups> {
  const { waves } = simulation;
  if (waves.length <= whole) return simulation;
  return { ...simulation, waves: [...waves.slice(0, atEachEnd), ...waves.slice(-atEachEnd)], elided: waves.length - 2 * atEachEnd };
}

describe('a LeaderWorkerSet', () => {
  test('with a partition above its replicas stands as it is told to, its surge groups of the old version with it', () => {
    const simulation = simulateGroups(rollout(2, [1, 1, 7]));
    expect([rowsOf(simulation), simulation.remainingSurge, simulation.halted]).toEqual([['0+3: 2'], 1, undefined]);
  });

  test('with the defaults replaces one group after another from the highest ordinal down', () => {
    const simulation = simulateGroups(rollout(3, [0, 1]));
    expect(rowsOf(simulation)).toEqual(['1+2: 2', '2+1: 2', '3+0: 2']);
    expect(simulation).toMatchObject({ peakGroups: 3, peakPods: 12, minAvailable: 2 });
    expect(simulation).not.toHaveProperty('halted');
  });

  test('with a surge has a group more until the last but what may be unavailable is done', () => {
    expect(rowsOf(simulateGroups(rollout(3, [1, 0])))).toEqual(['1+3: 3', '2+2: 3', '3+1: 3', '4+0: 3', '3+0: 3']);
    expect(simulateGroups(rollout(3, [1, 0]))).toMatchObject({ peakGroups: 4, peakPods: 16, minAvailable: 3 });
  });

  test('of one group never surges with maxUnavailable 1: it is replaced in place', () => {
    expect(rowsOf(simulateGroups(rollout(1, [1, 1])))).toEqual(['1+0: 0']);
  });

  test('of one group with surge 1 and nothing unavailable stands still for good before 0.9, and rolls from 0.9 on', () => {
    const before = simulateGroups(rollout(1, [1, 0], { lws: '0.8' }));
    expect(before.waves).toEqual([]);
    expect(before.halted).toEqual({ wave: 0, groups: 1, reason: 'no-step' });
    expect(rowsOf(simulateGroups(rollout(1, [1, 0])))).toEqual(['1+1: 1', '2+0: 1', '1+0: 1']);
  });

  test('lets several groups go at once only where the API server keeps maxUnavailable of a StatefulSet', () => {
    expect(rowsOf(simulateGroups(rollout(4, [0, 2], { kubernetes: '1.34' })))).toEqual(['1+3: 3', '2+2: 3', '3+1: 3', '4+0: 3']);
    expect(rowsOf(simulateGroups(rollout(4, [0, 2], { kubernetes: '1.37' })))).toEqual(['2+2: 2', '4+0: 2']);
  });

  test('before 0.9 is refused by an API server that keeps maxUnavailable, where it is 0', () => {
    const simulation = simulateGroups(rollout(2, [1, 0], { lws: '0.8', kubernetes: '1.37' }));
    expect(simulation).toMatchObject({ waves: [], minAvailable: 2, halted: { wave: 0, groups: 2, reason: 'refused' } });
  });

  test('keeps its surge groups while there is a partition', () => {
    const simulation = simulateGroups(rollout(3, [1, 0, 1]));
    expect(simulation).toMatchObject({ partition: 1, remainingSurge: 1 });
    expect(simulation.waves.at(-1)).toMatchObject({ oldGroups: 1, total: 4 });
  });

  test('stands still where a surge group finds no room, and goes on in place where one may be unavailable', () => {
    expect(simulateGroups({ ...rollout(2, [1, 0]), capacity: 2 }).halted).toEqual({ wave: 1, groups: 2, reason: 'no-step' });
    expect(simulateGroups({ ...rollout(4, [1, 1], { kubernetes: '1.37' }), capacity: 4 })).not.toHaveProperty('halted');
    // One at a time, the leader of the surge group is waited for first.
    expect(simulateGroups({ ...rollout(4, [1, 1]), capacity: 4 }).halted).toEqual({ wave: 1, groups: 4, reason: 'no-step' });
  });

  test('without groups has nothing to do', () => {
    expect(simulateGroups(rollout(0, [0, 1]))).toMatchObject({ waves: [], peakGroups: 0, minAvailable: 0 });
  });

  test('of very many groups has the figures and the rows that going through every wave has', () => {
    const limit = fc.oneof(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 200 }),
      fc.constantFrom<IntOrPercent>('1%', '5%', '50%'),
    );
    const versions = fc.record({ lws: fc.constantFrom('0.7', '0.8', '0.9'), kubernetes: fc.constantFrom('1.34', '1.37') });
    const groups = fc.integer({ min: 1, max: 200 });
    const cases = [groups, limit, limit, fc.integer({ min: 0, max: 40 }), fc.option(groups, { nil: undefined }), versions] as const;
    fc.assert(
      fc.property(...cases, (replicas, surge, unavailable, partition, before, of) => {
        fc.pre(surge !== 0 || unavailable !== 0);
        const set = { ...rollout(replicas, [surge, unavailable, partition], of), ...(before !== undefined && { before }) };
        // Waves are skipped from the eighth row on instead of the thousandth, so that small sets tell as much as large ones.
        expect(simulateGroups(set, { maxRows: 8, atEachEnd: 3 })).toEqual(
          cut(simulateGroups(set, { maxRows: Infinity, atEachEnd: 3 }), 8, 3),
        );
      }),
      { numRuns: 400 },
    );
  });

  test('gives its surge back as the controller does, however few waves it takes for that after a thousand', () => {
    const simulation = simulateGroups(rollout(1060, [64, 62]));
    expect(rowsOf(simulation).slice(50, 52)).toEqual(['1011+49: 1059', '1012+48: 1059']);
    expect(simulation.waves.at(-1)).toMatchObject({ wave: 1061, newGroups: 1060, oldGroups: 0 });
  });

  test('of a million groups, one at a time, is planned without going through each wave', () => {
    const simulation = simulateGroups(rollout(1_000_000, ['50%', '10%']));
    expect(simulation.waves).toHaveLength(100);
    expect(simulation.waves.at(-1)).toMatchObject({ newGroups: 1_000_000, oldGroups: 0 });
    expect(simulation.elided).toBeGreaterThan(900_000);
  });
});
