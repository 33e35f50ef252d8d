import * as fc from 'fast-check';
import { simulateRollbackSteps, simulateIncrementalUpgrade, simulateUpgradeSteps } from '../../../src/systems/kuberay/simulate';
import { isRolledBack } from '../../../src/systems/kuberay/upgrade-loop';
import { incremental, simulationOf, table } from './plan';

describe('reverted with half of the traffic moved', () => {
  test('KubeRay rolls back in the same steps and ends where the upgrade began', () => {
    const { rollback } = simulationOf(incremental());
    expect(rollback!.durationSeconds).toBe(100);
    expect(`\n${table(rollback!.steps)}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0      60      60 |     50      50
  10      60      60 |     55      45
  20      60      60 |     60      40
  20      80      40 |     60      40
  30      80      40 |     65      35
  40      80      40 |     70      30
  50      80      40 |     75      25
  60      80      40 |     80      20
  60     100      20 |     80      20
  70     100      20 |     85      15
  80     100      20 |     90      10
  90     100      20 |     95       5
 100     100      20 |    100       0
 100     100       0 |    100       0
"
`);
  });

  test('with blue and green the traffic returns at once, then the new cluster is emptied', () => {
    const { rollback } = simulationOf(incremental({ maxSurgePercent: 100, stepSizePercent: 100 }));
    expect(`\n${table(rollback!.steps)}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0     100     100 |      0     100
  10     100     100 |    100       0
  10     100       0 |    100       0
"
`);
  });

  test.each([
    ['1.5.1', false],
    ['1.6', true],
    ['1.7', true],
  ])('KubeRay %s can roll back: %s', (kuberay, can) => {
    expect('rollback' in simulationOf(incremental(), { versions: { kuberay } })).toBe(can);
  });
});

test('an upgrade without other options can be reverted', () => {
  const { rollback } = simulateIncrementalUpgrade({ maxSurgePercent: 100, stepSizePercent: 100, intervalSeconds: 10 });
  expect(rollback!.durationSeconds).toBe(10);
  expect(rollback!.steps).toHaveLength(3);
});

test.each([
  ['all traffic on a full old cluster', [100, 100, 0, 0], true, true],
  ['a new cluster that still has capacity', [100, 100, 20, 0], true, false],
  ['the same, without its head', [100, 100, 20, 0], false, true],
  ['traffic that has not returned, without the head', [100, 90, 20, 10], false, false],
  ['an old cluster without full capacity', [80, 100, 0, 0], true, false],
] as const)('%s', (_what, [activeTargetCapacity, activeTraffic, pendingTargetCapacity, pendingTraffic], headReady, isBack) => {
  expect(isRolledBack({ activeTargetCapacity, activeTraffic, pendingTargetCapacity, pendingTraffic }, headReady)).toBe(isBack);
});

describe('a surge that does not divide 100, reverted in the last chunk', () => {
  test('cuts the capacity of the new cluster below its traffic', () => {
    const pace = { maxSurgePercent: 30, stepSizePercent: 10, intervalSeconds: 10 };
    const upgrade = simulateUpgradeSteps(pace);
    const reverted = upgrade.findIndex((row) => row.pendingTargetCapacity === 100);
    expect(`\n${table(simulateRollbackSteps(upgrade, reverted, pace))}\n`).toMatchInlineSnapshot(`
"
   s  active pending | active pending
   0      10     100 |     10      90
   0      40      70 |     10      90
  10      40      70 |     20      80
  20      40      70 |     30      70
  30      40      70 |     40      60
  30      70      40 |     40      60
  40      70      40 |     50      50
  50      70      40 |     60      40
  60      70      40 |     70      30
  60     100      10 |     70      30
  70     100      10 |     80      20
  80     100      10 |     90      10
  90     100      10 |    100       0
  90     100       0 |    100       0
"
`);
  });
});

const pace = fc
  .record({
    maxSurgePercent: fc.integer({ min: 1, max: 100 }),
    stepSizePercent: fc.integer({ min: 1, max: 100 }),
    intervalSeconds: fc.integer({ min: 1, max: 3600 }),
  })
  .filter(({ maxSurgePercent, stepSizePercent }) => stepSizePercent <= maxSurgePercent);

test('a rollback from any row of any upgrade ends on the full old cluster and never exceeds 100% plus the surge', () => {
  fc.assert(
    fc.property(pace, fc.double({ min: 0, max: 0.999, noNaN: true }), (chosen, where) => {
      const upgrade = simulateUpgradeSteps(chosen);
      // The last row is the promotion. After it there is no old cluster to roll back to.
      const from = Math.floor(where * (upgrade.length - 1));
      const steps = simulateRollbackSteps(upgrade, from, chosen);
      expect(steps[0]).toEqual({ ...upgrade[from], elapsedSeconds: 0 });
      expect(steps.at(-1)).toMatchObject({ activeTargetCapacity: 100, pendingTargetCapacity: 0, activeTraffic: 100, pendingTraffic: 0 });
      for (const row of steps) {
        expect(row.activeTargetCapacity + row.pendingTargetCapacity).toBeLessThanOrEqual(100 + chosen.maxSurgePercent);
        expect(row.activeTraffic).toBeLessThanOrEqual(row.activeTargetCapacity);
        expect(row.activeTraffic + row.pendingTraffic).toBe(100);
      }
    }),
  );
});
