import type { CapacityDelay, CapacityOutcome } from '../../cluster/workload';
import type { RolloutDuration } from '../../core/rollout';
import type { ArgoRolloutSimulation } from '../../core/simulations/argo-rollout';
import type { PodTimings } from '../../workloads/pod-timings';
import { walkWithCapacity } from './simulate';
import type { RolloutQuery } from './simulate';

/**
 * What becomes of a rollout while at most `room` of its pods run at once: new pods beyond that wait, and the controller waits for them.
 *
 * Each row is walked with no more new pods ready than there is room for beside the old ones. Where that changes nothing, it stands still there.
 */
export function computeArgoRolloutOutcome(
  query: RolloutQuery,
  { peakPods, waves }: ArgoRolloutSimulation,
  capacity: number,
): CapacityOutcome {
  if (capacity >= peakPods) return { verdict: 'fits' };
  const { rows, skips, stuckAtWave } = walkWithCapacity(query, capacity);
  if (stuckAtWave !== undefined) {
    // The row of the rollout with room that wants those pods: there it is not waited for them in vain.
    const { newPods, oldPods } = rows.at(-1)!;
    const same = waves.find((wave) => wave.newPods === newPods && wave.oldPods === oldPods);
    return { verdict: 'deadlocks', deadlockWave: same?.wave ?? stuckAtWave };
  }
  // A row behind a skip brings pods where each of those that were not walked does.
  const countWalkedRows = (index: number) => 1 + (skips.find(({ after }) => after === index - 1)?.count ?? 0);
  const iterations = rows.reduce(
    (count, { newPods }, index) => (newPods > (rows[index - 1]?.newPods ?? 0) ? count + countWalkedRows(index) : count),
    0,
  );
  return { verdict: 'slower', iterations };
}

/**
 * How long a rollout takes: each row that waits for pods takes as long as a pod needs, each wait its seconds.
 * Without an end where somebody has to promote. A broken image is noticed after progressDeadlineSeconds, which writes a condition,
 * and aborts the rollout with progressDeadlineAbort alone; the pods of the first row are broken by then.
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
    // Of the stable version that comes back most pods run already.
    blastRadius:
      rolledBackPods === undefined ? (waves.find(({ newPods }) => newPods > 0)?.newPods ?? 0) : waves[0]!.total - waves[0]!.available,
  };
}
