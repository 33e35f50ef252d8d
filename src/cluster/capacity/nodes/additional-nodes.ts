import type { MoreNodes } from '../../../core/document/capacity-result';
import type { PlanCache } from '../../../core/collections/plan-cache';
import { toTemplateNode } from './node-affinity';
import type { NodePool } from '../../context/capacity';
import { createEmptyNodes, fitsOnEmptyNode, listGroups, schedulePods } from './placement';
import type { Demand } from './placement';

/**
 * Returns how many nodes must be added for these new pods to the first pool on which all of them fit. Returns undefined if there is none.
 */
export function computeAdditionalNodes(pools: readonly NodePool[], demands: readonly Demand[], cache: PlanCache): MoreNodes | undefined {
  const enough = demands.reduce((sum, { pods }) => sum + pods, 0);
  if (demands.length === 0) return undefined;
  for (const pool of pools) {
    const newNodes = { ...toTemplateNode(pool), count: enough };
    if (demands.some(({ podSet }) => !fitsOnEmptyNode(newNodes, podSet, cache))) continue;
    const { nodes } = schedulePods(createEmptyNodes([newNodes]), demands, cache);
    const untouched = listGroups(nodes).filter(({ free }) => free === pool.allocatable);
    return { pool: pool.name, nodes: enough - untouched.reduce((sum, { count }) => sum + count, 0) };
  }
  return undefined;
}
