import fc from 'fast-check';
import { rollOut } from '../../../src/systems/fleet/rollout-loop';
import type { RolloutSetting } from '../../../src/systems/fleet/rollout-loop';
import { reconcileToTheEnd } from './fleet-controller';

/** Up to 12 clusters in up to 4 partitions, which may overlap and leave some out. */
const anySetting: fc.Arbitrary<RolloutSetting> = fc.integer({ min: 1, max: 12 }).chain((targets) =>
  fc
    .record({
      partitions: fc.array(
        fc.record({
          members: fc.subarray(Array.from({ length: targets }, (_, position) => position)),
          maxUnavailable: fc.integer({ min: -1, max: 5 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      maxUnavailable: fc.integer({ min: -1, max: 13 }),
      maxUnavailablePartitions: fc.integer({ min: -1, max: 4 }),
      maxNew: fc.integer({ min: 0, max: 7 }),
      paused: fc.uniqueArray(fc.nat(targets - 1)),
      neverReady: fc.uniqueArray(fc.nat(targets - 1)),
    })
    .map(({ partitions, paused, neverReady, ...limits }) => ({
      ...limits,
      targets,
      partitions: partitions.map((partition, index) => ({ ...partition, name: `p${index}` })),
      isPaused: (position) => paused.includes(position),
      isNeverReady: (position) => neverReady.includes(position),
      listsTargets: true,
    })),
);

describe.each(['install', 'update'] as const)('an %s', (kind) => {
  test("goes as Fleet's own loop does, reconcile by reconcile", () => {
    fc.assert(
      fc.property(anySetting, (setting) => {
        expect(rollOut(kind, setting)).toEqual(reconcileToTheEnd(kind, setting));
      }),
      { numRuns: 2_000 },
    );
  });
});
