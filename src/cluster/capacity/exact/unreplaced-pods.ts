import type { PodSet } from '../../workload';
import { createEmptyNodes, schedulePods } from '../placement';
import { sortLargestFirst } from '../placement-order';
import type { Nodes } from '../placement';
import type { PlanLimits } from '../rollout-capacity';
import { canShareNodes } from './moving-pods';
import { toRunningPods } from './surroundings';

const nodesBySets = () => new WeakMap<PlanLimits, Map<string, Nodes>>();

/**
 * Finds the sets with rollouts whose old pods are on unknown nodes, request other amounts than new ones or accept other nodes, and may be on
 * nodes that pods of some sets may use. The nodes count live pods as they are.
 */
export function findUnreplacedSets(podSets: readonly PodSet[], limits: PlanLimits): readonly PodSet[] {
  const { demands = [] } = limits.surroundings ?? {};
  return demands.flatMap(({ podSet, asOld }) => {
    const isShared = asOld && !podSets.includes(podSet) && podSets.some((own) => canShareNodes(own, asOld, limits));
    return isShared ? [podSet] : [];
  });
}

/**
 * Returns the nodes with the old pods of some sets on unknown nodes: all of them, or those that a rollout keeps that does not finish. Its
 * controller deletes pods beyond the desired number whether new ones run or not.
 */
export function placeUnreplacedPods(podSets: readonly PodSet[], which: 'all' | 'kept', limits: PlanLimits): Nodes {
  const { surroundings, cache } = limits;
  const { pools, free, demands } = surroundings!;
  const known = cache.getOrCreate(nodesBySets);
  const bySets = known.get(limits) ?? new Map<string, Nodes>();
  known.set(limits, bySets);
  const unreplaced = new Set(podSets);
  const key = which + demands.map(({ podSet }) => (unreplaced.has(podSet) ? 'o' : '-')).join('');
  const existing = bySets.get(key);
  if (existing) return existing;
  const empty = pools.map((pool) => ({ ...pool, allocatable: free.get(pool)! }));
  const before = demands.map((demand) => {
    if (!unreplaced.has(demand.podSet)) return demand;
    const { podSet, pods } = toRunningPods(demand);
    return { podSet, pods: which === 'all' ? pods : Math.min(pods, podSet.replicas) };
  });
  const { nodes } = schedulePods(createEmptyNodes(empty), sortLargestFirst(empty, before, cache), cache, 'old');
  bySets.set(key, nodes);
  return nodes;
}
