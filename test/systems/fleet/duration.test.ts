import { array, assert, integer, nat, property } from 'fast-check';
import { planManifests } from '../../../src/headless';
import { renderPlanText } from '../../../src/render/text/plan';
import { expectValidPlan } from '../../plan-schema';
import { bundle, clusters, inventory, rolloutOf, simulationOf } from './plan';
import { scaleRuns } from '../../setup/scale-runs';

const STAGES = [
  { name: 'staging', clusterSelector: { matchLabels: { env: 'staging' } } },
  { name: 'prod', clusterSelector: { matchLabels: { env: 'prod' } } },
];
const TWO_STAGES = inventory([...clusters(4, 'staging', { env: 'staging' }), ...clusters(10, 'prod', { env: 'prod' })]);

function durationOf(rolloutStrategy: unknown, options: object, spec: object = {}) {
  return rolloutOf(bundle(rolloutStrategy, spec), { ...TWO_STAGES, ...options }).duration;
}

describe('how long an update of a bundle takes, when its pods take 60 seconds to become ready', () => {
  test('is one start-up for each wave', () => {
    // 4 × 1 in staging, then 3 + 3 + 3 + 1 in prod. The last cluster of staging shares its wave with two of prod.
    expect(
      simulationOf(
        bundle({ maxUnavailable: 3, partitions: [{ ...STAGES[0], maxUnavailable: 1 }, STAGES[1]] }),
        TWO_STAGES,
      ).update.waves.map(({ count }) => count),
    ).toEqual([1, 1, 1, 3, 3, 3, 2]);
    expect(durationOf({ maxUnavailable: 3, partitions: [{ ...STAGES[0], maxUnavailable: 1 }, STAGES[1]] }, { startupSeconds: 60 })).toEqual(
      {
        startupSeconds: 60,
        lowerBoundSeconds: 420,
        expectedSeconds: 420,
        abortSeconds: null,
        blastRadius: 1,
      },
    );
  });

  test('is one start-up with the defaults, and a broken image reaches every cluster', () => {
    expect(durationOf(undefined, { startupSeconds: 60 })).toEqual({
      startupSeconds: 60,
      lowerBoundSeconds: 60,
      expectedSeconds: 60,
      abortSeconds: null,
      blastRadius: 14,
    });
  });

  test('a cluster that is down uses a slot before the broken image reaches others', () => {
    const blast = (notReadyNow: readonly string[]) =>
      durationOf({ maxUnavailable: 2, partitions: [STAGES[0]] }, { startupSeconds: 60, notReadyNow })!.blastRadius;
    expect([blast([]), blast(['prod-001'])]).toEqual([2, 1]);
  });

  test('counts the waves that are not listed', () => {
    const options = { ...inventory(clusters(1_001)), startupSeconds: 60 };
    const rollout = rolloutOf(bundle({ maxUnavailable: 1 }), options);
    expect(rollout.simulation).toMatchObject({ update: { elided: 901 } });
    expect(rollout.duration).toMatchObject({ lowerBoundSeconds: 60_060, expectedSeconds: 60_060, blastRadius: 1 });
  });

  test('is unknown if the update halts before it has reached every cluster', () => {
    const options = { startupSeconds: 60, neverReady: ['staging-001', 'staging-002'] };
    expect(durationOf({ maxUnavailable: 1, partitions: STAGES }, options)).toMatchObject({ lowerBoundSeconds: 60, expectedSeconds: null });
  });

  test('is missing if the start-up time is not known, and if nothing is released', () => {
    expect(durationOf({ maxUnavailable: 1 }, {})).toBeUndefined();
    expect(durationOf({ maxUnavailable: 0 }, { startupSeconds: 60 })).toBeUndefined();
    expect(durationOf(undefined, { startupSeconds: 60 }, { paused: true })).toBeUndefined();
  });

  test('is part of the text of a plan, which counts clusters and not pods', () => {
    const plan = expectValidPlan(planManifests([bundle({ maxUnavailable: 2 })], { ...inventory(clusters(4)), startupSeconds: 60 }));
    expect(renderPlanText(plan)).toContain('\n  takes about 2m, at least 2m; a broken image is never detected and breaks 2 clusters\n');
  });
});

describe('what a broken image reaches', () => {
  test('is the number of clusters that an update releases if none of them ever becomes ready', () => {
    assert(
      property(
        integer({ min: 1, max: 12 }),
        integer({ min: 1, max: 13 }),
        integer({ min: 0, max: 3 }),
        array(integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
        array(nat(11), { maxLength: 3 }),
        (count, maxUnavailable, maxUnavailablePartitions, limits, paused) => {
          const members = clusters(count).map((cluster, index) => ({
            ...cluster,
            paused: paused.includes(index),
            labels: { part: `p${index % limits.length}` },
          }));
          const partitions = limits.map((limit, index) => {
            return { name: `p${index}`, maxUnavailable: limit, clusterSelector: { matchLabels: { part: `p${index}` } } };
          });
          const strategy = { maxUnavailable, maxUnavailablePartitions, partitions };
          const options = { ...inventory(members), startupSeconds: 1 };
          const names = members.map((_, index) => `cluster-${String(index + 1).padStart(3, '0')}`);
          const broken = simulationOf(bundle(strategy), { ...options, neverReady: names }).update;
          const reached = broken.waves.reduce((sum, wave) => sum + wave.count, 0);
          expect(rolloutOf(bundle(strategy), options).duration?.blastRadius ?? 0).toBe(reached);
        },
      ),
      { numRuns: scaleRuns(300) },
    );
  });
});
