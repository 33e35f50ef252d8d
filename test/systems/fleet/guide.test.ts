import type { PlanOptions } from '../../../src/headless';
import { bundle, clusters, inventory, lines, partitionsOf, rolloutOf, simulationOf, wavesOf } from './plan';

const TWO_STAGES = (first: number, second: number) => [
  ...clusters(first, 'demo', { stage: 'demoRollout' }),
  ...clusters(second, 'stable', { stage: 'stable' }),
];

const STAGES = [
  { name: 'demoRollout', clusterSelector: { matchLabels: { stage: 'demoRollout' } } },
  { name: 'stable', clusterSelector: { matchLabels: { stage: 'stable' } } },
];

/** Five manual partitions of 40 clusters each. */
const FIVE = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, clusterSelector: { matchLabels: { part: name } } }));
const FIVE_TIMES_40 = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => clusters(40, name, { part: name }));

/** Returns the code, message id and data of the findings about a bundle. */
function factsOfBundle(strategy: object, options: PlanOptions) {
  return rolloutOf(strategy, options).findings.map(({ code, messageId, data }) => ({ code, messageId, ...data }));
}

const BATCHES = 'fleet/batches-not-checked';

/** Returns the number of clusters in each partition. */
function countsOf(total: number, strategy: object): number[] {
  return simulationOf(bundle(strategy), inventory(clusters(total))).partitions.map(({ count }) => count);
}

describe('numbers in the guide that match the controller', () => {
  test('230 clusters at 25%: four partitions of 57 and one of 2', () => {
    expect(countsOf(230, { autoPartitionSize: '25%' })).toEqual([57, 57, 57, 57, 2]);
  });

  test('200 clusters: four partitions of 50 at 25%, ten of 20 at 10%', () => {
    expect(countsOf(200, { autoPartitionSize: '25%' })).toEqual([50, 50, 50, 50]);
    expect(countsOf(200, { autoPartitionSize: '10%' })).toEqual(Array.from({ length: 10 }, () => 20));
  });

  test('fewer than 200 clusters: one partition', () => {
    expect(partitionsOf(bundle(), inventory(clusters(199)))).toEqual(['All 199/199']);
  });

  test('by default each of the four partitions counts as ready at once, so all are reached regardless of readiness', () => {
    const everyone = clusters(200);
    const { install, update } = wavesOf(bundle(), {
      ...inventory(everyone),
      neverReady: everyone.map((cluster) => (cluster as { name: string }).name),
    });
    expect([install, update]).toEqual(['200, done', '200, done']);
  });

  test('targeted clusters in no partition are not in the rollout, and a finding reports them', () => {
    const rest = [...TWO_STAGES(2, 2), { name: 'unlabelled' }];
    const strategy = { maxUnavailable: 1, partitions: STAGES };
    expect(simulationOf(bundle(strategy), inventory(rest)).unpartitioned).toEqual(['unlabelled']);
    expect(lines(bundle(strategy), inventory(rest))).toEqual(['warning fleet/unmatched-clusters spec.rolloutStrategy.partitions']);
  });

  test('an install of partitions of 40 at 10% deploys to all 40, continues with 4 not ready, and stops with 5', () => {
    const strategy = bundle({ maxUnavailable: '10%', maxUnavailablePartitions: 0, partitions: FIVE });
    const options = inventory(FIVE_TIMES_40);
    const failing = ['a-001', 'a-002', 'a-003', 'a-004', 'a-005'];
    expect(wavesOf(strategy, { ...options, neverReady: failing.slice(1) }).install).toBe('5 × 40, done');
    expect(wavesOf(strategy, { ...options, neverReady: failing }).install).toBe(
      '40, halts after a (partitions unavailable: 1), 160 not released',
    );
  });
});

describe('statements of the guide that the controller contradicts, each with the finding or number that shows it', () => {
  test('1. 200 clusters, maxUnavailablePartitions 1, size 10%: "pauses", "up to 40 pulls"; but nothing pauses and 200 pull at once', () => {
    const strategy = bundle({ maxUnavailablePartitions: 1, autoPartitionSize: '10%' });
    expect(wavesOf(strategy, inventory(clusters(200)))).toEqual({ install: '200, done', update: '200, done' });
    expect(lines(strategy, inventory(clusters(200)))).toEqual(['warning fleet/never-pauses spec.rolloutStrategy.maxUnavailablePartitions']);
  });

  test('1. with maxUnavailable 10% added, 40 pull at once in an install, and 4 in an update, or 8 when two partitions end and two begin', () => {
    const strategy = bundle({ maxUnavailable: '10%', maxUnavailablePartitions: 1, autoPartitionSize: '10%' });
    expect(wavesOf(strategy, inventory(clusters(200)))).toEqual({
      install: '5 × 40, done',
      update: '9 × 4 + 8 + 8 × 4 + 8 + 8 × 4 + 8 + 8 × 4 + 8 + 9 × 4, done',
    });
    expect(lines(strategy, inventory(clusters(200)))).toEqual(['info fleet/batches-not-checked spec.rolloutStrategy.maxUnavailable']);
  });

  test('2. maxUnavailable 0 for strict readiness: an install is gated, but an update never starts', () => {
    const strategy = bundle({ maxUnavailable: 0, maxUnavailablePartitions: 0, partitions: STAGES });
    expect(wavesOf(strategy, inventory(TWO_STAGES(20, 180)))).toEqual({
      install: '20 + 180, done',
      update: 'nothing, halts after demoRollout (partitions unavailable: 1), 200 not released',
    });
    expect(lines(strategy, inventory(TWO_STAGES(20, 180)))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.maxUnavailable',
    ]);
  });

  test('3. a partition of 100 in checked batches of 50: an install deploys to 100, even if the first 50 fail; an update changes 10 at a time', () => {
    const first50 = clusters(50).map((cluster) => (cluster as { name: string }).name);
    const strategy = bundle({ maxUnavailable: '10%' });
    expect(wavesOf(strategy, { ...inventory(clusters(100)), neverReady: first50 }).install).toBe('100, done');
    expect(wavesOf(strategy, inventory(clusters(100))).update).toBe('10 × 10, done');
    expect(factsOfBundle(strategy, inventory(clusters(100)))).toEqual([
      { code: BATCHES, messageId: 'automatic', partition: 'All', clusters: 100, maxUnavailable: 10, maxNew: 50 },
    ]);
  });

  test('4. 10 of 100 unavailable pause the remaining 50: an install does not pause, and an update pauses the remaining 90', () => {
    const neverReady = clusters(10).map((cluster) => (cluster as { name: string }).name);
    expect(wavesOf(bundle({ maxUnavailable: '10%' }), { ...inventory(clusters(100)), neverReady })).toEqual({
      install: '100, done',
      update: '10, halts after All (partitions unavailable: 1), 90 not released',
    });
    expect(lines(bundle({ maxUnavailable: '10%' }), { ...inventory(clusters(100)), neverReady })).toEqual([
      'info fleet/batches-not-checked spec.rolloutStrategy.maxUnavailable',
    ]);
  });

  test('5. 50 clusters at 10% at once: only an install; an update changes ten groups of 5', () => {
    expect(wavesOf(bundle({ maxUnavailable: '10%' }), inventory(clusters(50)))).toEqual({ install: '50, done', update: '10 × 5, done' });
    expect(factsOfBundle(bundle({ maxUnavailable: '10%' }), inventory(clusters(50)))).toEqual([
      { code: BATCHES, messageId: 'automatic', partition: 'All', clusters: 50, maxUnavailable: 5 },
    ]);
  });

  test('6. partitions of 40 at 10%, all 40 in one batch: an update changes 4 of a partition, and 4 failures leave 36 permanently', () => {
    const strategy = bundle({ maxUnavailable: '10%', maxUnavailablePartitions: 0, partitions: FIVE });
    expect(wavesOf(strategy, { ...inventory(FIVE_TIMES_40), neverReady: ['a-001', 'a-002', 'a-003', 'a-004'] }).update).toBe(
      '4, halts after a (partitions unavailable: 1), 196 not released',
    );
    expect(factsOfBundle(strategy, inventory(FIVE_TIMES_40))).toEqual([
      { code: BATCHES, messageId: 'manual', partition: { name: 'a', index: 0 }, clusters: 40, maxUnavailable: 4 },
    ]);
  });

  test('7. continues while unready partitions are below maxUnavailablePartitions: it continues at the limit and halts above it', () => {
    const strategy = { maxUnavailable: 1, partitions: FIVE };
    const failing = { ...inventory(FIVE_TIMES_40), neverReady: ['a-001', 'a-002'] };
    expect(wavesOf(bundle(strategy), failing).install).toBe('40, halts after a (partitions unavailable: 1), 160 not released');
    expect(wavesOf(bundle({ ...strategy, maxUnavailablePartitions: 1 }), failing).install).toBe('80 + 3 × 40, done');
  });

  test('8. MaxNew is always 50 and limits what a change stages: since Fleet 0.16 it is a setting that limits only creation', () => {
    const simulation = simulationOf(bundle({ maxNew: 10 }), inventory(clusters(100)));
    expect([simulation.maxNew, simulation.update.waves.map(({ count }) => count)]).toEqual([10, [100]]);
    expect(lines(bundle({ maxNew: 10 }), { ...inventory(clusters(3)), versions: { fleet: '0.15' } })).toEqual([
      'warning input/unknown-field spec.rolloutStrategy.maxNew',
    ]);
  });

  test('9. batches of 50 are per bundle and reconcile, not per partition: 25 and 100 clusters are created as 50, 50 and 25', () => {
    const fleet = [...clusters(25, 'a', { part: 'a' }), ...clusters(100, 'b', { part: 'b' })];
    const { waves } = simulationOf(bundle({ partitions: FIVE.slice(0, 2) }), inventory(fleet)).install;
    const ofA = waves[0]!.clusters!.map((name) => name.startsWith('a'));
    expect([waves.length, waves[0]!.count, ofA.lastIndexOf(true)]).toEqual([1, 125, 24]);
    const partitions = [{ ...FIVE[0], maxUnavailable: 1 }, FIVE[1]];
    expect(factsOfBundle(bundle({ maxUnavailable: '10%', partitions }), inventory(fleet))).toEqual([
      { code: BATCHES, messageId: 'manual', partition: { name: 'b', index: 1 }, clusters: 100, maxUnavailable: 10, maxNew: 50 },
    ]);
  });

  test('10. the threshold is the partition’s: the bundle-wide one also applies, and the lower one wins', () => {
    const strategy = bundle({ maxUnavailable: 5, partitions: [{ ...FIVE[0], maxUnavailable: '50%' }, ...FIVE.slice(1)] });
    expect(wavesOf(strategy, inventory(FIVE_TIMES_40)).update).toBe('40 × 5, done');
    expect(lines(strategy, inventory(FIVE_TIMES_40))).toEqual([
      'info fleet/batches-not-checked spec.rolloutStrategy.maxUnavailable',
      'warning fleet/partition-above-bundle-limit spec.rolloutStrategy.partitions[0].maxUnavailable',
    ]);
  });

  test('10. a bundle-wide 0 stops every partition', () => {
    const strategy = bundle({ maxUnavailable: 0, partitions: FIVE.map((partition) => ({ ...partition, maxUnavailable: 2 })) });
    expect(wavesOf(strategy, inventory(FIVE_TIMES_40)).update).toMatch(/^nothing, halts/);
    expect(lines(strategy, inventory(FIVE_TIMES_40))).toEqual(['error fleet/zero-max-unavailable spec.rolloutStrategy.maxUnavailable']);
  });

  test('13. a partition’s limit is 10% by default, as the CRD says: the default is the rollout’s limit', () => {
    expect(partitionsOf(bundle({ maxUnavailable: '50%', partitions: FIVE }), inventory(FIVE_TIMES_40))[0]).toBe('a 40/20');
  });

  test('14. unmatched clusters are added at the end, as the CRD says: they are not added', () => {
    const { partitions, unpartitionedCount } = simulationOf(
      bundle({ autoPartitionSize: '50%', partitions: FIVE.slice(0, 1) }),
      inventory(FIVE_TIMES_40),
    );
    expect([partitions.length, unpartitionedCount]).toEqual([1, 160]);
  });

  test('15. partition sizes are rounded down, but never below 1', () => {
    expect(partitionsOf(bundle({ autoPartitionSize: '10%', autoPartitionThreshold: 1 }), inventory(clusters(5)))).toHaveLength(5);
  });

  test('19. an offline cluster is not ready: this is only so once it is released; before that it stays ready on the old version', () => {
    const { update } = simulationOf(bundle({ maxUnavailable: 1 }), { ...inventory(clusters(3)), neverReady: ['cluster-003'] });
    expect(update).toMatchObject({ waves: [{ count: 1 }, { count: 1 }, { count: 1 }], done: true });
  });

  test('20. maxUnavailablePartitions may be a percentage: 0% tolerates one partition', () => {
    const strategy = bundle({ maxUnavailable: 1, maxUnavailablePartitions: '0%', partitions: FIVE });
    expect(simulationOf(strategy, inventory(FIVE_TIMES_40)).maxUnavailablePartitions).toBe(1);
    expect(lines(strategy, inventory(FIVE_TIMES_40))).toEqual([
      'info fleet/zero-percent-is-one spec.rolloutStrategy.maxUnavailablePartitions',
    ]);
  });

  test('21. maxUnavailablePartitions is for manual partitions: it also applies to automatic ones', () => {
    const strategies = [0, 1].map((maxUnavailablePartitions) =>
      bundle({ maxUnavailable: 1, maxUnavailablePartitions, autoPartitionSize: 50 }),
    );
    expect(strategies.map((strategy) => wavesOf(strategy, inventory(clusters(200))).install)).toEqual(['4 × 50, done', '2 × 100, done']);
  });
});
