import { findMax } from '../../../core/values/min-max';
import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import { computeLargest } from '../amounts';
import type { Amounts } from '../../../core/values/quantity';
import { findEligibleNodes } from './eligible-nodes';
import type { NodePool } from '../../context/capacity';
import type { Demand } from './placement';
import { podNeedsOf } from './pod-needs';

/** The position of a set in the placement order. */
interface Rank {
  /** Number of nodes that its pods can run on. */
  readonly nodes: number;
  /** Fraction of the largest node that a pod needs, of the resource it needs most. 1 for a pod that needs its own node. */
  readonly share: number;
}

function computeShare(podSet: PodSet, node: Amounts, cache: PlanCache): number {
  const { footprint, marks } = podNeedsOf(podSet, cache);
  if (marks.old.avoids.length > 0) return 1;
  return findMax(
    [...footprint].map(([resource, request]) => Number(request) / (Number(node.get(resource) ?? 0n) || Infinity)),
    0,
  );
}

/**
 * Sorts demands in the order in which they are placed: pods with the fewest eligible nodes first, then the largest, with identical pods
 * next to each other. First-fit decreasing wastes little capacity.
 */
export function sortLargestFirst<Pods extends Demand>(pools: readonly NodePool[], demands: readonly Pods[], cache: PlanCache): Pods[] {
  const largest = computeLargest(pools.map(({ allocatable }) => allocatable));
  const ranks = new Map<unknown, Rank & { readonly index: number }>();
  for (const { podSet } of demands) {
    const { shape } = podNeedsOf(podSet, cache);
    if (ranks.has(shape)) continue;
    const nodes = findEligibleNodes(podSet, pools, 'old', cache).reduce((sum, { count }) => sum + count, 0);
    ranks.set(shape, { nodes, share: computeShare(podSet, largest, cache), index: ranks.size });
  }
  const ranked = demands.map((demand) => ({ demand, rank: ranks.get(podNeedsOf(demand.podSet, cache).shape)! }));
  ranked.sort((a, b) => a.rank.nodes - b.rank.nodes || b.rank.share - a.rank.share || a.rank.index - b.rank.index);
  return ranked.map(({ demand }) => demand);
}
