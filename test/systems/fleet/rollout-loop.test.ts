import { array, assert, integer, nat, property, record, subarray, uniqueArray } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { rollOut } from '../../../src/systems/fleet/rollout-loop';
import type { RolloutSetting } from '../../../src/systems/fleet/rollout-loop';
import { reconcileToTheEnd } from './fleet-controller';

/** Up to 12 clusters in up to 4 partitions, which may overlap and leave some out. */
const anySetting: Arbitrary<RolloutSetting> = integer({ min: 1, max: 12 }).chain((targets) =>
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
  test("goes as Fleet's own loop does, reconcile by reconcile", () => {
    assert(
      property(anySetting, (setting) => {
        expect(rollOut(kind, setting)).toEqual(reconcileToTheEnd(kind, setting));
      }),
      { numRuns: 2_000 },
    );
  });
});
