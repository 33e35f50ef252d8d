import * as fc from 'fast-check';
import { computeDeploymentOutcome } from '../../../src/workloads/deployment/outcome';
import { simulateDeployment } from '../../../src/workloads/deployment/simulate';
import { scaleRuns } from '../../setup/scale-runs';

function rolling(replicas: number, maxSurge: number, maxUnavailable: number) {
  return simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }, replicas);
}

function outcomeOf(simulation: ReturnType<typeof rolling>, capacity: number) {
  return computeDeploymentOutcome(simulation, capacity, false);
}

/** Runs the controller's loop, wave by wave, while only `capacity` pods can run. Requested pods count, and running ones become ready. */
function loop({ replicas, surge, unavailable }: { replicas: number; surge: number; unavailable: number }, capacity: number) {
  let ready = 0;
  let requested = 0;
  let old = replicas;
  let wave = 0;
  let iterations = 0;
  for (;;) {
    const before = [requested, old];
    old = Math.min(old, Math.max(0, replicas - unavailable - ready));
    requested = Math.min(replicas, Math.max(requested, replicas + surge - old));
    const running = Math.min(requested, Math.max(ready, capacity - old));
    if (before[0] === requested && before[1] === old && running === ready) {
      return ready === replicas && old === 0 ? { wave, iterations, ends: true } : { wave, iterations, ends: false };
    }
    wave++;
    if (running > ready) iterations++;
    ready = running;
  }
}

describe('a rollout with limited capacity', () => {
  test('25% and 25% of 3 replicas is surge 1, unavailable 0: without capacity for a fourth pod it deadlocks', () => {
    expect(
      outcomeOf(simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } }, 3), 3),
    ).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
    });
  });

  test('surge 0, unavailable 1 replaces pods in place, so it needs no extra pods', () => {
    expect(outcomeOf(rolling(3, 0, 1), 3)).toEqual({ verdict: 'fits' });
  });

  test('capacity for a part of the surge only makes it slower: 2 pods in flight instead of 3', () => {
    expect(outcomeOf(rolling(6, 2, 1), 7)).toEqual({ verdict: 'slower', iterations: 3 });
    expect(rolling(6, 2, 1).iterations).toBe(2);
  });

  test('if the replicas do not fit, it continues until the capacity is used up', () => {
    expect(outcomeOf(rolling(4, 1, 2), 3)).toEqual({ verdict: 'deadlocks', deadlockWave: 3 });
  });

  test('Recreate needs no extra pods', () => {
    const recreate = simulateDeployment({ type: 'Recreate' }, 3);
    expect(computeDeploymentOutcome(recreate, 3, true)).toEqual({ verdict: 'fits' });
    expect(computeDeploymentOutcome(recreate, 2, true)).toEqual({ verdict: 'deadlocks', deadlockWave: 2 });
  });

  test('0 replicas always fit', () => {
    expect(outcomeOf(rolling(0, 1, 0), 0)).toEqual({ verdict: 'fits' });
  });

  test('the formula equals the loop for every small rollout and capacity', () => {
    const small = fc.nat({ max: 25 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), small, small, fc.nat({ max: 60 }), (replicas, surge, unavailable, capacity) => {
        const simulation = rolling(replicas, surge, unavailable);
        const outcome = outcomeOf(simulation, capacity);
        const looped = loop(simulation, capacity);
        const fits = capacity >= simulation.peakPods;
        const slower = { verdict: 'slower', iterations: looped.iterations };
        const expected = looped.ends ? (fits ? { verdict: 'fits' } : slower) : { verdict: 'deadlocks', deadlockWave: looped.wave };
        expect(outcome).toEqual(expected);
        expect(!fits || looped.iterations === simulation.iterations).toBe(true);
      }),
      { numRuns: scaleRuns(3000) },
    );
  });

  test('the largest number of replicas is evaluated instantly', () => {
    expect(outcomeOf(rolling(2_147_483_647, 1, 0), 2_147_483_647)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  });
});
