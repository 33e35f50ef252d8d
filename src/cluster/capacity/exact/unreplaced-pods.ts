import type { PodSet } from '../../workload';
import { createEmptyNodes, schedulePods } from '../placement';
import { sortLargestFirst } from '../placement-order';
import type { Nodes } from '../placement';
import type { PlanLimits } from '../rollout-capacity';

const nodesBySets = () => new WeakMap<PlanLimits, Map<string, Nodes>>();

/** Returns the sets with old pods on unknown nodes. The nodes count live pods as they are. */
export function filterUnlocated(podSets: readonly PodSet[], { surroundings }: PlanLimits): readonly PodSet[] {
  if (podSets.length === 0 || !surroundings) return [];
  const unlocated = new Set(surroundings.demands.map(({ podSet }) => podSet));
  return podSets.filter((podSet) => unlocated.has(podSet));
}

/** Returns the nodes as they are before the rollouts of some sets on unknown nodes: with the old pods of these, as these were. */
export function placeUnreplacedPods(podSets: readonly PodSet[], limits: PlanLimits): Nodes {
  const { surroundings, cache } = limits;
  const { pools, free, demands } = surroundings!;
  const known = cache.getOrCreate(nodesBySets);
  const bySets = known.get(limits) ?? new Map<string, Nodes>();
  known.set(limits, bySets);
  const unreplaced = new Set(podSets);
  const key = demands.map(({ podSet }) => (unreplaced.has(podSet) ? 'o' : '-')).join('');
  const existing = bySets.get(key);
  if (existing) return existing;
  const empty = pools.map((pool) => ({ ...pool, allocatable: free.get(pool)! }));
  const before = demands.map(({ podSet, pods }) => {
    const { oldTemplate } = podSet;
    return { podSet: unreplaced.has(podSet) && oldTemplate ? { ...podSet, template: oldTemplate } : podSet, pods };
  });
  const { nodes } = schedulePods(createEmptyNodes(empty), sortLargestFirst(empty, before, cache), cache, 'old');
  bySets.set(key, nodes);
  return nodes;
}
