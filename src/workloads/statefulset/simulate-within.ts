import type { LimitedRun, RunLimits } from '../../cluster/rollout/limited-run';
import { runRollingUpdate } from '../../cluster/rollout/rolling-run';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { truncateAtDeadlock } from '../../core/simulations/simulation-kinds';

/**
 * Simulates a rollout under limits, if all pods are ready at its start. Each new pod is created once the old one of its ordinal is gone.
 * Returns undefined for any other rollout.
 *
 * @param ideal the rollout without limits
 */
export function simulateStatefulSetWithin(ideal: StatefulSetSimulation, limits: RunLimits): LimitedRun<StatefulSetSimulation> | undefined {
  const { order, batches, blocked, elided, maxUnavailable, minAvailable, replicas } = ideal;
  const unavailable = Math.max(1, Math.min(maxUnavailable, order.length));
  const isSteady = batches.length === Math.ceil(order.length / unavailable) && minAvailable === replicas - unavailable;
  if (order.length === 0 || blocked || elided !== undefined || !isSteady) return undefined;
  const { isFinished, ready, old, startingRows } = runRollingUpdate({ replicas: order.length, surge: 0, unavailable }, limits);
  return {
    simulation: isFinished ? ideal : truncateAtDeadlock(ideal, Math.floor(ready / unavailable) + 1),
    isFinished,
    isUnlimited: isFinished && startingRows === batches.length,
    ready,
    old,
    peakPods: replicas,
    startingRows,
  };
}
