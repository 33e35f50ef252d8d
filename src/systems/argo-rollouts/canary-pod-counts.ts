import type { PodGroup, RolloutState, Weights } from './state';
import { resolveCanaryLimits } from './strategy';
import type { CanaryStrategy } from './strategy';
import type { RolloutsBehaviour } from './versions';

/* Pod counts of the new and the old version of a canary. Source: Argo Rollouts v1.9.1, utils/replicaset/canary.go. */

/** The input from which the pod counts are computed. */
export interface CountQuery {
  readonly canary: CanaryStrategy;
  readonly replicas: number;
  readonly state: RolloutState;
  readonly behaviour: RolloutsBehaviour;
}

export interface PodCounts {
  readonly next: number;
  readonly old: number;
}

/** Returns the weight of the last setWeight up to the current step: 0 before the first one, the maximum once every step is done. */
export function findSetWeight({ canary, state }: Pick<CountQuery, 'canary' | 'state'>): number {
  if (state.isAborted) return 0;
  const { steps, maxWeight } = canary;
  if (state.step >= steps.length) return maxWeight;
  for (let index = state.step; index >= 0; index--) {
    const step = steps[index]!;
    if (step.does === 'setWeight') return step.weight;
  }
  return 0;
}

/** Returns the pods for a share of the requests, rounded up: weight 25 of 100 with 10 replicas is 3 pods. */
export function computePodsForWeight(replicas: number, weight: number, maxWeight: number): number {
  return Math.ceil((weight * replicas) / maxWeight);
}

/** Returns the weight of an aborting canary with dynamicStableScale: the last setWeight that needs fewer pods than the canary must keep. */
function computeRollbackWeight({ canary, replicas, state }: CountQuery): number {
  const minCanaryPods = Math.max(replicas - state.old.ready, state.next.ready);
  const weights = canary.steps.flatMap((step) => (step.does === 'setWeight' ? [step.weight] : []));
  return weights.toReversed().find((weight) => computePodsForWeight(replicas, weight, canary.maxWeight) < minCanaryPods) ?? 0;
}

/** Returns the desired weight of the canary. */
export function computeDesiredWeight(query: CountQuery): number {
  const { canary, state, behaviour } = query;
  if (state.isAborted && canary.dynamicStableScale && behaviour.abortsThroughSteps) return computeRollbackWeight(query);
  return findSetWeight(query);
}

/** Returns the setCanaryScale in effect at the current step. */
function findCanaryScale({ canary, state }: CountQuery) {
  if (!canary.isRouted || state.step >= canary.steps.length) return undefined;
  if (state.isAborted && canary.abortDelay.seconds !== undefined) return undefined;
  for (let index = state.step; index >= 0; index--) {
    const step = canary.steps[index]!;
    if (step.does === 'setCanaryScale') return step.matchesWeight ? undefined : step;
  }
  return undefined;
}

/** Returns the number of pods, or the weight, that the canary is scaled to. */
function resolveScale(query: CountQuery): { readonly pods?: number; readonly weight: number } {
  if (query.state.isPromoted) return { weight: query.canary.maxWeight };
  const scale = findCanaryScale(query);
  if (scale?.replicas !== undefined) return { pods: scale.replicas, weight: 0 };
  if (scale?.weight !== undefined) return { weight: scale.weight };
  return { weight: computeDesiredWeight(query) };
}

/** Raises a non-zero pod count to at least `minPodsPerReplicaSet`. */
export function applyMinPods(count: number, { canary, replicas, behaviour }: Omit<CountQuery, 'state'>): number {
  if (count === 0) return 0;
  return Math.max(count, behaviour.capsMinPods ? Math.min(canary.minPods, replicas) : canary.minPods);
}

/**
 * Computes the pod counts with a router. The canary has the pods for its weight, rounded up, or the pods of setCanaryScale; stable has all
 * replicas.
 * With dynamicStableScale, stable has the pods for the remaining requests, for the desired weight and for the current one.
 */
function computeRoutedCounts(query: CountQuery, weights: Weights | undefined): PodCounts {
  const { canary, replicas, state } = query;
  const { pods, weight } = resolveScale(query);
  const next = pods ?? applyMinPods(computePodsForWeight(replicas, weight, canary.maxWeight), query);
  if (!canary.dynamicStableScale) return { next, old: replicas };
  const rest = computePodsForWeight(replicas, canary.maxWeight - weight, canary.maxWeight);
  const stable = weights ? Math.max(rest, computePodsForWeight(replicas, weights.stable, canary.maxWeight)) : rest;
  const canaryPods = weights && state.isAborted ? Math.max(next, computePodsForWeight(replicas, weights.canary, canary.maxWeight)) : next;
  return { next: applyMinPods(canaryPods, query), old: applyMinPods(stable, query) };
}

/** A candidate split: `canary` of `total` pods. */
interface Split {
  readonly canary: number;
  readonly total: number;
}

/**
 * Splits the pods between both versions as close to the weight as possible. Without a router, pods share the requests evenly.
 *
 * The candidates are the pods for the weight, rounded up and down, of `replicas`. With a surge, also rounded up of one pod more. A tie goes
 * to the larger total. Weights from 1 to 99 give each version a pod, unless there is one replica and no surge.
 * 3 replicas at weight 50 with a surge: 2 of 4.
 *
 * The controller also tries the pods for the weight, rounded down, of one pod more. The candidates of `replicas` are never further from the
 * weight.
 */
export function splitByWeight(replicas: number, weight: number, maxWeight: number, surge: number): PodCounts {
  if (replicas === 0) return { next: 0, old: 0 };
  const share = (replicas * weight) / maxWeight;
  const [ceil, floor] = [Math.ceil(share), Math.floor(share)];
  const isTied = (replicas * (weight / maxWeight)) % 1 === 0.5;
  const mayLackOne = replicas === 1 && surge === 0;
  const splits: Split[] = [
    ...(ceil < replicas || mayLackOne ? [{ canary: ceil, total: replicas }] : []),
    ...(!isTied && (floor !== 0 || mayLackOne) ? [{ canary: floor, total: replicas }] : []),
    ...(surge > 0 ? [{ canary: ceil, total: replicas + 1 }] : []),
  ];
  const distance = ({ canary, total }: Split) => Math.abs((canary * maxWeight) / total - weight);
  const [first, ...others] = splits;
  if (!first) return { next: 0, old: replicas };
  const best = others.reduce((nearest, split) => (distance(split) < distance(nearest) ? split : nearest), first);
  return { next: best.canary, old: best.total - best.canary };
}

/** Corrects a scale-down that exceeds the maximum total or falls below the minimum of ready pods. */
function clampToLimits(
  drained: PodGroup,
  kept: PodGroup,
  target: Split,
  maxTotal: number,
  minReady: number,
): { readonly drained: number; readonly kept: number } {
  const overLimit = Math.max(0, target.canary + target.total - maxTotal);
  const keeps = target.total - overLimit;
  const ready = Math.min(drained.ready, target.canary) + Math.min(kept.ready, keeps);
  const lost = Math.max(0, kept.ready - keeps);
  const keptSize = keeps + Math.min(lost, Math.max(0, minReady - ready));
  return { drained: target.canary - Math.max(0, keptSize + target.canary - maxTotal), kept: keptSize };
}

/** Returns the size of a group after draining up to `count` pods towards the desired size; `otherwise` if it is not too large. */
function drainTo(group: PodGroup, desired: number, count: number, otherwise: number): number {
  return group.size > desired ? Math.max(desired, group.size - count) : otherwise;
}

/**
 * Returns the size of a promoted version after trimming pods beyond the replicas. The controller counts it twice: as the new version and as
 * stable.
 */
function trimStable(pods: PodGroup, replicas: number, maxTotal: number, minReady: number): number {
  const spare = pods.size + pods.ready - minReady;
  if (pods.size <= replicas || spare <= 0) return pods.size;
  return clampToLimits(pods, pods, { canary: Math.max(replicas, pods.size - spare), total: 0 }, maxTotal, minReady).drained;
}

/**
 * Computes the pod counts without a router. Stable is scaled up first, then the canary, to `replicas + surge` in total. Then one side is
 * scaled down until `replicas - unavailable` pods are ready. Pods of the shrinking side count whether they are ready or not.
 */
function computeBasicCounts({ canary, replicas, state }: CountQuery): PodCounts {
  const { surge, unavailable } = resolveCanaryLimits(canary, replicas);
  const { next, old, older } = state;
  const maxTotal = replicas + surge - older.size;
  if (state.isPromoted) {
    // The old pods now belong to neither version and are deleted before any others.
    const headroom = maxTotal - next.size - old.size;
    if (next.size < replicas && headroom > 0) return { next: Math.min(replicas, next.size + headroom), old: old.size };
    return { next: old.size > 0 ? next.size : trimStable(next, replicas, maxTotal, replicas - unavailable), old: old.size };
  }
  const target = splitByWeight(replicas, findSetWeight({ canary, state }), canary.maxWeight, surge);
  let headroom = maxTotal - next.size - old.size;
  let oldSize = old.size;
  if (old.size < target.old && headroom > 0) {
    oldSize = Math.min(target.old, old.size + headroom);
    headroom = Math.max(0, headroom - (target.old - old.size));
  }
  const nextSize = next.size < target.next && headroom > 0 ? Math.min(target.next, next.size + headroom) : next.size;
  // Pods of a superseded rollout are deleted before any of these.
  if (older.size > 0) return { next: nextSize, old: oldSize };
  const minReady = replicas - unavailable;
  const isIncreasing = target.next >= next.size;
  const counted = (isIncreasing ? next.ready : next.size) + (isIncreasing ? old.size : old.ready);
  if (counted <= minReady) return { next: nextSize, old: oldSize };
  if (isIncreasing) {
    const size = drainTo(old, target.old, counted - minReady, oldSize);
    const both = clampToLimits(old, next, { canary: size, total: nextSize }, maxTotal, minReady);
    return { next: both.kept, old: both.drained };
  }
  const size = drainTo(next, target.next, counted - minReady, nextSize);
  const both = clampToLimits(next, old, { canary: size, total: oldSize }, maxTotal, minReady);
  return { next: both.drained, old: both.kept };
}

/** Returns the pod counts of both versions; `weights` are the current router weights as known to this reconcile. */
export function computeCanaryCounts(query: CountQuery, weights: Weights | undefined): PodCounts {
  return query.canary.isRouted ? computeRoutedCounts(query, weights) : computeBasicCounts(query);
}

/** Reports whether enough pods of the new version are ready to continue. */
export function isAtThreshold({ threshold }: CanaryStrategy, { size, ready }: PodGroup, desired: number): boolean {
  if (!threshold) return size === desired && ready === desired;
  if (!threshold.isPercent) return ready >= threshold.value;
  return desired === 0 || (ready * 100) / desired >= threshold.value - 1e-10;
}
