import * as fc from 'fast-check';
import { simulateDeployment } from '../../../src/workloads/deployment/simulate';
import { resolveFenceposts } from '../../../src/workloads/deployment/strategy';
import { iterationsOf, rollOut } from './controller';
import { scaleRuns } from '../../setup/scale-runs';

/** Returns the result of the Deployment controller's loop as a simulation. */
function loopOf(maxSurge: number, maxUnavailable: number, replicas: number) {
  const resolved = resolveFenceposts({ maxSurge, maxUnavailable }, replicas);
  const limits = { replicas, surge: resolved.surge, unavailable: Math.min(resolved.unavailable, replicas) };
  const rows = rollOut(limits);
  return {
    kind: 'deployment',
    ...limits,
    waves: rows.map((row, index) => ({ wave: index + 1, ...row })),
    iterations: iterationsOf(rows),
    peakPods: Math.max(replicas, ...rows.map((row) => row.total)),
    minAvailable: Math.min(replicas, ...rows.map((row) => row.available)),
  };
}

function simulationOf(maxSurge: number, maxUnavailable: number, replicas: number) {
  return simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }, replicas);
}

describe("a Deployment's closed forms and the controller's loop agree", () => {
  test('for every setting up to 25 replicas, surge and unavailable up to 3 above them', () => {
    let settings = 0;
    for (let replicas = 0; replicas <= 25; replicas++) {
      for (let surge = 0; surge <= replicas + 3; surge++) {
        for (let unavailable = 0; unavailable <= replicas + 3; unavailable++) {
          expect(simulationOf(surge, unavailable, replicas)).toEqual(loopOf(surge, unavailable, replicas));
          settings++;
        }
      }
    }
    expect(settings).toBe(8_541);
  });

  test('for random larger settings', () => {
    const pods = fc.integer({ min: 0, max: 300 });
    fc.assert(
      fc.property(pods, pods, pods, (replicas, surge, unavailable) => {
        expect(simulationOf(surge, unavailable, replicas)).toEqual(loopOf(surge, unavailable, replicas));
      }),
      { numRuns: scaleRuns(1_000) },
    );
  });

  test('on the bounds for any size: never above the peak, never below the minimum, all pods new at the end', () => {
    const pods = fc.integer({ min: 0, max: 2_147_483_647 });
    const percent = fc.integer({ min: 0, max: 100 }).map((share) => `${share}%` as const);
    const limit = fc.oneof(pods, percent);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), limit, limit, (replicas, maxSurge, maxUnavailable) => {
        const simulation = simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }, replicas);
        const { waves, peakPods, minAvailable, surge, unavailable, iterations, elided = 0 } = simulation;
        expect(Math.max(...waves.map((row) => row.total), replicas)).toBe(peakPods);
        expect(Math.min(...waves.map((row) => row.available), replicas)).toBe(minAvailable);
        expect(peakPods).toBeLessThanOrEqual(replicas + surge);
        expect(minAvailable).toBe(replicas - unavailable);
        expect(waves.at(-1)).toMatchObject({ wave: waves.length + elided, newReplicas: replicas, oldReplicas: 0 });
        expect(iterations).toBe(Math.ceil(replicas / (surge + unavailable)));
      }),
      { numRuns: scaleRuns(500) },
    );
  });
});
