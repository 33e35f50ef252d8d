import { bundle, clusters, inventory, partitionsOf, simulationOf } from './plan';

function countsOf200(strategy: object): number[] {
  return simulationOf(bundle(strategy), inventory(clusters(200))).partitions.map(({ count }) => count);
}

describe('automatic partitions', () => {
  test('230 clusters at 25% are 4 × 57 and 2', () => {
    expect(partitionsOf(bundle({ autoPartitionSize: '25%' }), inventory(clusters(230)))).toEqual([
      'Partition 0 - 57 57/57',
      'Partition 57 - 114 57/57',
      'Partition 114 - 171 57/57',
      'Partition 171 - 228 57/57',
      'Partition 228 - 230 2/2',
    ]);
  });

  test('200 clusters are 4 × 50 by default, 10 × 20 at 10%', () => {
    expect(countsOf200({})).toEqual([50, 50, 50, 50]);
    expect(countsOf200({ autoPartitionSize: '10%' })).toEqual(Array.from({ length: 10 }, () => 20));
  });

  test('199 clusters are one partition: the threshold is 200', () => {
    expect(partitionsOf(bundle({ autoPartitionSize: '25%' }), inventory(clusters(199)))).toEqual(['All 199/199']);
  });

  test.each([
    ['a size of 0 turns them off', { autoPartitionSize: 0, autoPartitionThreshold: 1 }, ['All 6/6']],
    ['a negative size turns them off', { autoPartitionSize: -1, autoPartitionThreshold: 1 }, ['All 6/6']],
    ['a threshold of 0 turns them off', { autoPartitionThreshold: 0 }, ['All 6/6']],
    [
      'a size of 0% is one cluster',
      { autoPartitionSize: '0%', autoPartitionThreshold: 6 },
      Array.from({ length: 6 }, (_, i) => `Partition ${i} - ${i + 1} 1/1`),
    ],
    [
      'a quoted size counts clusters',
      { autoPartitionSize: '4', autoPartitionThreshold: 1 },
      ['Partition 0 - 4 4/4', 'Partition 4 - 6 2/2'],
    ],
    [
      'with an empty list Fleet forms them',
      { partitions: [], autoPartitionSize: 4, autoPartitionThreshold: 1 },
      ['Partition 0 - 4 4/4', 'Partition 4 - 6 2/2'],
    ],
    [
      'maxUnavailable applies to each',
      { autoPartitionSize: 4, autoPartitionThreshold: 1, maxUnavailable: '50%' },
      ['Partition 0 - 4 4/2', 'Partition 4 - 6 2/1'],
    ],
  ])('%s', (_, strategy, partitions) => {
    expect(partitionsOf(bundle(strategy), inventory(clusters(6)))).toEqual(partitions);
  });

  test('the threshold was added in Fleet 0.15 and is dropped before', () => {
    const strategy = { autoPartitionThreshold: 2, autoPartitionSize: '50%' };
    const count = (fleet: string) => partitionsOf(bundle(strategy), { ...inventory(clusters(4)), versions: { fleet } }).length;
    expect([count('0.14'), count('0.15')]).toEqual([1, 2]);
  });

  test('are split in bytewise name order: cluster-10 comes before cluster-2', () => {
    const named = ['cluster-2', 'cluster-10', 'Cluster-3', 'cluster-1'].map((name) => ({ name }));
    const { partitions } = simulationOf(bundle({ autoPartitionSize: 2, autoPartitionThreshold: 1 }), inventory(named));
    expect(partitions.map((partition) => partition.clusters)).toEqual([
      ['Cluster-3', 'cluster-1'],
      ['cluster-10', 'cluster-2'],
    ]);
  });
});

describe('manual partitions', () => {
  const FLEET = [
    ...clusters(2, 'prod', { env: 'prod' }),
    ...clusters(2, 'staging', { env: 'staging' }),
    { name: 'c-m-1', labels: { 'management.cattle.io/cluster-display-name': 'lab' } },
  ];

  function membersOf(partitions: readonly object[], options: object = {}) {
    const groups = [
      { name: 'live', labels: { kind: 'big' }, selector: { matchLabels: { env: 'prod' } } },
      { name: 'nobody', labels: { kind: 'big' } },
      { name: 'broken', labels: { kind: 'big' }, selector: { matchExpressions: [{ key: 'env', operator: 'is' }] } },
    ];
    const simulation = simulationOf(bundle({ partitions }), { ...inventory(FLEET, groups), ...options });
    return [...simulation.partitions.map((partition) => partition.clusters!.join(' ')), `none: ${simulation.unpartitioned!.join(' ')}`];
  }

  test.each([
    ['by label', [{ clusterSelector: { matchLabels: { env: 'staging' } } }], ['staging-001 staging-002', 'none: c-m-1 prod-001 prod-002']],
    ['by name', [{ clusterName: 'prod-001' }], ['prod-001', 'none: c-m-1 prod-002 staging-001 staging-002']],
    ['by the display name in Rancher', [{ clusterName: 'lab' }], ['c-m-1', 'none: prod-001 prod-002 staging-001 staging-002']],
    ['by group', [{ clusterGroup: 'live' }], ['prod-001 prod-002', 'none: c-m-1 staging-001 staging-002']],
    [
      'by labels of groups',
      [{ clusterGroupSelector: { matchLabels: { kind: 'big' } } }],
      ['prod-001 prod-002', 'none: c-m-1 staging-001 staging-002'],
    ],
    ['by {}, which matches every cluster', [{ clusterSelector: {} }], ['c-m-1 prod-001 prod-002 staging-001 staging-002', 'none: ']],
    [
      'by {} of groups, which also matches clusters without a group',
      [{ clusterGroupSelector: {} }],
      ['c-m-1 prod-001 prod-002 staging-001 staging-002', 'none: '],
    ],
    [
      'by several criteria',
      [{ clusterGroup: 'live', clusterName: 'prod-002' }],
      ['prod-002', 'none: c-m-1 prod-001 staging-001 staging-002'],
    ],
    ['without a criterion, which matches nothing', [{ name: 'rest' }], ['', 'none: c-m-1 prod-001 prod-002 staging-001 staging-002']],
    [
      'an empty name is not a criterion',
      [{ clusterName: '', clusterGroup: '' }],
      ['', 'none: c-m-1 prod-001 prod-002 staging-001 staging-002'],
    ],
    [
      'a group without selector has no members',
      [{ clusterGroup: 'nobody' }],
      ['', 'none: c-m-1 prod-001 prod-002 staging-001 staging-002'],
    ],
    [
      'a group with an invalid selector has no members',
      [{ clusterGroup: 'broken' }],
      ['', 'none: c-m-1 prod-001 prod-002 staging-001 staging-002'],
    ],
    [
      'a cluster that matches two is in both',
      [
        { clusterSelector: { matchLabels: { env: 'prod' } } },
        { clusterName: 'prod-002' },
        { clusterSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }] } },
      ],
      ['prod-001 prod-002', 'prod-002', 'c-m-1 staging-001 staging-002', 'none: '],
    ],
  ])('%s', (_, partitions, members) => {
    expect(membersOf(partitions)).toEqual(members);
  });

  test('before Fleet 0.13 a cluster without a group is in no partition, with any criteria', () => {
    expect(membersOf([{ clusterSelector: {} }], { versions: { fleet: '0.12' } })).toEqual([
      'prod-001 prod-002',
      'none: c-m-1 staging-001 staging-002',
    ]);
  });

  test('before Fleet 0.15 the display name does not count', () => {
    expect(membersOf([{ clusterName: 'lab' }], { versions: { fleet: '0.14' } })[0]).toBe('');
  });

  test('autoPartitionSize is not read with manual partitions', () => {
    expect(
      partitionsOf(bundle({ autoPartitionSize: 'abc', partitions: [{ name: 'all', clusterSelector: {} }] }), inventory(clusters(3))),
    ).toEqual(['all 3/3']);
  });

  test('each has its own limit or the rollout’s', () => {
    const partitions = [
      { name: 'staging', maxUnavailable: 1, clusterSelector: { matchLabels: { env: 'staging' } } },
      { name: 'prod', clusterSelector: { matchLabels: { env: 'prod' } } },
      { name: 'empty', maxUnavailable: 5, clusterName: 'nobody' },
    ];
    expect(partitionsOf(bundle({ maxUnavailable: '100%', partitions }), inventory(FLEET))).toEqual([
      'staging 2/1',
      'prod 2/2',
      'empty 0/1',
    ]);
  });
});

test('without clusters there is one partition All with a limit of 1, with any strategy', () => {
  const { install, update, ...figures } = simulationOf(
    bundle({ maxUnavailable: 'abc', partitions: [{ clusterSelector: {} }], maxNew: 3 }),
    inventory([]),
  );
  expect(figures).toEqual({
    kind: 'fleet',
    partitions: [{ name: 'All', count: 0, maxUnavailable: 1, clusters: [] }],
    unpartitionedCount: 0,
    unpartitioned: [],
    maxUnavailable: 1,
    maxUnavailablePartitions: 0,
    maxNew: 50,
  });
  expect([install, update]).toEqual(
    Array.from({ length: 2 }, () => ({ waves: [], done: true, halted: null, notReleasedCount: 0, notReleased: [] })),
  );
});

test('names are left out of partitions that together match the clusters many times, so that aliases do not multiply the output', () => {
  const known = inventory(clusters(100, 'cluster', { env: 'prod' }));
  const firstPartition = (count: number) => {
    const partitions = Array.from({ length: count }, (_, index) => ({
      name: `p${index}`,
      clusterSelector: { matchLabels: { env: 'prod' } },
    }));
    return simulationOf(bundle({ partitions }), known).partitions[0]!;
  };
  expect(firstPartition(20)).toMatchObject({ count: 100, clusters: { length: 100 } });
  expect(firstPartition(21)).not.toHaveProperty('clusters');
});
