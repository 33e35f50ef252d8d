import type { InitialState } from '../../cluster/rollout/initial-state';
import type { LimitedRun, RunLimits } from '../../cluster/rollout/limited-run';
import type { CapacityOutcome } from '../../cluster/rollout/pod-rollout';
import { findMin } from '../../core/values/min-max';
import type { ArgoRolloutSimulation, ArgoRolloutWave } from '../../core/simulations/argo-rollout';
import { createCapacityHalt } from '../../core/simulations/halt';
import { selectVisibleRows } from '../../core/simulations/row-limit';
import { runRollingUpdate } from '../../cluster/rollout/rolling-run';
import { countSteadyPods } from './initial-state';
import type { RolloutQuery } from './walk-rollout';
import { resolveBlueGreenUnavailable, resolveCanaryLimits } from './strategy';
import type { ArgoRolloutStrategy } from './strategy';

/*
 * Restarts by a new `spec.restartAt`. Source: Argo Rollouts v1.9.1, rollout/restart.go `RolloutPodRestarter.Reconcile`, the same in v1.8.3
 * and v1.10.2.
 */

/** Returns how many pods may be down at once: maxUnavailable with any strategy, with or without a router; 1 if that is 0. */
export function computeMaxConcurrentRestarts(strategy: ArgoRolloutStrategy, replicas: number): number {
  const unavailable =
    strategy.type === 'canary' ? resolveCanaryLimits(strategy, replicas).unavailable : resolveBlueGreenUnavailable(strategy, replicas);
  return Math.max(1, unavailable);
}

/** The pace of a restart from row to row. */
interface RestartPace {
  readonly pods: number;
  readonly maxConcurrent: number;
  /** Pods that the same change adds. They are younger than `restartAt`. */
  readonly added: number;
  /** Pods that are older than `restartAt`. */
  readonly old: number;
  /** Pods that the first row evicts: fewer by the number of added pods, which are not ready yet. */
  readonly first: number;
}

/**
 * Returns how many pods are evicted up to and including a row. 10 pods, 2 at once, none added: 6 in row 3. If 2 of 10 pods are added, 3 at
 * once: the first row evicts 1.
 */
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
 * Simulates a restart of a Rollout at rest. The controller evicts the pods that are older than `restartAt`, and their ReplicaSet creates
 * replacements from the same template. Steps, routers and analyses play no part, and `spec.paused` does not stop it.
 *
 * Verified against recordings of the real controller (`test/upstream/argo-rollouts.test.ts`).
 *
 * @param query - `young`: pods that are younger than `restartAt`. @default 0
 */
export function simulateRestart(query: RolloutQuery & { readonly young?: number }): ArgoRolloutSimulation {
  const { strategy, replicas, before = replicas, young = 0 } = query;
  const pods = countSteadyPods(query, replicas);
  const maxConcurrent = Math.min(pods, computeMaxConcurrentRestarts(strategy, replicas));
  const added = Math.max(0, pods - countSteadyPods(query, before));
  // When scaling down, the youngest pods are deleted first.
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
 * Simulates a restart of a Rollout at rest under limits. Returns undefined if some pods are added or are younger than `restartAt`.
 *
 * @param ideal the restart without limits
 */
export function simulateRestartWithin(
  ideal: ArgoRolloutSimulation,
  { before, young = 0 }: InitialState,
  limits: RunLimits,
): LimitedRun<ArgoRolloutSimulation> | undefined {
  const { replicas, unavailable, peakPods: pods, elided } = ideal;
  if ((before ?? replicas) !== replicas || young > 0 || elided !== undefined || pods !== replicas) return undefined;
  const { rows, isFinished, ready, old, hasWaitingPods, startingRows } = runRollingUpdate({ replicas, surge: 0, unavailable }, limits);
  const all = isFinished ? [...rows, { newPods: pods, oldPods: 0, available: pods }] : rows;
  const { elided: _elided, ...figures } = ideal;
  const shown = selectVisibleRows(all.length);
  const simulation: ArgoRolloutSimulation = {
    ...figures,
    waves: shown.rows.map((index) => {
      const { newPods, oldPods, available } = all[index]!;
      const isLast = isFinished && index === all.length - 1;
      return { wave: index + 1, newPods, oldPods, total: newPods + oldPods, available, ...(!isLast && { until: 'ready' }) };
    }),
    minAvailable: findMin(
      all.map(({ available }) => available),
      pods,
    ),
    ...(!isFinished && { halted: createCapacityHalt(Math.max(1, rows.length)) }),
    ...(shown.elided > 0 && { elided: shown.elided }),
  };
  const isUnlimited = !hasWaitingPods && all.length === ideal.waves.length;
  return { simulation, isFinished, isUnlimited, ready, old, peakPods: pods, startingRows };
}

/**
 * Computes the outcome of a restart if at most `capacity` pods run at once. If no more pods fit than those that stay, no pod is replaced
 * and no further one is evicted.
 * 10 pods, 3 at once: capacity for 7 deadlocks immediately, capacity for 8 continues one by one.
 */
export function computeRestartOutcome({ peakPods, unavailable }: ArgoRolloutSimulation, capacity: number): CapacityOutcome {
  if (capacity >= peakPods) return { verdict: 'fits' };
  const spare = capacity - (peakPods - unavailable);
  if (spare <= 0) return { verdict: 'deadlocks', deadlockWave: 1 };
  return { verdict: 'slower', iterations: 1 + Math.ceil((peakPods - unavailable) / spare) };
}
