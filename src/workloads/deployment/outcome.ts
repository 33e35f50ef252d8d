import type { DeploymentSimulation } from '../../core/simulations/deployment';
import type { CapacityOutcome } from '../../cluster/workload';

const FITS_OUTCOME: CapacityOutcome = { verdict: 'fits' };

/**
 * A Deployment's rolling update while at most `room` of its pods run at once (room 0 to infinite).
 *
 * The controller counts pods that were asked for, so pods without room keep nothing else from being done:
 * it deletes old pods as far as `unavailable` lets it and waits for the new ones. With R replicas, s surge, u unavailable and C room:
 *
 *     C >= peak                 fits
 *     C <= R - u                nothing new ever runs: deadlock at wave 1
 *     C >= R                    b = min(s, C - R) + u pods in flight, ceil(R / b) iterations
 *     else                      b = C - R + u in flight until C new pods run; the others never find room
 *
 * 3 replicas, surge 1, unavailable 0, room for 3: deadlock at wave 1, with the 3 old pods serving. 4 replicas, surge 2, unavailable 1,
 * room for 5: 2 in flight instead of 3. Held to the loop by a property test.
 */
function computeRollingOutcome({ replicas, surge, unavailable, peakPods }: DeploymentSimulation, capacity: number): CapacityOutcome {
  if (capacity >= peakPods) return FITS_OUTCOME;
  if (capacity <= replicas - unavailable) return { verdict: 'deadlocks', deadlockWave: 1 };
  if (capacity >= replicas) {
    return { verdict: 'slower', iterations: Math.ceil(replicas / (Math.min(surge, capacity - replicas) + unavailable)) };
  }
  const inFlight = capacity - replicas + unavailable;
  // All pods that may go have gone by then, for R - u = C - b are no more than those that ceil(C / b) - 1 waves have made ready.
  return { verdict: 'deadlocks', deadlockWave: Math.ceil(capacity / inFlight) };
}

/** All old pods down, then as many new ones up as find room. */
function computeRecreateOutcome({ replicas }: DeploymentSimulation, capacity: number): CapacityOutcome {
  return capacity >= replicas ? FITS_OUTCOME : { verdict: 'deadlocks', deadlockWave: 2 };
}

/**
 * What becomes of a Deployment's rollout while at most `room` of its pods run at once.
 *
 * @param isRecreate is it of type Recreate?
 */
export function computeDeploymentOutcome(simulation: DeploymentSimulation, capacity: number, isRecreate: boolean): CapacityOutcome {
  return isRecreate ? computeRecreateOutcome(simulation, capacity) : computeRollingOutcome(simulation, capacity);
}
