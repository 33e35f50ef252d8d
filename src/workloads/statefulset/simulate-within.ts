import type { LimitedRun, RunLimits } from '../../cluster/rollout/limited-run';
import { runRollingUpdate } from '../../cluster/rollout/rolling-run';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { truncateAtDeadlock } from '../../core/simulations/simulation-kinds';
import { truncateStatefulSetAtDeadlock } from './outcome';

/** Returns the rollout up to the batch in which it deadlocks. No pod is replaced before all missing ones are ready. */
function truncateAtReady(ideal: StatefulSetSimulation, ready: number, added: number, unavailable: number): StatefulSetSimulation {
  if (ready < added) return truncateStatefulSetAtDeadlock(ideal, ideal.replicas - added);
  return truncateAtDeadlock(ideal, Math.floor((ready - added) / unavailable) + 1);
}

/**
 * Simulates a rollout under limits, if all pods are ready at its start. Missing pods are created first. Then each new pod is created once the
 * old one of its ordinal is gone. Returns undefined for any other rollout.
 *
 * @param ideal the rollout without limits
 * @param before pods that run before the apply
 */
export function simulateStatefulSetWithin(
  ideal: StatefulSetSimulation,
  limits: RunLimits,
  before = ideal.replicas,
): LimitedRun<StatefulSetSimulation> | undefined {
  const { order, batches, blocked, elided, maxUnavailable, minAvailable, replicas } = ideal;
  const unavailable = Math.max(1, Math.min(maxUnavailable, order.length));
  const added = Math.max(0, replicas - before);
  const isSteady =
    batches.length === Math.ceil(order.length / unavailable) && minAvailable === Math.min(replicas - added, replicas - unavailable);
  if (order.length === 0 || blocked || elided !== undefined || !isSteady || (added > 0 && unavailable > 1)) return undefined;
  const sizes = { replicas: order.length + added, surge: 0, unavailable, running: order.length, addsNewPods: true };
  const { isFinished, ready, old, startingRows } = runRollingUpdate(sizes, limits);
  return {
    simulation: isFinished ? ideal : truncateAtReady(ideal, ready, added, unavailable),
    isFinished,
    isUnlimited: isFinished && startingRows === batches.length + Math.min(1, added),
    ready,
    old,
    peakPods: replicas,
    startingRows,
  };
}
