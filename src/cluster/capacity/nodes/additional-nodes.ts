import type { MoreNodes } from '../../../core/capacity-result';
import type { PlanCache } from '../../../core/plan-cache';
import { toTemplateNode } from './node-affinity';
import type { NodePool } from './node-pools';
import { createEmptyNodes, fitsOnEmptyNode, iteratePoolsWithCapacity, listGroups, schedulePods } from './placement';
import type { Demand, Nodes } from './placement';

const sampleNodesByPools = () => new WeakMap<readonly NodePool[], Nodes>();

/** Returns an empty node of each pool, even if the pool has no nodes now. */
function getSampleNodes(pools: readonly NodePool[], cache: PlanCache): Nodes {
  const byPools = cache.getOrCreate(sampleNodesByPools);
  const nodes = byPools.get(pools) ?? createEmptyNodes(pools.map((pool) => ({ ...pool, count: 1 })));
  byPools.set(pools, nodes);
  return nodes;
}

/**
 * Returns how many nodes must be added for these new pods to the first pool on which all of them fit. Returns undefined if there is none.
 */
export function computeAdditionalNodes(pools: readonly NodePool[], demands: readonly Demand[], cache: PlanCache): MoreNodes | undefined {
  const enough = demands.reduce((sum, { pods }) => sum + pods, 0);
  const [first] = demands;
  if (!first) return undefined;
  for (const pool of iteratePoolsWithCapacity(first.podSet, getSampleNodes(pools, cache), cache)) {
    const newNodes = { ...toTemplateNode(pool), count: enough };
    if (demands.some(({ podSet }) => !fitsOnEmptyNode(newNodes, podSet, cache))) continue;
    const { nodes } = schedulePods(createEmptyNodes([newNodes]), demands, cache);
    const untouched = listGroups(nodes).filter(({ free }) => free === pool.allocatable);
    return { pool: pool.name, nodes: enough - untouched.reduce((sum, { count }) => sum + count, 0) };
  }
  return undefined;
}
