import type { DeploymentSimulation } from '../../core/simulations/deployment';
import type { CapacityOutcome } from '../../cluster/rollout/pod-rollout';

const FITS_OUTCOME: CapacityOutcome = { verdict: 'fits' };

/**
 * Computes the outcome of a rolling update while at most `capacity` of its pods run at once (0 to infinite).
 *
 * The controller counts requested pods, so unschedulable pods do not block its other steps:
 * it deletes as many old pods as `unavailable` allows and waits for the new ones. With R replicas, s surge, u unavailable and C capacity:
 *
 *     C >= peak                 fits
 *     C <= R - u                no new pod ever runs: deadlock at wave 1
 *     C >= R                    b = min(s, C - R) + u pods in flight, ceil(R / b) iterations
 *     else                      b = C - R + u in flight until C new pods run; the others never fit
 *
 * 3 replicas, surge 1, unavailable 0, capacity 3: deadlock at wave 1, with the 3 old pods serving. 4 replicas, surge 2, unavailable 1,
 * capacity 5: 2 in flight instead of 3. A property test compares it with the controller's loop.
 */
function computeRollingOutcome({ replicas, surge, unavailable, peakPods }: DeploymentSimulation, capacity: number): CapacityOutcome {
  if (capacity >= peakPods) return FITS_OUTCOME;
  if (capacity <= replicas - unavailable) return { verdict: 'deadlocks', deadlockWave: 1 };
  if (capacity >= replicas) {
    return { verdict: 'slower', iterations: Math.ceil(replicas / (Math.min(surge, capacity - replicas) + unavailable)) };
  }
  const inFlight = capacity - replicas + unavailable;
  // By then all old pods are deleted: R - u = C - b is at most the number of pods that ceil(C / b) - 1 waves have made ready.
  return { verdict: 'deadlocks', deadlockWave: Math.ceil(capacity / inFlight) };
}

/** Computes the outcome of type Recreate: all old pods are deleted, then as many new ones run as fit. */
function computeRecreateOutcome({ replicas }: DeploymentSimulation, capacity: number): CapacityOutcome {
  return capacity >= replicas ? FITS_OUTCOME : { verdict: 'deadlocks', deadlockWave: 2 };
}

/**
 * Computes the outcome of a Deployment rollout while at most `capacity` of its pods run at once.
 *
 * @param isRecreate whether the strategy is of type Recreate
 */
export function computeDeploymentOutcome(simulation: DeploymentSimulation, capacity: number, isRecreate: boolean): CapacityOutcome {
  return isRecreate ? computeRecreateOutcome(simulation, capacity) : computeRollingOutcome(simulation, capacity);
}
