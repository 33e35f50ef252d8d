import type { CapacityDelay, CapacityOutcome } from '../../cluster/rollout/pod-rollout';
import type { RolloutDuration } from '../../core/document/rollout';
import type { ArgoRolloutSimulation } from '../../core/simulations/argo-rollout';
import type { PodTimings } from '../../workloads/pod-timings';
import { walkWithCapacity } from './simulate';
import type { RolloutQuery } from './walk-rollout';

/**
 * Computes the outcome of a rollout if at most `capacity` of its pods run at once. New pods beyond that stay pending, and the controller
 * waits for them.
 *
 * Walks the rows with only as many new pods ready as fit next to the old ones. If such a row changes nothing, the rollout deadlocks there.
 */
export function computeArgoRolloutOutcome(
  query: RolloutQuery,
  { peakPods, waves }: ArgoRolloutSimulation,
  capacity: number,
): CapacityOutcome {
  if (capacity >= peakPods) return { verdict: 'fits' };
  const { rows, skips, stuckAtWave } = walkWithCapacity(query, capacity);
  if (stuckAtWave !== undefined) {
    // Find the row of the unconstrained rollout with these pods. There the wait succeeds.
    const { newPods, oldPods } = rows.at(-1)!;
    const same = waves.find((wave) => wave.newPods === newPods && wave.oldPods === oldPods);
    return { verdict: 'deadlocks', deadlockWave: same?.wave ?? stuckAtWave };
  }
  // A row after a skip starts pods, and so does each skipped row.
  const countWalkedRows = (index: number) => 1 + (skips.find(({ after }) => after === index - 1)?.count ?? 0);
  const iterations = rows.reduce(
    (count, { newPods }, index) => (newPods > (rows[index - 1]?.newPods ?? 0) ? count + countWalkedRows(index) : count),
    0,
  );
  return { verdict: 'slower', iterations };
}

/**
 * Computes the duration of a rollout: each row that waits for pods takes as long as a pod needs to start, each pause its seconds.
 * There is no expected end if a user must promote it. A broken image is noticed after progressDeadlineSeconds, which writes a condition and
 * aborts the rollout only with progressDeadlineAbort. By then the pods of the first row are broken.
 */
export function computeArgoRolloutDuration(
  { replicas, waves, elided = 0, waitSeconds, halted, rolledBackPods }: ArgoRolloutSimulation,
  { startup, minReady }: PodTimings,
  deadline: number,
  capacity?: CapacityDelay,
): RolloutDuration | undefined {
  if (replicas === 0) return undefined;
  const waiting = waves.filter(({ until }) => until === 'ready').length + elided;
  const total = waiting * (startup + minReady) + waitSeconds;
  const isOpen = halted !== undefined || waves.some(({ until }) => until === 'analysis' || until === 'experiment' || until === 'plugin');
  return {
    startupSeconds: startup,
    lowerBoundSeconds: total,
    expectedSeconds: isOpen || capacity?.deadlocks ? null : total,
    abortSeconds: deadline,
    // When the stable version comes back, most of its pods are already running.
    blastRadius:
      rolledBackPods === undefined ? (waves.find(({ newPods }) => newPods > 0)?.newPods ?? 0) : waves[0]!.total - waves[0]!.available,
  };
}
