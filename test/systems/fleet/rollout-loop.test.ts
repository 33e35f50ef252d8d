import { array, assert, integer, nat, property, record, subarray, uniqueArray } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { runRollout } from '../../../src/systems/fleet/rollout-loop';
import type { RolloutSettings } from '../../../src/systems/fleet/rollout-loop';
import { endWhereAgentsReportSingly, reconcileToTheEnd } from './fleet-controller';
import { scaleRuns } from '../../setup/scale-runs';

/** Up to 12 clusters in up to 4 partitions, which may overlap and may not contain every cluster. */
const anySetting: Arbitrary<RolloutSettings> = integer({ min: 1, max: 12 }).chain((targets) =>
  record({
    partitions: array(
      record({
        members: subarray(Array.from({ length: targets }, (_, position) => position)),
        maxUnavailable: integer({ min: -1, max: 5 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    maxUnavailable: integer({ min: -1, max: 13 }),
    maxUnavailablePartitions: integer({ min: -1, max: 4 }),
    maxNew: integer({ min: 0, max: 7 }),
    paused: uniqueArray(nat(targets - 1)),
    neverReady: uniqueArray(nat(targets - 1)),
    down: uniqueArray(nat(targets - 1)),
  }).map(({ partitions, paused, neverReady, down, ...limits }) => ({
    ...limits,
    targets,
    partitions: partitions.map((partition, index) => ({ ...partition, name: `p${index}` })),
    isPaused: (position) => paused.includes(position),
    isNeverReady: (position) => neverReady.includes(position),
    isDown: (position) => down.includes(position),
    listsTargets: true,
  })),
);

describe.each(['install', 'update'] as const)('an %s', (kind) => {
  test("matches Fleet's own loop, reconcile by reconcile", () => {
    assert(
      property(anySetting, (setting) => {
        expect(runRollout(kind, setting)).toEqual(reconcileToTheEnd(kind, setting));
      }),
      { numRuns: scaleRuns(2_000) },
    );
  });
});

describe('F6: the assumption that agents report in rounds', () => {
  /** Picks the next agent to report from a list of numbers, which can produce any order. */
  function inOrder(picks: readonly number[]): (waiting: number) => number {
    let turn = 0;
    return (waiting) => picks[turn++ % picks.length]! % waiting;
  }

  const anyOrder = array(nat(11), { minLength: 1, maxLength: 12 });
  const NONE_DOWN = { isDown: () => false };

  test('an install has the same result if they report one by one, in any order', () => {
    assert(
      property(anySetting, anyOrder, (any, picks) => {
        const setting = { ...any, ...NONE_DOWN };
        expect(endWhereAgentsReportSingly('install', setting, inOrder(picks))).toEqual(runRollout('install', setting).notReleased);
      }),
      { numRuns: scaleRuns(2_000) },
    );
  });

  test('an update has the same result if its partitions share no cluster', () => {
    assert(
      property(anySetting, anyOrder, (any, picks) => {
        const partitions = any.partitions.map((partition, index) => {
          const before = new Set(any.partitions.slice(0, index).flatMap(({ members }) => members));
          return { ...partition, members: partition.members.filter((member) => !before.has(member)) };
        });
        const setting = { ...any, ...NONE_DOWN, partitions };
        expect(endWhereAgentsReportSingly('update', setting, inOrder(picks))).toEqual(runRollout('update', setting).notReleased);
      }),
      { numRuns: scaleRuns(2_000) },
    );
  });

  test('an update with a cluster in two partitions that never becomes ready may halt at another partition', () => {
    const setting: RolloutSettings = {
      targets: 4,
      partitions: [
        { name: 'p0', maxUnavailable: 1, members: [1, 2, 3] },
        { name: 'p1', maxUnavailable: 1, members: [0, 3] },
      ],
      maxUnavailable: 2,
      maxUnavailablePartitions: 2,
      maxNew: 50,
      isPaused: () => false,
      isNeverReady: (position) => position === 3,
      isDown: () => false,
      listsTargets: true,
    };
    expect(runRollout('update', setting)).toMatchObject({ waves: [{ released: [0, 1] }, { released: [2, 3] }], notReleased: [] });
    // If 0 reports before 1, 3 is released together with 1 and permanently uses the slot of 2.
    expect(endWhereAgentsReportSingly('update', setting, () => 0)).toEqual([2]);
    expect(endWhereAgentsReportSingly('update', setting, (waiting) => waiting - 1)).toEqual([]);
  });
});
