import * as fc from 'fast-check';
import { simulateGroups } from '../../../src/workloads/leader-worker-set/simulate';
import type { GroupRollout } from '../../../src/workloads/leader-worker-set/simulate';
import { resolveGroupLimits, resolveLeaderLimit } from '../../../src/workloads/leader-worker-set/strategy';
import { getLwsBehaviour } from '../../../src/workloads/leader-worker-set/versions';
import type { IntOrPercent } from '../../../src/core/values/int-or-percent';
import { scaleRuns } from '../../setup/scale-runs';

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

/** Returns the rows as `new+old: available`. */
function rowsOf(simulation: ReturnType<typeof simulateGroups>): string[] {
  return simulation.waves.map(({ newGroups, oldGroups, available }) => `${newGroups}+${oldGroups}: ${available}`);
}

/** Shortens a simulation of every wave like a longer one. */
function shorten(simulation: ReturnType<typeof simulateGroups>, maxRows: number, atEachEnd: number): ReturnType<typeof simulateGroups> {
  const { waves } = simulation;
  if (waves.length <= maxRows) return simulation;
  return { ...simulation, waves: [...waves.slice(0, atEachEnd), ...waves.slice(-atEachEnd)], elided: waves.length - 2 * atEachEnd };
}

describe('a LeaderWorkerSet', () => {
  test('with a partition above its replicas keeps all groups on the old version, including its surge groups', () => {
    const simulation = simulateGroups(rollout(2, [1, 1, 7]));
    expect([rowsOf(simulation), simulation.remainingSurge, simulation.halted]).toEqual([['0+3: 2'], 1, undefined]);
  });

  test('with the defaults replaces one group after another from the highest ordinal down', () => {
    const simulation = simulateGroups(rollout(3, [0, 1]));
    expect(rowsOf(simulation)).toEqual(['1+2: 2', '2+1: 2', '3+0: 2']);
    expect(simulation).toMatchObject({ peakGroups: 3, peakPods: 12, minAvailable: 2 });
    expect(simulation).not.toHaveProperty('halted');
  });

  test('with a surge has an extra group until only maxUnavailable groups are left to update', () => {
    expect(rowsOf(simulateGroups(rollout(3, [1, 0])))).toEqual(['1+3: 3', '2+2: 3', '3+1: 3', '4+0: 3', '3+0: 3']);
    expect(simulateGroups(rollout(3, [1, 0]))).toMatchObject({ peakGroups: 4, peakPods: 16, minAvailable: 3 });
  });

  test('with one group and maxUnavailable 1 never surges: the group is replaced in place', () => {
    expect(rowsOf(simulateGroups(rollout(1, [1, 1])))).toEqual(['1+0: 0']);
  });

  test('with one group, surge 1 and maxUnavailable 0 deadlocks before 0.9 and finishes since 0.9', () => {
    const before = simulateGroups(rollout(1, [1, 0], { lws: '0.8' }));
    expect(before.waves).toEqual([]);
    expect(before.halted).toEqual({ wave: 0, groups: 1, reason: 'no-step' });
    expect(rowsOf(simulateGroups(rollout(1, [1, 0])))).toEqual(['1+1: 1', '2+0: 1', '1+0: 1']);
  });

  test('replaces several groups at once only if the API server keeps maxUnavailable of a StatefulSet', () => {
    expect(rowsOf(simulateGroups(rollout(4, [0, 2], { kubernetes: '1.34' })))).toEqual(['1+3: 3', '2+2: 3', '3+1: 3', '4+0: 3']);
    expect(rowsOf(simulateGroups(rollout(4, [0, 2], { kubernetes: '1.37' })))).toEqual(['2+2: 2', '4+0: 2']);
  });

  test('before 0.9 is refused by an API server that keeps maxUnavailable if it is 0', () => {
    const simulation = simulateGroups(rollout(2, [1, 0], { lws: '0.8', kubernetes: '1.37' }));
    expect(simulation).toMatchObject({ waves: [], minAvailable: 2, halted: { wave: 0, groups: 2, reason: 'refused' } });
  });

  test('keeps its surge groups while the partition is above 0', () => {
    const simulation = simulateGroups(rollout(3, [1, 0, 1]));
    expect(simulation).toMatchObject({ partition: 1, remainingSurge: 1 });
    expect(simulation.waves.at(-1)).toMatchObject({ oldGroups: 1, total: 4 });
  });

  test('deadlocks if a surge group does not fit, and continues in place if one group may be unavailable', () => {
    expect(simulateGroups({ ...rollout(2, [1, 0]), capacity: 2 }).halted).toEqual({ wave: 1, groups: 2, reason: 'no-step' });
    expect(simulateGroups({ ...rollout(4, [1, 1], { kubernetes: '1.37' }), capacity: 4 })).not.toHaveProperty('halted');
    // With one group at a time, the rollout first waits for the leader of the surge group.
    expect(simulateGroups({ ...rollout(4, [1, 1]), capacity: 4 }).halted).toEqual({ wave: 1, groups: 4, reason: 'no-step' });
  });

  test('without groups has nothing to do', () => {
    expect(simulateGroups(rollout(0, [0, 1]))).toMatchObject({ waves: [], peakGroups: 0, minAvailable: 0 });
  });

  test('with very many groups has the same numbers and rows as a simulation of every wave', () => {
    const limit = fc.oneof(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 200 }),
      fc.constantFrom<IntOrPercent>('1%', '5%', '50%'),
    );
    const versions = fc.record({ lws: fc.constantFrom('0.7', '0.8', '0.9'), kubernetes: fc.constantFrom('1.34', '1.37') });
    const groups = fc.integer({ min: 1, max: 200 });
    const cases = [groups, limit, limit, fc.integer({ min: 0, max: 40 }), fc.option(groups, { nil: undefined }), versions] as const;
    fc.assert(
      fc.property(...cases, (replicas, surge, unavailable, partition, initialGroupCount, versionsOfSet) => {
        fc.pre(surge !== 0 || unavailable !== 0);
        const set: GroupRollout = {
          ...rollout(replicas, [surge, unavailable, partition], versionsOfSet),
          ...(initialGroupCount !== undefined && { initialGroupCount }),
        };
        // Waves are skipped from the eighth row instead of the thousandth, so that small sets test the same as large ones.
        expect(simulateGroups(set, { maxRows: 8, atEachEnd: 3 })).toEqual(
          shorten(simulateGroups(set, { maxRows: Infinity, atEachEnd: 3 }), 8, 3),
        );
      }),
      { numRuns: scaleRuns(400) },
    );
  });

  test('deletes its surge groups as the controller does, even in a few waves after a thousand', () => {
    const simulation = simulateGroups(rollout(1060, [64, 62]));
    expect(rowsOf(simulation).slice(50, 52)).toEqual(['1011+49: 1059', '1012+48: 1059']);
    expect(simulation.waves.at(-1)).toMatchObject({ wave: 1061, newGroups: 1060, oldGroups: 0 });
  });

  test('with a million groups, one at a time, is planned without simulating each wave', () => {
    const simulation = simulateGroups(rollout(1_000_000, ['50%', '10%']));
    expect(simulation.waves).toHaveLength(100);
    expect(simulation.waves.at(-1)).toMatchObject({ newGroups: 1_000_000, oldGroups: 0 });
    expect(simulation.elided).toBeGreaterThan(900_000);
  });
});
