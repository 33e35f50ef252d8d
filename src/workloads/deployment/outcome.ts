import type { DeploymentSimulation } from '../../core/simulations/deployment';
import type { RoomOutcome } from '../../cluster/workload';

const FITS: RoomOutcome = { verdict: 'fits' };

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
function rollingOutcome({ replicas, surge, unavailable, peakPods }: DeploymentSimulation, room: number): RoomOutcome {
  if (room >= peakPods) return FITS;
  if (room <= replicas - unavailable) return { verdict: 'deadlocks', deadlockWave: 1 };
  if (room >= replicas) {
    return { verdict: 'slower', iterations: Math.ceil(replicas / (Math.min(surge, room - replicas) + unavailable)) };
  }
  const inFlight = room - replicas + unavailable;
  // All pods that may go have gone by then, for R - u = C - b are no more than those that ceil(C / b) - 1 waves have made ready.
  return { verdict: 'deadlocks', deadlockWave: Math.ceil(room / inFlight) };
}

/** All old pods down, then as many new ones up as find room. */
function recreateOutcome({ replicas }: DeploymentSimulation, room: number): RoomOutcome {
  return room >= replicas ? FITS : { verdict: 'deadlocks', deadlockWave: 2 };
}

/**
 * What becomes of a Deployment's rollout while at most `room` of its pods run at once.
 *
 * @param isRecreate is it of type Recreate?
 */
export function deploymentOutcome(simulation: DeploymentSimulation, room: number, isRecreate: boolean): RoomOutcome {
  return isRecreate ? recreateOutcome(simulation, room) : rollingOutcome(simulation, room);
}
