import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import type { RoomOutcome } from '../../cluster/workload';

/**
 * What becomes of a StatefulSet's rollout while at most `room` of its pods run at once.
 *
 * It gets the places of the pods that it deleted, so it fits where its replicas fit; elsewhere the first batch never comes back whole.
 */
export function statefulSetOutcome({ replicas, batches }: StatefulSetSimulation, room: number): RoomOutcome {
  return room >= replicas || batches.length === 0 ? { verdict: 'fits' } : { verdict: 'deadlocks', deadlockWave: 1 };
}
