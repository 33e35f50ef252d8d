import type { IntOrPercent } from '../../../src/core/values/int-or-percent';
import type { DeploymentSimulation } from '../../../src/core/simulations/deployment';
import { simulateDeployment } from '../../../src/workloads/deployment/simulate';
import { defaultDeploymentStrategy } from '../../../src/workloads/deployment/strategy';

function rollingUpdate(replicas: number, maxSurge?: IntOrPercent, maxUnavailable?: IntOrPercent): DeploymentSimulation {
  return simulateDeployment(defaultDeploymentStrategy({ rollingUpdate: { maxSurge, maxUnavailable } }), replicas);
}

test('new pods are created and old ones deleted wave by wave; a last wave may only delete pods', () => {
  expect(rollingUpdate(4, 1, 0)).toEqual({
    kind: 'deployment',
    replicas: 4,
    surge: 1,
    unavailable: 0,
    waves: [
      { wave: 1, newReplicas: 1, oldReplicas: 4, total: 5, available: 4 },
      { wave: 2, newReplicas: 2, oldReplicas: 3, total: 5, available: 4 },
      { wave: 3, newReplicas: 3, oldReplicas: 2, total: 5, available: 4 },
      { wave: 4, newReplicas: 4, oldReplicas: 1, total: 5, available: 4 },
      { wave: 5, newReplicas: 4, oldReplicas: 0, total: 4, available: 4 },
    ],
    iterations: 4,
    peakPods: 5,
    minAvailable: 4,
  });
});

test('without replicas there is no wave, regardless of surge', () => {
  expect(rollingUpdate(0, 1, 0)).toEqual({
    kind: 'deployment',
    replicas: 0,
    surge: 1,
    unavailable: 0,
    waves: [],
    iterations: 0,
    peakPods: 0,
    minAvailable: 0,
  });
});

test('the first wave creates and deletes before any new pod is ready', () => {
  // The example in rolling.go: 10 replicas, surge 3, unavailable 2. From k/k#95498: 15 replicas, 25%/25%.
  expect(rollingUpdate(10, 3, 2).waves[0]).toEqual({ wave: 1, newReplicas: 5, oldReplicas: 8, total: 13, available: 8 });
  expect(rollingUpdate(15).waves[0]).toEqual({ wave: 1, newReplicas: 7, oldReplicas: 12, total: 19, available: 12 });
});

test('the default 25%/25%: surge is rounded up, unavailable down, so with up to 3 replicas no pod may be unavailable', () => {
  const resolved = [1, 2, 3, 4, 5, 6, 7, 8, 10, 15].map((replicas) => {
    const { surge, unavailable } = rollingUpdate(replicas);
    return `${replicas}: ${surge}/${unavailable}`;
  });
  expect(resolved).toEqual(['1: 1/0', '2: 1/0', '3: 1/0', '4: 1/1', '5: 2/1', '6: 2/1', '7: 2/1', '8: 2/2', '10: 3/2', '15: 4/3']);
});

test('if both limits are 0, the controller deletes one pod at a time', () => {
  expect(rollingUpdate(3, 0, '25%')).toMatchObject({ surge: 0, unavailable: 1, iterations: 3, peakPods: 3, minAvailable: 2 });
});

test('unavailable is limited to the replicas, surge is not', () => {
  expect(rollingUpdate(2, '500%', 50)).toEqual({
    kind: 'deployment',
    replicas: 2,
    surge: 10,
    unavailable: 2,
    waves: [{ wave: 1, newReplicas: 2, oldReplicas: 0, total: 2, available: 0 }],
    iterations: 1,
    peakPods: 2,
    minAvailable: 0,
  });
});

test('with a surge of all replicas, all new pods are created before the old ones are deleted', () => {
  expect(rollingUpdate(3, '100%', 0)).toMatchObject({
    waves: [
      { wave: 1, newReplicas: 3, oldReplicas: 3, total: 6, available: 3 },
      { wave: 2, newReplicas: 3, oldReplicas: 0, total: 3, available: 3 },
    ],
    iterations: 1,
    peakPods: 6,
    minAvailable: 3,
  });
});

test('Recreate deletes all pods, then creates all new ones', () => {
  expect(simulateDeployment({ type: 'Recreate' }, 3)).toEqual({
    kind: 'deployment',
    replicas: 3,
    surge: 0,
    unavailable: 3,
    waves: [
      { wave: 1, newReplicas: 0, oldReplicas: 0, total: 0, available: 0 },
      { wave: 2, newReplicas: 3, oldReplicas: 0, total: 3, available: 0 },
    ],
    iterations: 1,
    peakPods: 3,
    minAvailable: 0,
  });
});

test('0 replicas: nothing happens', () => {
  const nothing = { kind: 'deployment', replicas: 0, surge: 0, unavailable: 0, waves: [], iterations: 0, peakPods: 0, minAvailable: 0 };
  expect(rollingUpdate(0)).toEqual(nothing);
  expect(simulateDeployment({ type: 'Recreate' }, 0)).toEqual(nothing);
});

describe('long rollouts', () => {
  test('1,000 waves are listed in full', () => {
    const simulation = rollingUpdate(1_000, 0, 1);
    expect(simulation.waves).toHaveLength(1_000);
    expect(simulation).not.toHaveProperty('elided');
  });

  test('the first and last 50 of 1,001 waves are listed', () => {
    const { waves, elided } = rollingUpdate(1_001, 0, 1);
    expect(waves.map((row) => row.wave)).toEqual([...range(1, 50), ...range(952, 1_001)]);
    expect(elided).toBe(901);
    expect(waves.at(-1)).toEqual({ wave: 1_001, newReplicas: 1_001, oldReplicas: 0, total: 1_001, available: 1_000 });
  });

  test('the largest count that the API accepts, one pod at a time: figures are exact, with rows at both ends', () => {
    const { waves, ...figures } = rollingUpdate(2_147_483_647, 1, 0);
    expect(figures).toEqual({
      kind: 'deployment',
      replicas: 2_147_483_647,
      surge: 1,
      unavailable: 0,
      iterations: 2_147_483_647,
      peakPods: 2_147_483_648,
      minAvailable: 2_147_483_647,
      elided: 2_147_483_548,
    });
    expect(waves).toHaveLength(100);
    expect(waves.at(-1)).toMatchObject({ wave: 2_147_483_648, newReplicas: 2_147_483_647, oldReplicas: 0 });
  });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
