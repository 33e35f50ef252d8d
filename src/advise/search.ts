import type { Preference, RolloutFigures, RolloutGoal } from '../core/document/advice';
import type { EvaluatedStrategy, StrategyEvaluator } from './evaluate';
import { resolveGoal } from './goal';

/** Returns the smallest number from `from` to `to` for which a condition holds that holds for all larger ones. Returns undefined if none. */
function findFirst(from: number, to: number, holds: (value: number) => boolean): number | undefined {
  if (from > to || !holds(to)) return undefined;
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the largest number from `from` to `to` for which a condition holds that holds for all smaller ones. */
function findLast(from: number, to: number, holds: (value: number) => boolean): number | undefined {
  if (from > to || !holds(from)) return undefined;
  const firstFailing = findFirst(from, to, (value) => !holds(value));
  return firstFailing === undefined ? to : firstFailing - 1;
}

/**
 * Finds the best pair of limits of a Deployment for a goal, with about 60 simulations for any number of replicas.
 *
 * Let n be the replicas, s the surge and u the unavailable pods, with s + u at least 1 and s at most n - u.
 *
 *     extra pods = s    fewest available = n - u    broken pods = min(n, s + u)
 *     the time never rises with s or u
 *
 * The first three follow from the rows (`simulateDeployment`). For the time: with b = s + u pods in flight, each new pod waits for the pod b
 * before it, and, where slots are scarce, for an old pod that is deleted once the pod u + f before it is available, with f free slots.
 * A larger s or u moves both pods further ahead, so that no start is later (`computeRollingSeconds`).
 *
 * A goal therefore allows a rectangle: s at most S (extra pods, GPUs, and what fits), u at most U (available pods, budgets). Its corner
 * (S, U) is the fastest strategy; if the corner is too slow, every strategy is. Along an edge, the time only falls, so that
 * bisection finds the smallest value with a time:
 *
 *     fast        the time of (S, U), then the smallest s with that time at U, then the smallest u with it
 *     available   the smallest u that is in time at S, then its time, then the smallest s with it
 *     cheap       the smallest s that is in time at U, then its time, then the smallest u with it
 *
 * No strategy is better: one with a better first figure would be outside of the rectangle or too slow, and the others are minimal given
 * the first. A property test compares the result with all strategies of up to 60 replicas.
 *
 * @param budgetPods most pods that budgets require to be available
 */
export function searchBestLimits(
  evaluator: StrategyEvaluator,
  goal: RolloutGoal,
  prefer: Preference,
  budgetPods: number,
): EvaluatedStrategy | undefined {
  const [replicas = 0] = evaluator.sizes;
  const { available, extraPods, extraGpus, seconds } = resolveGoal(goal, replicas);
  const at = (surge: number, unavailable: number) =>
    evaluator.evaluateLimits({ value: surge, effects: [surge] }, { value: unavailable, effects: [unavailable] });
  const figuresAt = (surge: number, unavailable: number): RolloutFigures => at(surge, unavailable).figures[0]!.figures;
  const timeAt = (surge: number, unavailable: number) =>
    surge + unavailable === 0 ? Infinity : (figuresAt(surge, unavailable).seconds ?? Infinity);
  const maxUnavailable = Math.min(replicas, replicas - Math.max(available, budgetPods));
  if (maxUnavailable < 0) return undefined;
  const gpuSurge = evaluator.gpus === 0 ? Infinity : Math.floor(extraGpus / evaluator.gpus);
  const allowedSurge = Math.min(replicas, extraPods, gpuSurge);
  const fits = (surge: number) => surge + maxUnavailable === 0 || figuresAt(surge, maxUnavailable).verdict !== 'may-not-fit';
  const maxSurge = findLast(0, allowedSurge, fits);
  if (maxSurge === undefined) return undefined;
  const fastest = timeAt(maxSurge, maxUnavailable);
  if (fastest > seconds || fastest === Infinity) return undefined;
  const slowest = Math.min(seconds, Number.MAX_VALUE);
  if (prefer === 'available') {
    const unavailable = findFirst(0, maxUnavailable, (value) => timeAt(maxSurge, value) <= slowest)!;
    const time = timeAt(maxSurge, unavailable);
    return at(
      findFirst(0, maxSurge, (value) => timeAt(value, unavailable) <= time)!,
      unavailable,
    );
  }
  const limit = prefer === 'fast' ? fastest : slowest;
  const surge = findFirst(0, maxSurge, (value) => timeAt(value, maxUnavailable) <= limit)!;
  const time = timeAt(surge, maxUnavailable);
  return at(
    surge,
    findFirst(0, maxUnavailable, (value) => timeAt(surge, value) <= time)!,
  );
}
