import { bundle, clusters, inventory, simulationOf, wavesOf } from './plan';

const STAGES = [
  { name: 'staging', clusterSelector: { matchLabels: { env: 'staging' } } },
  { name: 'prod', clusterSelector: { matchLabels: { env: 'prod' } } },
];

const TWO_STAGES = [...clusters(4, 'staging', { env: 'staging' }), ...clusters(10, 'prod', { env: 'prod' })];

describe('an install and an update differ', () => {
  test('an install deploys to an entire partition at once, with any maxUnavailable, and waits between partitions', () => {
    expect(wavesOf(bundle({ maxUnavailable: 1, partitions: STAGES }), inventory(TWO_STAGES))).toEqual({
      install: '4 + 10, done',
      update: '14 × 1, done',
    });
  });

  test('with the default of 100% nothing ever waits', () => {
    expect(wavesOf(bundle({ partitions: STAGES }), inventory(TWO_STAGES))).toEqual({ install: '14, done', update: '14, done' });
  });

  test('an update respects both limits: the partition’s and the bundle’s', () => {
    const partitions = [{ ...STAGES[0], maxUnavailable: 1 }, STAGES[1]];
    expect(wavesOf(bundle({ maxUnavailable: 3, partitions }), inventory(TWO_STAGES))).toEqual({
      install: '4 + 10, done',
      // The fourth wave has the last cluster of staging and two of prod.
      update: '3 × 1 + 3 × 3 + 2, done',
    });
  });

  test('with 0 an install works, but an update never starts', () => {
    expect(wavesOf(bundle({ maxUnavailable: 0, partitions: STAGES }), inventory(TWO_STAGES))).toEqual({
      install: '4 + 10, done',
      update: 'nothing, halts after staging (partitions unavailable: 1), 14 not released',
    });
  });

  test('with maxUnavailablePartitions 1 two partitions can be in progress', () => {
    expect(wavesOf(bundle({ maxUnavailable: 1, maxUnavailablePartitions: 1, partitions: STAGES }), inventory(TWO_STAGES)).install).toBe(
      '14, done',
    );
  });

  test('maxNew is not a barrier: the next reconcile follows at once', () => {
    expect(wavesOf(bundle({ maxNew: 3, maxUnavailable: 1, partitions: STAGES }), inventory(TWO_STAGES)).install).toBe('4 + 10, done');
  });

  test('with maxNew 0 nothing is ever created', () => {
    expect(wavesOf(bundle({ maxNew: 0 }), inventory(TWO_STAGES))).toEqual({
      install: 'nothing, halts (partitions unavailable: 0), 14 not released',
      update: '14, done',
    });
  });

  test('before Fleet 0.16 maxNew is always 50', () => {
    const simulation = simulationOf(bundle({ maxNew: 0 }), { ...inventory(TWO_STAGES), versions: { fleet: '0.15' } });
    expect([simulation.maxNew, simulation.install.done]).toEqual([50, true]);
  });
});

/** Returns the waves of an install with cluster names. */
function installOf(strategy: object): string[] {
  return simulationOf(bundle({ partitions: STAGES, ...strategy }), inventory(TWO_STAGES)).install.waves.map((wave) =>
    wave.clusters!.join(' '),
  );
}

describe('a wave lists its clusters in release order', () => {
  test('an install is ordered by reconcile, maxNew at a time, then by name', () => {
    expect(installOf({ maxNew: 6 })).toEqual([
      'prod-001 prod-002 staging-001 staging-002 staging-003 staging-004 prod-003 prod-004 prod-005 prod-006 prod-007 prod-008 prod-009 prod-010',
    ]);
  });

  test('an install is ordered by partition if each waits for the previous one', () => {
    expect(installOf({ maxNew: 6, maxUnavailable: 1 })).toEqual([
      'staging-001 staging-002 staging-003 staging-004',
      'prod-001 prod-002 prod-003 prod-004 prod-005 prod-006 prod-007 prod-008 prod-009 prod-010',
    ]);
  });
});

function withFailing(strategy: object, neverReady: readonly string[]) {
  return wavesOf(bundle({ partitions: STAGES, ...strategy }), { ...inventory(TWO_STAGES), neverReady });
}

describe('the point at which a rollout halts', () => {
  test('an update halts when as many clusters fail as may be unavailable', () => {
    expect(withFailing({ maxUnavailable: 2 }, ['staging-001', 'staging-002']).update).toBe(
      '2, halts after staging (partitions unavailable: 1), 12 not released',
    );
  });

  test('one failing cluster uses one slot: 4 of 5 are left', () => {
    expect(withFailing({ maxUnavailable: 5 }, ['staging-001']).update).toBe('5 + 2 × 4 + 1, done');
  });

  test('with one failing cluster and a limit of 1 an update halts', () => {
    expect(withFailing({ maxUnavailable: 1 }, ['staging-002'])).toEqual({
      install: '4 + 10, done',
      update: '2 × 1, halts after staging (partitions unavailable: 1), 12 not released',
    });
  });

  test('if the last released cluster fails, the partition passes, but no slot of the bundle is left', () => {
    expect(withFailing({ maxUnavailable: 1 }, ['staging-004']).update).toBe(
      '4 × 1, halts after prod (partitions unavailable: 1), 10 not released',
    );
  });

  test('an install stops after a partition with more failures than its limit', () => {
    expect(withFailing({ maxUnavailable: 1 }, ['staging-001', 'staging-002']).install).toBe(
      '4, halts after staging (partitions unavailable: 1), 10 not released',
    );
  });

  test('maxUnavailablePartitions tolerates that many partitions', () => {
    expect(withFailing({ maxUnavailable: 1, maxUnavailablePartitions: 1 }, ['staging-001', 'staging-002']).install).toBe('14, done');
  });

  test('a cluster is named with or without its namespace', () => {
    const options = {
      clusters: [
        {
          clusters: [
            { name: 'a', namespace: 'one' },
            { name: 'b', namespace: 'one' },
          ],
        },
      ],
    };
    const update = (name: string) => wavesOf(bundle({ maxUnavailable: 1 }), { ...options, neverReady: [name] }).update;
    expect([update('a'), update('one/a')]).toEqual(
      Array.from({ length: 2 }, () => '1, halts after All (partitions unavailable: 1), 1 not released'),
    );
  });

  test('a paused cluster is never released, and later partitions wait for it', () => {
    const paused = TWO_STAGES.map((cluster, index) => ({ ...cluster, paused: index < 2 }));
    expect(wavesOf(bundle({ maxUnavailable: 1, partitions: STAGES }), inventory(paused))).toEqual({
      install: '2, halts after staging (partitions unavailable: 1), 12 not released',
      update: '2 × 1, halts after staging (partitions unavailable: 1), 12 not released',
    });
  });

  test('a paused bundle releases nothing', () => {
    expect(wavesOf(bundle({}, { paused: true }), inventory(TWO_STAGES))).toEqual({
      install: 'nothing, halts (partitions unavailable: 0), 14 not released',
      update: 'nothing, halts (partitions unavailable: 0), 14 not released',
    });
  });

  test('clusters in no partition are not released, which is not a halt', () => {
    const { update } = simulationOf(bundle({ partitions: [STAGES[0]] }), inventory(TWO_STAGES.slice(2, 6)));
    expect(update).toEqual({
      waves: [{ count: 2, clusters: ['staging-003', 'staging-004'] }],
      done: false,
      halted: null,
      notReleasedCount: 2,
      notReleased: ['prod-001', 'prod-002'],
    });
  });
});

describe('long rollouts', () => {
  test('with up to 1,000 clusters list every name and every wave', () => {
    const { partitions, update } = simulationOf(bundle({ maxUnavailable: 1, autoPartitionSize: 0 }), inventory(clusters(1_000)));
    expect([partitions[0]!.clusters!.length, update.waves.length, update.elided]).toEqual([1_000, 1_000, undefined]);
  });

  test('with more clusters omit the names, and the rows between the first and the last 50', () => {
    const simulation = simulationOf(bundle({ maxUnavailable: 1, autoPartitionSize: 1 }), inventory(clusters(1_500)));
    expect({
      ...simulation,
      partitions: simulation.partitions.length,
      install: simulation.install.waves,
      update: { ...simulation.update, waves: simulation.update.waves.length },
    }).toEqual({
      kind: 'fleet',
      partitions: 100,
      unpartitionedCount: 0,
      maxUnavailable: 1,
      maxUnavailablePartitions: 0,
      maxNew: 50,
      install: [{ count: 1_500 }],
      update: { waves: 100, done: true, halted: null, notReleasedCount: 0, elided: 1_400 },
      elided: 1_400,
    });
  });

  test('100,000 clusters one by one are simulated quickly, in time linear in clusters and waves', () => {
    const simulation = simulationOf(bundle({ maxUnavailable: 1, autoPartitionSize: '10%' }), inventory(clusters(100_000)));
    expect([simulation.update.waves.length, simulation.update.elided, simulation.update.done]).toEqual([100, 99_900, true]);
  });
});

test('up to 1,000 clusters are listed in their waves, and above that only their number', () => {
  const firstOf = (count: number) => {
    const { install, update } = simulationOf(bundle({ maxUnavailable: 500 }), inventory(clusters(count)));
    return [install, update].map(({ waves: [first] }) => [first!.count, first!.clusters?.length]);
  };
  expect(firstOf(1_000)).toEqual([
    [1_000, 1_000],
    [500, 500],
  ]);
  expect(firstOf(1_001)).toEqual([
    [1_001, undefined],
    [500, undefined],
  ]);
});
