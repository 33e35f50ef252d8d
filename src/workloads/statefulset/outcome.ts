import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { truncateAtDeadlock } from '../../core/simulations/simulation-kinds';
import type { CapacityOutcome } from '../../cluster/workload';

/**
 * What becomes of a StatefulSet's rollout while at most `room` of its pods run at once.
 *
 * It gets the places of the pods that it deleted, so it fits where its replicas fit; elsewhere the first batch never comes back whole,
 * or pods that are missing never come, before which none is replaced.
 *
 * @param before pods that run before
 */
export function computeStatefulSetOutcome(
  { replicas, batches }: StatefulSetSimulation,
  capacity: number,
  initialReplicas: number,
): CapacityOutcome {
  return capacity >= replicas || (batches.length === 0 && initialReplicas >= replicas)
    ? { verdict: 'fits' }
    : { verdict: 'deadlocks', deadlockWave: 1 };
}

/**
 * The batches up to where a StatefulSet stands still for want of room.
 *
 * Missing pods come before any is replaced, so one that gets more pods than find room replaces none: its controller ends there with the error,
 * or waits for the pod that is Pending. Source: k/k pkg/controller/statefulset/stateful_set_control.go, `updateStatefulSet`.
 *
 * @param before pods that run before
 */
export function truncateStatefulSetAtDeadlock(simulation: StatefulSetSimulation, initialReplicas: number): StatefulSetSimulation {
  const halted = truncateAtDeadlock(simulation, 1);
  if (initialReplicas >= simulation.replicas || simulation.elided !== undefined) return halted;
  const untouched = [...simulation.untouched, ...simulation.order].toSorted((a, b) => a - b);
  return { ...halted, order: [], batches: [], untouched, minAvailable: initialReplicas };
}
