import { simulateDeploymentFrom } from '../../../src/workloads/deployment/simulate-from';
import { rollOutFrom } from './controller';
import type { Limits, ReplicaSet } from './controller';

/** Pods of the new version that are there and available when it begins. */
const NEW = 7;

/** What the loop of the Deployment controller comes to, whose rows are counted out one by one, in the terms of a simulation. */
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

describe("a Deployment's rollout that has begun, and the controller's loop counted out, agree", () => {
  test.each([
    { surge: 1, unavailable: 0 },
    { surge: 0, unavailable: 1 },
    { surge: 1, unavailable: 1 },
    { surge: 2, unavailable: 1 },
    { surge: 0, unavailable: 3 },
  ])('where it has about as many waves as stand whole: $surge surge, $unavailable unavailable', ({ surge, unavailable }) => {
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
  ])('where waves in the middle are alike and most are left out: $surge surge, $unavailable unavailable', ({ surge, unavailable }) => {
    const step = surge + unavailable;
    for (const replicas of [1_160, 1_300, 2_000].map((waves) => waves * step)) {
      expectLoop({ replicas, surge, unavailable }, [all(replicas - NEW)]);
      expectLoop({ replicas: replicas + 1, surge, unavailable }, [all(replicas + 1 - NEW)]);
    }
  });

  test('where an older version has pods as well, and some are not available', () => {
    expectLoop({ replicas: 1_500, surge: 1, unavailable: 0 }, [all(3), all(1_490)]);
    expectLoop({ replicas: 1_500, surge: 1, unavailable: 0 }, [all(1_490), all(3)]);
    expectLoop({ replicas: 1_500, surge: 0, unavailable: 1 }, [all(1_480), all(13)]);
    expectLoop({ replicas: 20, surge: 1, unavailable: 5 }, [{ replicas: 13, available: 10 }]);
    expectLoop({ replicas: 3_000, surge: 3, unavailable: 40 }, [{ replicas: 2_993, available: 2_990 }]);
  });
});

test('the largest count that the API takes is not counted out, and its figures are exact', () => {
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

test('more pods than are wanted are as many as there are at once, though as many as are wanted are available', () => {
  const strategy = { type: 'RollingUpdate' as const, rollingUpdate: { maxSurge: 0, maxUnavailable: 5 } };
  expect(simulateDeploymentFrom(strategy, 5, [{ isNew: false, size: 6, available: 5 }])).toMatchObject({ peakPods: 6, minAvailable: 0 });
});

test('where nothing is left to do, as few pods are available as are now', () => {
  const strategy = { type: 'RollingUpdate' as const, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const simulation = simulateDeploymentFrom(strategy, 5, [{ isNew: true, size: 5, available: 3 }]);
  expect(simulation).toMatchObject({ waves: [], iterations: 0, peakPods: 5, minAvailable: 3 });
});

test('of type Recreate nothing surges, and every pod may be gone', () => {
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
