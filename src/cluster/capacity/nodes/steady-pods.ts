import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import { countKeptPods } from '../limits';
import { findEligibleNodes } from './eligible-nodes';
import { hasConditionTaint } from './node-affinity';
import type { Revision } from './node-affinity';
import type { NodePool } from '../../context/capacity';
import { createEmptyNodes, joinNodes, schedulePods } from './placement';
import type { Demand, Nodes } from './placement';
import { sortLargestFirst } from './placement-order';

/** The placement of the pods while nothing rolls out. */
export interface SteadyPods {
  readonly nodes: Nodes;
  /** Pods of rollouts that do not fit on any node. */
  readonly unplacedBySet: ReadonlyMap<PodSet, number>;
  /** Pods on nodes that accept no new ones, such as cordoned nodes. Their successors need capacity on other nodes. */
  readonly stranded: ReadonlyMap<PodSet, number>;
  /** The nodes with only the pods that run both before and after an apply. */
  readonly nodesBeforeAdding: Nodes;
  /** The pods that the apply adds. */
  readonly added: readonly Demand[];
  /** Added pods that do not fit once all other pods are placed. */
  readonly unplaced: readonly Demand[];
  /** The pods that the apply deletes. They use capacity until they are gone. */
  readonly removed: readonly Demand[];
}

/** The pods that use nodes while nothing rolls out, and where they are. */
export interface SteadyPlacement {
  /** Undefined without node pools. */
  readonly steady?: SteadyPods;
  /** Excludes daemons, whose use is already subtracted from the node pools. */
  readonly podSetsOnNodes: readonly PodSet[];
}

/** Returns the pods of a set that run on known nodes, whose capacity is already subtracted. */
type RunningPodCount = (podSet: PodSet) => number;

/** Places pods on nodes that accept no new ones of their set, as many as fit. */
function placeStrandedPods(
  podSets: readonly PodSet[],
  pools: readonly NodePool[],
  countRunning: RunningPodCount,
  cache: PlanCache,
): Pick<SteadyPods, 'nodes' | 'stranded'> {
  const countEligible = (podSet: PodSet, revision: Revision) => findEligibleNodes(podSet, pools, revision, cache).length;
  const isStranded = (podSet: PodSet) => countEligible(podSet, 'old') > countEligible(podSet, 'new');
  const demands = podSets.filter(isStranded).map((podSet) => ({ podSet, pods: Math.max(0, countKeptPods(podSet) - countRunning(podSet)) }));
  const { nodes, unplaced } = schedulePods(createEmptyNodes(pools), sortLargestFirst(pools, demands, cache), cache, 'old');
  const unplacedStranded = new Map(unplaced.map(({ podSet, pods }) => [podSet, pods]));
  return { nodes, stranded: new Map(demands.map(({ podSet, pods }) => [podSet, pods - (unplacedStranded.get(podSet) ?? 0)])) };
}

/**
 * Places the pods that run while nothing rolls out. Nodes that accept no new pods are assumed to contain as many as possible.
 *
 * @param otherPodSets pods that no rollout replaces. Those without a node wait for one and affect no rollout.
 */
export function placeSteadyPods(
  rolloutPodSets: readonly PodSet[],
  otherPodSets: readonly PodSet[],
  pools: readonly NodePool[],
  cache: PlanCache,
  countRunning: RunningPodCount = () => 0,
): SteadyPlacement {
  if (pools.length === 0) return { podSetsOnNodes: [] };
  const all = [...rolloutPodSets, ...otherPodSets];
  const { nodes, stranded } = placeStrandedPods(all, pools.filter(hasConditionTaint), countRunning, cache);
  const demands = all.map((podSet) => ({
    podSet,
    pods: Math.max(0, countKeptPods(podSet) - (stranded.get(podSet) ?? 0) - countRunning(podSet)),
  }));
  const schedulableNodes = createEmptyNodes(pools.filter((pool) => !hasConditionTaint(pool)));
  const keptPlacement = schedulePods(joinNodes(nodes, schedulableNodes), sortLargestFirst(pools, demands, cache), cache, 'old');
  const growing = all.map((podSet) => ({ podSet, pods: podSet.replicas - countKeptPods(podSet) })).filter(({ pods }) => pods > 0);
  const removed = all.map((podSet) => ({ podSet, pods: (podSet.running ?? 0) - podSet.replicas })).filter(({ pods }) => pods > 0);
  const added = sortLargestFirst(pools, growing, cache);
  const placement = schedulePods(keptPlacement.nodes, added, cache);
  const unplacedBySet = new Map(keptPlacement.unplaced.map(({ podSet, pods }) => [podSet, pods]));
  for (const { podSet, pods } of placement.unplaced) unplacedBySet.set(podSet, (unplacedBySet.get(podSet) ?? 0) + pods);
  const placedOtherPodSets = otherPodSets.map((podSet) => {
    const unplacedPods = unplacedBySet.get(podSet);
    return unplacedPods === undefined ? podSet : { ...podSet, replicas: podSet.replicas - unplacedPods };
  });
  otherPodSets.forEach((podSet) => unplacedBySet.delete(podSet));
  return {
    steady: {
      nodes: placement.nodes,
      unplacedBySet,
      stranded,
      nodesBeforeAdding: keptPlacement.nodes,
      added,
      unplaced: placement.unplaced,
      removed,
    },
    podSetsOnNodes: [...rolloutPodSets, ...placedOtherPodSets],
  };
}
