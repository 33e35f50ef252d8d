import { simulateDeploymentFrom } from '../../../src/workloads/deployment/simulate-from';
import { Deadline, DeadlineError } from '../../../src/core/budget/deadline';
import { rollOutFrom } from './controller';
import type { Limits, ReplicaSet } from './controller';

/** New pods that are available at the start. */
const NEW = 7;

/** Returns the result of the Deployment controller's loop as a simulation, with every row computed. */
function loopOf(limits: Limits, oldSets: readonly ReplicaSet[]) {
  const newSet = { replicas: NEW, available: NEW };
  const { rows, peak } = rollOutFrom(limits, { newSet, oldSets });
  const waves = rows.map((row, index) => ({ wave: index + 1, ...row }));
  const before = oldSets.reduce((pods, { available }) => pods + available, NEW);
  return {
    kind: 'deployment',
    ...limits,
    waves: rows.length > 1_000 ? [...waves.slice(0, 50), ...waves.slice(-50)] : waves,
    iterations: rows.filter((row, index) => row.newReplicas > (rows[index - 1]?.newReplicas ?? NEW)).length,
    peakPods: peak,
    minAvailable: Math.min(limits.replicas, before, ...rows.map(({ available }) => available)),
    ...(rows.length > 1_000 && { elided: rows.length - 100 }),
  };
}

function simulationOf({ replicas, surge, unavailable }: Limits, oldSets: readonly ReplicaSet[]) {
  const old = oldSets.map((set) => ({ isNew: false, size: set.replicas, available: set.available }));
  const strategy = { type: 'RollingUpdate' as const, rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } };
  return simulateDeploymentFrom(strategy, replicas, [...old, { isNew: true, size: NEW, available: NEW }]);
}

function expectLoop(limits: Limits, oldSets: readonly ReplicaSet[]): void {
  expect(simulationOf(limits, oldSets)).toEqual(loopOf(limits, oldSets));
}

const all = (replicas: number): ReplicaSet => ({ replicas, available: replicas });

test('ends with the time of the budget if several old ReplicaSets shrink in turns, wave by wave', () => {
  const oldSets = [700_000_000, 700_000_000, 700_000_000].map(all);
  const simulate = () => simulationOf({ replicas: 2_000_000_000, surge: 1, unavailable: 0 }, oldSets);
  let looks = 0;
  expect(() => new Deadline(1, () => (++looks > 100 ? 2_000 : 0)).limit(simulate)).toThrow(DeadlineError);
});

describe("a rollout of a Deployment that has started agrees with the controller's loop", () => {
  test.each([
    { surge: 1, unavailable: 0 },
    { surge: 0, unavailable: 1 },
    { surge: 1, unavailable: 1 },
    { surge: 2, unavailable: 1 },
    { surge: 0, unavailable: 3 },
  ])('for about as many waves as are listed in full: $surge surge, $unavailable unavailable', ({ surge, unavailable }) => {
    const step = surge + unavailable;
    for (let waves = 999; waves <= 1_001; waves++) {
      const replicas = waves * step + NEW;
      expectLoop({ replicas, surge, unavailable }, [all(replicas - NEW)]);
    }
  });

  test.each([
    { surge: 1, unavailable: 0 },
    { surge: 0, unavailable: 1 },
    { surge: 2, unavailable: 1 },
    { surge: 0, unavailable: 3 },
  ])('for repeated waves that are skipped: $surge surge, $unavailable unavailable', ({ surge, unavailable }) => {
    const step = surge + unavailable;
    for (const replicas of [1_160, 1_300, 2_000].map((waves) => waves * step)) {
      expectLoop({ replicas, surge, unavailable }, [all(replicas - NEW)]);
      expectLoop({ replicas: replicas + 1, surge, unavailable }, [all(replicas + 1 - NEW)]);
    }
  });

  test('for pods of an older version, with some unavailable', () => {
    expectLoop({ replicas: 1_500, surge: 1, unavailable: 0 }, [all(3), all(1_490)]);
    expectLoop({ replicas: 1_500, surge: 1, unavailable: 0 }, [all(1_490), all(3)]);
    expectLoop({ replicas: 1_500, surge: 0, unavailable: 1 }, [all(1_480), all(13)]);
    expectLoop({ replicas: 20, surge: 1, unavailable: 5 }, [{ replicas: 13, available: 10 }]);
    expectLoop({ replicas: 3_000, surge: 3, unavailable: 40 }, [{ replicas: 2_993, available: 2_990 }]);
  });
});

test('the largest count that the API accepts is not simulated wave by wave, and its figures are exact', () => {
  const { waves, ...figures } = simulationOf({ replicas: 2_147_483_647, surge: 1, unavailable: 0 }, [all(2_147_483_640)]);
  expect(figures).toEqual({
    kind: 'deployment',
    replicas: 2_147_483_647,
    surge: 1,
    unavailable: 0,
    iterations: 2_147_483_640,
    peakPods: 2_147_483_648,
    minAvailable: 2_147_483_647,
    elided: 2_147_483_541,
  });
  expect([waves.length, waves.at(-1)]).toEqual([
    100,
    { wave: 2_147_483_641, newReplicas: 2_147_483_647, oldReplicas: 0, total: 2_147_483_647, available: 2_147_483_647 },
  ]);
});

test('the peak includes pods beyond the replicas, even if enough pods are available', () => {
  const strategy = { type: 'RollingUpdate' as const, rollingUpdate: { maxSurge: 0, maxUnavailable: 5 } };
  expect(simulateDeploymentFrom(strategy, 5, [{ isNew: false, size: 6, available: 5 }])).toMatchObject({ peakPods: 6, minAvailable: 0 });
});

test('the minimum is the current number of available pods if nothing is left to do', () => {
  const strategy = { type: 'RollingUpdate' as const, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const simulation = simulateDeploymentFrom(strategy, 5, [{ isNew: true, size: 5, available: 3 }]);
  expect(simulation).toMatchObject({ waves: [], iterations: 0, peakPods: 5, minAvailable: 3 });
});

test('Recreate has no surge, and every pod may be unavailable', () => {
  const start = [
    { isNew: false, size: 3, available: 2 },
    { isNew: true, size: 1, available: 1 },
  ];
  expect(simulateDeploymentFrom({ type: 'Recreate' }, 4, start)).toEqual({
    kind: 'deployment',
    replicas: 4,
    surge: 0,
    unavailable: 4,
    waves: [
      { wave: 1, newReplicas: 1, oldReplicas: 0, total: 1, available: 1 },
      { wave: 2, newReplicas: 4, oldReplicas: 0, total: 4, available: 1 },
    ],
    iterations: 1,
    peakPods: 4,
    minAvailable: 1,
  });
});
