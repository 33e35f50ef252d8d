import type { CapacityResult } from '../../../core/document/capacity-result';
import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import { countDisplacedByOne } from '../amounts';
import type { Amounts } from '../../../core/values/quantity';
import { countPodsThatFit, createEmptyNodes } from '../nodes/placement';
import type { Demand, Nodes } from '../nodes/placement';
import { placeAround } from '../nodes/placement-around';
import type { PlacesLeft } from '../nodes/placement-around';
import { sortLargestFirst } from '../nodes/placement-order';
import { podNeedsOf } from '../nodes/pod-needs';
import { toRunningPods } from './surroundings';
import type { Surroundings } from './surroundings';

/** Maximum number of nodes times kinds of pods on unknown nodes that are placed again. Each rollout may place all of them. */
const MAX_PLACED_AGAIN = 2_500;

/** Pods on unknown nodes, and the nodes as the running pods leave them. */
interface PodsToPlace {
  readonly nodes: Nodes;
  /** The pods in the order of placement, interchangeable ones together. */
  readonly kinds: readonly Demand[];
  /** Placements that are known. */
  readonly placed: Map<string, Nodes | undefined>;
}

function mergeInterchangeable(demands: readonly Demand[], cache: PlanCache): Demand[] {
  const byShape = new Map<unknown, Demand>();
  for (const { podSet, pods } of demands) {
    const { shape } = podNeedsOf(podSet, cache);
    const known = byShape.get(shape);
    byShape.set(shape, { podSet: known?.podSet ?? podSet, pods: (known?.pods ?? 0) + pods });
  }
  return [...byShape.values()];
}

function listPodsToPlace({ pools, free, demands, cache }: Surroundings): PodsToPlace {
  const nodes = createEmptyNodes(pools.map((pool) => ({ ...pool, allocatable: free.get(pool)! })));
  const kinds = sortLargestFirst(nodes.pools, mergeInterchangeable(demands.map(toRunningPods), cache), cache);
  return { nodes, kinds, placed: new Map() };
}

/** Lists the pods on unknown nodes without those of some sets. */
function listOthers({ kinds }: PodsToPlace, ownSets: readonly PodSet[], { demands, cache }: Surroundings): Demand[] {
  const own = new Map<unknown, number>();
  for (const { podSet, pods } of demands.filter((demand) => ownSets.includes(demand.podSet)).map(toRunningPods)) {
    const { shape } = podNeedsOf(podSet, cache);
    own.set(shape, (own.get(shape) ?? 0) + pods);
  }
  const others = kinds.map(({ podSet, pods }) => ({ podSet, pods: pods - (own.get(podNeedsOf(podSet, cache).shape) ?? 0) }));
  return others.filter(({ pods }) => pods > 0);
}

/** Returns how many places pods take at most from pods with a footprint. */
export function countPlacesTaken(footprint: Amounts, demands: readonly Demand[], cache: PlanCache): number {
  return demands.reduce(
    (total, { podSet, pods }) => total + pods * Math.max(1, countDisplacedByOne(footprint, podNeedsOf(podSet, cache).footprint)),
    0,
  );
}

/**
 * Places the pods of others on unknown nodes so that they leave new pods of a set the fewest or the most places. Returns undefined if there are
 * none, if they are too many, if they leave enough places in any case, or if not all of them find a place.
 *
 * @param ownSets all sets of the rollout
 * @param enough places with which the rollout lacks none. @default - any number may be too low
 */
export function assumeOthersLeaving(
  places: PlacesLeft,
  podSet: PodSet,
  ownSets: readonly PodSet[],
  surroundings: Surroundings,
  enough = Infinity,
): Nodes | undefined {
  const { pools, cache } = surroundings;
  const all = cache.derive(surroundings, listPodsToPlace);
  const others = listOthers(all, ownSets, surroundings);
  if (others.length === 0) return undefined;
  if (others.length * pools.length > MAX_PLACED_AGAIN) {
    for (const own of ownSets) surroundings.onOnePlacement.add(own);
    return undefined;
  }
  const { footprint, marks, requestsKey } = podNeedsOf(podSet, cache);
  if (places === 'fewest' && enough < Infinity && marks.new.avoids.length === 0) {
    const needed = enough + countPlacesTaken(footprint, others, cache);
    if (countPodsThatFit(all.nodes, podSet, needed, cache) >= needed) return undefined;
  }
  const place = () => {
    const placement = placeAround(all.nodes, others, { podSet, places }, cache);
    return placement?.unplaced.length === 0 ? placement.nodes : undefined;
  };
  if (marks.new.avoids.length > 0) return place();
  const key = `${places} ${requestsKey} ${others.map(({ pods }) => pods).join(',')}`;
  if (!all.placed.has(key)) all.placed.set(key, place());
  return all.placed.get(key);
}

/** The sentence about a verdict that rests on one placement. */
const ONE_PLACEMENT = 'The nodes of other pods are not known, and these are too many: only one placement of them was looked at.';

/** Adds to a verdict that it rests on one placement of the pods of others, if it does. */
export function withPlacementNote<Evaluation extends { readonly verdict: CapacityResult }>(
  evaluation: Evaluation | undefined,
  podSets: readonly PodSet[],
  surroundings: Surroundings | undefined,
): Evaluation | undefined {
  const { verdict } = evaluation ?? {};
  const isCertain = verdict !== undefined && verdict.verdict !== 'may-not-fit';
  if (!isCertain || !podSets.some((podSet) => surroundings?.onOnePlacement.has(podSet))) return evaluation;
  return { ...evaluation!, verdict: { ...verdict, message: `${verdict.message} ${ONE_PLACEMENT}` } };
}
