import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { truncateAtDeadlock } from '../../core/simulations/simulation-kinds';
import type { CapacityOutcome } from '../../cluster/rollout/pod-rollout';

/**
 * Computes the outcome of a StatefulSet rollout while at most `capacity` of its pods run at once.
 *
 * New pods reuse the capacity of the deleted ones, so the rollout fits if its replicas fit. Otherwise the first batch never becomes
 * complete again, or missing pods never start, and no pod is replaced before they do.
 *
 * @param initialReplicas pods that run before the rollout
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
 * Truncates the batches at the point where a StatefulSet deadlocks for lack of capacity.
 *
 * Missing pods are created before any pod is replaced, so a StatefulSet that is scaled beyond the capacity replaces none.
 * Its controller stops there with the error, or waits for the Pending pod.
 * Source: k/k pkg/controller/statefulset/stateful_set_control.go, `updateStatefulSet`.
 *
 * @param initialReplicas pods that run before the rollout
 */
export function truncateStatefulSetAtDeadlock(simulation: StatefulSetSimulation, initialReplicas: number): StatefulSetSimulation {
  const halted = truncateAtDeadlock(simulation, 1);
  if (initialReplicas >= simulation.replicas || simulation.elided !== undefined) return halted;
  const untouched = [...simulation.untouched, ...simulation.order].toSorted((a, b) => a - b);
  return { ...halted, order: [], batches: [], untouched, minAvailable: initialReplicas };
}
