import { incremental, simulationOf, table } from './plan';

/** Returns the fields of a simulation other than its rows. */
function figures(object: object, options?: Parameters<typeof simulationOf>[1]) {
  const { outcome, durationSeconds, capacityChanges, trafficShifts, peakCapacityPercent } = simulationOf(object, options);
  return { outcome, durationSeconds, capacityChanges, trafficShifts, peakCapacityPercent };
}

function rows(object: object, options?: Parameters<typeof simulationOf>[1]): string {
  return table(simulationOf(object, options).steps);
}

/** Returns a Serve config with one deployment with these scaling fields. */
function deployments(scale: object): object {
  return { serveConfigV2: JSON.stringify({ applications: [{ name: 'app', import_path: 'a:b', deployments: [{ name: 'D', ...scale }] }] }) };
}

describe("the guide's example upgrade: surge 20, step 5, interval 10", () => {
  const guide = incremental({ maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 });

  test('takes 200 s with 20 traffic shifts and 10 capacity changes, and peaks at 120%', () => {
    expect(figures(guide)).toEqual({
      outcome: 'promoted',
      durationSeconds: 200,
      capacityChanges: 10,
      trafficShifts: 20,
      peakCapacityPercent: 120,
    });
  });

  test('runs row by row', () => {
    expect(`\n${rows(guide)}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
   0     100      20 |    100       0
  10     100      20 |     95       5
  20     100      20 |     90      10
  30     100      20 |     85      15
  40     100      20 |     80      20
  40      80      20 |     80      20
  40      80      40 |     80      20
  50      80      40 |     75      25
  60      80      40 |     70      30
  70      80      40 |     65      35
  80      80      40 |     60      40
  80      60      40 |     60      40
  80      60      60 |     60      40
  90      60      60 |     55      45
 100      60      60 |     50      50
 110      60      60 |     45      55
 120      60      60 |     40      60
 120      40      60 |     40      60
 120      40      80 |     40      60
 130      40      80 |     35      65
 140      40      80 |     30      70
 150      40      80 |     25      75
 160      40      80 |     20      80
 160      20      80 |     20      80
 160      20     100 |     20      80
 170      20     100 |     15      85
 180      20     100 |     10      90
 190      20     100 |      5      95
 200      20     100 |      0     100
 200       0     100 |      0     100
"
`);
  });
});

describe('surge and step that do not divide 100: the last step and the last chunk are the rest', () => {
  test('surge 33, step 7', () => {
    const object = incremental({ maxSurgePercent: 33, stepSizePercent: 7 });
    expect(figures(object)).toMatchInlineSnapshot(`
{
  "capacityChanges": 8,
  "durationSeconds": 160,
  "outcome": "promoted",
  "peakCapacityPercent": 133,
  "trafficShifts": 16,
}
`);
    expect(`\n${rows(object)}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
   0     100      33 |    100       0
  10     100      33 |     93       7
  20     100      33 |     86      14
  30     100      33 |     79      21
  40     100      33 |     72      28
  50     100      33 |     67      33
  50      67      33 |     67      33
  50      67      66 |     67      33
  60      67      66 |     60      40
  70      67      66 |     53      47
  80      67      66 |     46      54
  90      67      66 |     39      61
 100      67      66 |     34      66
 100      34      66 |     34      66
 100      34      99 |     34      66
 110      34      99 |     27      73
 120      34      99 |     20      80
 130      34      99 |     13      87
 140      34      99 |      6      94
 150      34      99 |      1      99
 150       1      99 |      1      99
 150       1     100 |      1      99
 160       1     100 |      0     100
 160       0     100 |      0     100
"
`);
  });

  test('surge 20, step 15', () => {
    const object = incremental({ maxSurgePercent: 20, stepSizePercent: 15 });
    expect(figures(object)).toMatchInlineSnapshot(`
{
  "capacityChanges": 10,
  "durationSeconds": 100,
  "outcome": "promoted",
  "peakCapacityPercent": 120,
  "trafficShifts": 10,
}
`);
    expect(`\n${rows(object)}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
   0     100      20 |    100       0
  10     100      20 |     85      15
  20     100      20 |     80      20
  20      80      20 |     80      20
  20      80      40 |     80      20
  30      80      40 |     65      35
  40      80      40 |     60      40
  40      60      40 |     60      40
  40      60      60 |     60      40
  50      60      60 |     45      55
  60      60      60 |     40      60
  60      40      60 |     40      60
  60      40      80 |     40      60
  70      40      80 |     25      75
  80      40      80 |     20      80
  80      20      80 |     20      80
  80      20     100 |     20      80
  90      20     100 |      5      95
 100      20     100 |      0     100
 100       0     100 |      0     100
"
`);
  });

  test('surge 7, step 7', () => {
    const object = incremental({ maxSurgePercent: 7, stepSizePercent: 7 });
    expect(figures(object)).toMatchInlineSnapshot(`
{
  "capacityChanges": 30,
  "durationSeconds": 150,
  "outcome": "promoted",
  "peakCapacityPercent": 107,
  "trafficShifts": 15,
}
`);
    expect(`\n${rows(object)}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
   0     100       7 |    100       0
  10     100       7 |     93       7
  10      93       7 |     93       7
  10      93      14 |     93       7
  20      93      14 |     86      14
  20      86      14 |     86      14
  20      86      21 |     86      14
  30      86      21 |     79      21
  30      79      21 |     79      21
  30      79      28 |     79      21
  40      79      28 |     72      28
  40      72      28 |     72      28
  40      72      35 |     72      28
  50      72      35 |     65      35
  50      65      35 |     65      35
  50      65      42 |     65      35
  60      65      42 |     58      42
  60      58      42 |     58      42
  60      58      49 |     58      42
  70      58      49 |     51      49
  70      51      49 |     51      49
  70      51      56 |     51      49
  80      51      56 |     44      56
  80      44      56 |     44      56
  80      44      63 |     44      56
  90      44      63 |     37      63
  90      37      63 |     37      63
  90      37      70 |     37      63
 100      37      70 |     30      70
 100      30      70 |     30      70
 100      30      77 |     30      70
 110      30      77 |     23      77
 110      23      77 |     23      77
 110      23      84 |     23      77
 120      23      84 |     16      84
 120      16      84 |     16      84
 120      16      91 |     16      84
 130      16      91 |      9      91
 130       9      91 |      9      91
 130       9      98 |      9      91
 140       9      98 |      2      98
 140       2      98 |      2      98
 140       2     100 |      2      98
 150       2     100 |      0     100
 150       0     100 |      0     100
"
`);
  });

  test('surge 1, step 1', () => {
    const object = incremental({ maxSurgePercent: 1, stepSizePercent: 1, intervalSeconds: 1 });
    expect(figures(object)).toMatchInlineSnapshot(`
{
  "capacityChanges": 200,
  "durationSeconds": 100,
  "outcome": "promoted",
  "peakCapacityPercent": 101,
  "trafficShifts": 100,
}
`);
    const lines = rows(object).split('\n');
    expect(lines).toHaveLength(1 + 301);
    expect(lines).toMatchSnapshot('every row');
    expect(`\n${[...lines.slice(0, 8), '…', ...lines.slice(-7)].join('\n')}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
   0     100       1 |    100       0
   1     100       1 |     99       1
   1      99       1 |     99       1
   1      99       2 |     99       1
   2      99       2 |     98       2
   2      98       2 |     98       2
…
  98       2      98 |      2      98
  98       2      99 |      2      98
  99       2      99 |      1      99
  99       1      99 |      1      99
  99       1     100 |      1      99
 100       1     100 |      0     100
 100       0     100 |      0     100
"
`);
  });

  test('surge 100, step 100: blue and green, with one interval before the switch', () => {
    const object = incremental({ maxSurgePercent: 100, stepSizePercent: 100 });
    expect(figures(object)).toMatchInlineSnapshot(`
{
  "capacityChanges": 2,
  "durationSeconds": 10,
  "outcome": "promoted",
  "peakCapacityPercent": 200,
  "trafficShifts": 1,
}
`);
    expect(`\n${rows(object)}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
   0     100     100 |    100       0
  10     100     100 |      0     100
  10       0     100 |      0     100
"
`);
  });
});

describe('an upgrade that deadlocks is stalled, with the rows until then', () => {
  test('no surge: the new cluster never gets capacity', () => {
    const object = incremental({ maxSurgePercent: 0, stepSizePercent: 0 });
    expect(figures(object)).toEqual({
      outcome: 'stalled',
      durationSeconds: 0,
      capacityChanges: 0,
      trafficShifts: 0,
      peakCapacityPercent: 100,
    });
    expect(simulationOf(object).steps).toEqual([
      { elapsedSeconds: 0, activeTargetCapacity: 100, pendingTargetCapacity: 0, activeTraffic: 100, pendingTraffic: 0 },
    ]);
  });

  test('no step: the new cluster has its first capacity and no traffic', () => {
    const object = incremental({ stepSizePercent: 0 });
    expect(figures(object)).toEqual({
      outcome: 'stalled',
      durationSeconds: 0,
      capacityChanges: 1,
      trafficShifts: 0,
      peakCapacityPercent: 120,
    });
    expect(simulationOf(object).steps.at(-1)).toEqual({
      elapsedSeconds: 0,
      activeTargetCapacity: 100,
      pendingTargetCapacity: 20,
      activeTraffic: 100,
      pendingTraffic: 0,
    });
    expect(simulationOf(object).rollback).toBeUndefined();
  });
});

describe('a fractional target_capacity stops the upgrade when its integer part is due, surge 20, step 20', () => {
  const stopped = (capacity: number) =>
    simulationOf(incremental({ stepSizePercent: 20 }, { serveConfigV2: `target_capacity: ${capacity}\napplications: []\n` }));

  test('on the new cluster', () => {
    expect(stopped(40.5).outcome).toBe('stalled');
    expect(`\n${table(stopped(40.5).steps)}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
   0     100      20 |    100       0
  10     100      20 |     80      20
  10      80      20 |     80      20
"
`);
  });

  test('on the old cluster', () => {
    expect(stopped(60.5).outcome).toBe('stalled');
    expect(`\n${table(stopped(60.5).steps)}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
   0     100      20 |    100       0
  10     100      20 |     80      20
  10      80      20 |     80      20
  10      80      40 |     80      20
  20      80      40 |     60      40
"
`);
  });

  test('above 100 at the last capacity increase, not at the start, where the old cluster already has it', () => {
    expect(stopped(100.5).outcome).toBe('stalled');
    expect(stopped(100.5).steps.at(-1)).toEqual({
      elapsedSeconds: 40,
      activeTargetCapacity: 20,
      pendingTargetCapacity: 80,
      activeTraffic: 20,
      pendingTraffic: 80,
    });
  });

  test('below 1 before the old cluster is empty', () => {
    expect(stopped(0.5).outcome).toBe('stalled');
    expect(stopped(0.5).steps.at(-1)).toEqual({
      elapsedSeconds: 50,
      activeTargetCapacity: 20,
      pendingTargetCapacity: 100,
      activeTraffic: 0,
      pendingTraffic: 100,
    });
  });

  test('nowhere, if the upgrade never sets it', () => {
    expect(stopped(50.5)).toEqual(simulationOf(incremental({ stepSizePercent: 20 })));
  });
});

describe('a step above the surge', () => {
  const object = incremental({ maxSurgePercent: 20, stepSizePercent: 40 });

  test.each(['1.5.1', '1.6'])('is capped by KubeRay %s: an entire chunk moves at once', (kuberay) => {
    expect(figures(object, { versions: { kuberay } })).toEqual({
      outcome: 'promoted',
      durationSeconds: 50,
      capacityChanges: 10,
      trafficShifts: 5,
      peakCapacityPercent: 120,
    });
  });

  test('is refused by KubeRay 1.7', () => {
    expect(() => simulationOf(object)).toThrow('not simulated');
  });
});

describe('with pods that take 30 s to become ready', () => {
  const startupSeconds = 30;

  test('the head starts first, then the pods of every capacity increase: a fixed number of replicas is not RUNNING before it is up', () => {
    const object = incremental({ maxSurgePercent: 50, stepSizePercent: 25 }, deployments({ num_replicas: 10 }));
    expect(`\n${rows(object, { startupSeconds })}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
  30     100      50 |    100       0
  60     100      50 |     75      25
  70     100      50 |     50      50
  70      50      50 |     50      50
  70      50     100 |     50      50
 100      50     100 |     25      75
 110      50     100 |      0     100
 110       0     100 |      0     100
"
`);
  });

  test('the upgrade waits only once for replicas of the Serve autoscaler: the application stays RUNNING while later ones start', () => {
    const object = incremental(
      { maxSurgePercent: 50, stepSizePercent: 25 },
      deployments({ autoscaling_config: { min_replicas: 1, max_replicas: 10 } }),
    );
    expect(`\n${rows(object, { startupSeconds })}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
  30     100      50 |    100       0
  60     100      50 |     75      25
  70     100      50 |     50      50
  70      50      50 |     50      50
  70      50     100 |     50      50
  80      50     100 |     25      75
  90      50     100 |      0     100
  90       0     100 |      0     100
"
`);
  });

  test.each([
    ['a fixed number', { num_replicas: 10 }, 110],
    ['a range', { autoscaling_config: { max_replicas: 10 } }, 90],
    ['num_replicas: auto, which implies a range', { num_replicas: 'auto' }, 90],
  ])('%s of replicas', (_what, scale, seconds) => {
    const object = incremental({ maxSurgePercent: 50, stepSizePercent: 25 }, deployments(scale));
    expect(simulationOf(object, { startupSeconds }).durationSeconds).toBe(seconds);
  });

  test('an interval longer than the start-up hides every start-up except the head', () => {
    const object = incremental({ intervalSeconds: 60 }, deployments({ num_replicas: 10 }));
    expect(simulationOf(object, { startupSeconds }).durationSeconds).toBe(simulationOf(object).durationSeconds);
  });

  test('NewCluster is promoted when its pods are ready', () => {
    const { steps, durationSeconds } = simulationOf(
      { ...incremental(), spec: { upgradeStrategy: { type: 'NewCluster' } } },
      { startupSeconds },
    );
    expect(durationSeconds).toBe(30);
    expect(`\n${table(steps)}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100       0 |    100       0
  30       0     100 |      0     100
"
`);
  });
});

describe('the other types', () => {
  test.each([
    ['NewCluster', { type: 'NewCluster' }],
    ['no type', {}],
    ['no upgradeStrategy', undefined],
  ])('%s: a full second cluster, then all traffic at once', (_name, upgradeStrategy) => {
    const object = { ...incremental(), spec: { upgradeStrategy, rayClusterConfig: {} } };
    expect(simulationOf(object)).toEqual({
      kind: 'rayservice',
      type: 'NewCluster',
      outcome: 'promoted',
      steps: [
        { elapsedSeconds: 0, activeTargetCapacity: 100, pendingTargetCapacity: 0, activeTraffic: 100, pendingTraffic: 0 },
        { elapsedSeconds: 0, activeTargetCapacity: 0, pendingTargetCapacity: 100, activeTraffic: 0, pendingTraffic: 100 },
      ],
      durationSeconds: 0,
      capacityChanges: 1,
      trafficShifts: 1,
      peakCapacityPercent: 200,
    });
  });

  test('None: nothing happens', () => {
    expect(simulationOf({ ...incremental(), spec: { upgradeStrategy: { type: 'None' } } })).toEqual({
      kind: 'rayservice',
      type: 'None',
      outcome: 'none',
      steps: [],
      durationSeconds: 0,
      capacityChanges: 0,
      trafficShifts: 0,
      peakCapacityPercent: 100,
    });
  });
});
