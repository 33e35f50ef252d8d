import * as fc from 'fast-check';
import { simulateIncrementalUpgrade, simulateUpgradeSteps } from '../../../src/systems/kuberay/simulate';

/** Every pair 1 <= step <= surge <= 100. */
const PAIRS = Array.from({ length: 100 }, (_, index) => index + 1).flatMap((surge) =>
  Array.from({ length: surge }, (_, index) => ({ maxSurgePercent: surge, stepSizePercent: index + 1 })),
);

/** Counts the shifts of every full chunk and of the rest of 100. 20/5: 5 × 4; 33/7: 3 × 5 + 1. */
function shifts({ maxSurgePercent: surge, stepSizePercent: step }: (typeof PAIRS)[number]): number {
  return Math.floor(100 / surge) * Math.ceil(surge / step) + Math.ceil((100 % surge) / step);
}

test('closed form and simulation agree for all 5,050 pairs of step and surge', () => {
  expect(PAIRS).toHaveLength(5_050);
  const differing = PAIRS.filter((pair) => {
    const simulation = simulateIncrementalUpgrade({ ...pair, intervalSeconds: 10 });
    const chunks = Math.ceil(100 / pair.maxSurgePercent);
    const expected = {
      outcome: 'promoted',
      durationSeconds: 10 * shifts(pair),
      trafficShifts: shifts(pair),
      capacityChanges: 2 * chunks,
      peakCapacityPercent: 100 + pair.maxSurgePercent,
      rows: 1 + shifts(pair) + 2 * chunks,
    };
    const actual = { ...simulation, rows: simulation.steps.length };
    return Object.entries(expected).some(([figure, value]) => actual[figure as keyof typeof expected] !== value);
  });
  expect(differing).toEqual([]);
});

test('in every upgrade the capacity stays between 100 and 100 plus the surge, and traffic within the capacity of its cluster', () => {
  const broken = PAIRS.filter((pair) => {
    const rows = simulateUpgradeSteps({ ...pair, intervalSeconds: 1 });
    return rows.some((row, index) => {
      const total = row.activeTargetCapacity + row.pendingTargetCapacity;
      return (
        total < 100 ||
        total > 100 + pair.maxSurgePercent ||
        row.activeTraffic > row.activeTargetCapacity ||
        row.pendingTraffic > row.pendingTargetCapacity ||
        row.activeTraffic + row.pendingTraffic !== 100 ||
        (index > 0 && row.elapsedSeconds < rows[index - 1]!.elapsedSeconds)
      );
    });
  });
  expect(broken).toEqual([]);
});

test('pods that start slowly delay an upgrade and change only the times of its rows', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PAIRS),
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 0, max: 600 }),
      fc.integer({ min: 0, max: 600 }),
      fc.boolean(),
      (pair, intervalSeconds, headSeconds, workerSeconds, everyRaiseWaits) => {
        const chosen = { ...pair, intervalSeconds };
        const ideal = simulateUpgradeSteps(chosen);
        const slow = simulateUpgradeSteps(chosen, { headSeconds, workerSeconds, waitsForEveryRaise: everyRaiseWaits });
        expect(slow).toEqual(ideal.map((row, index) => ({ ...row, elapsedSeconds: slow[index]!.elapsedSeconds })));
        for (const [index, row] of slow.entries()) expect(row.elapsedSeconds).toBeGreaterThanOrEqual(ideal[index]!.elapsedSeconds);

        const chunks = Math.ceil(100 / pair.maxSurgePercent);
        const firstShift = Math.max(intervalSeconds, headSeconds + workerSeconds) - intervalSeconds;
        const laterWaits = everyRaiseWaits ? (chunks - 1) * Math.max(0, workerSeconds - intervalSeconds) : 0;
        expect(slow.at(-1)!.elapsedSeconds).toBe(ideal.at(-1)!.elapsedSeconds + firstShift + laterWaits);
      },
    ),
  );
});
