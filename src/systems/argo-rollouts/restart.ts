import type { CapacityOutcome } from '../../cluster/workload';
import type { ArgoRolloutSimulation, ArgoRolloutWave } from '../../core/simulations/argo-rollout';
import { selectVisibleRows } from '../../core/simulations/row-limit';
import { countSteadyPods } from './simulate';
import type { RolloutQuery } from './simulate';
import { resolveBlueGreenUnavailable, resolveCanaryLimits } from './strategy';
import type { ArgoRolloutStrategy } from './strategy';

/* A new `spec.restartAt`. Source: Argo Rollouts v1.9.1, rollout/restart.go `RolloutPodRestarter.Reconcile`, the same in v1.8.3 and v1.10.2. */

/** Pods that may be down at once: maxUnavailable, with a router as without one and of blue-green too; one where that is 0. */
export function computeMaxConcurrentRestarts(strategy: ArgoRolloutStrategy, replicas: number): number {
  const unavailable =
    strategy.type === 'canary' ? resolveCanaryLimits(strategy, replicas).unavailable : resolveBlueGreenUnavailable(strategy, replicas);
  return Math.max(1, unavailable);
}

/** What a restart does from row to row. */
interface RestartPace {
  readonly pods: number;
  readonly maxConcurrent: number;
  /** Pods that the same change starts, which are young enough. */
  readonly added: number;
  /** Pods that are older than `restartAt`. */
  readonly old: number;
  /** Pods that the first row evicts: so many fewer as of those that are added none is ready yet. */
  readonly first: number;
}

/** 10 pods, 2 at once, none added: after row 3 there are 6 new ones; 10 where 8 ran, 3 at once: the first row evicts 1. */
function countEvicted(row: number, { maxConcurrent, old, first }: RestartPace): number {
  return row === 0 ? 0 : Math.min(old, first + (row - 1) * maxConcurrent);
}

function buildRow(row: number, pace: RestartPace, count: number): ArgoRolloutWave {
  const { pods, added, old } = pace;
  const evicted = countEvicted(row, pace);
  const unready = evicted - countEvicted(row - 1, pace) + (row === 1 ? added : 0);
  return {
    wave: row,
    newPods: pods - old + evicted,
    oldPods: old - evicted,
    total: pods,
    available: pods - (row === count ? 0 : unready),
    ...(row < count && { until: 'ready' }),
  };
}

/**
 * How the controller restarts the pods of a Rollout at rest: it evicts those that are older than `restartAt`, and their ReplicaSet makes others
 * of the same template. No step, router or analysis has a part in it, and `spec.paused` does not hold it.
 *
 * Held to recordings of the real controller (`test/upstream/argo-rollouts.test.ts`).
 *
 * @param query `young`: pods that are younger than `restartAt`. @default 0
 */
export function simulateRestart(query: RolloutQuery & { readonly young?: number }): ArgoRolloutSimulation {
  const { strategy, replicas, before = replicas, young = 0 } = query;
  const pods = countSteadyPods(query, replicas);
  const maxConcurrent = Math.min(pods, computeMaxConcurrentRestarts(strategy, replicas));
  const added = Math.max(0, pods - countSteadyPods(query, before));
  // Of fewer pods the youngest go first.
  const old = Math.max(0, pods - added - Math.max(0, young - Math.max(0, countSteadyPods(query, before) - pods)));
  const pace: RestartPace = { pods, maxConcurrent, added, old, first: Math.min(old, Math.max(0, maxConcurrent - added)) };
  const steps = pods === 0 ? 0 : Math.ceil((old - pace.first) / maxConcurrent) + 1;
  const { rows, elided } = selectVisibleRows(steps + 1);
  return {
    kind: 'argorollout',
    type: 'restart',
    replicas,
    surge: 0,
    unavailable: maxConcurrent,
    waves: rows.map((row) => buildRow(row + 1, pace, steps + 1)),
    peakPods: pods,
    minAvailable: pods - Math.max(added + pace.first, Math.min(maxConcurrent, old - pace.first)),
    waitSeconds: 0,
    ...(elided > 0 && { elided }),
  };
}

/**
 * A restart of which no more than `room` pods run at once: where fewer than those that stay fit, no pod comes back and no further one is evicted.
 * 10 pods, 3 at once: room for 7 stands still at once, room for 8 goes on one by one.
 */
export function computeRestartOutcome({ peakPods, unavailable }: ArgoRolloutSimulation, capacity: number): CapacityOutcome {
  if (capacity >= peakPods) return { verdict: 'fits' };
  const spare = capacity - (peakPods - unavailable);
  if (spare <= 0) return { verdict: 'deadlocks', deadlockWave: 1 };
  return { verdict: 'slower', iterations: 1 + Math.ceil((peakPods - unavailable) / spare) };
}
