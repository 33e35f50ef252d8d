import type { PlanCache } from '../../../core/collections/plan-cache';
import type { NodePool } from '../../context/capacity';
import type { PodSet } from '../../rollout/pod-set';
import { formatAmounts } from '../amounts';
import { listRequiredLabelKeys, isOnEveryNode, nodeRulesOf, traitOf } from './node-affinity';

/**
 * Merges pools whose nodes no pod can distinguish. These have the same allocatable resources and taints, and the same values for all labels
 * that a node selector or required affinity uses. This reduces the Nodes of a cluster to a few pools.
 */
export function mergeNodePools(pools: readonly NodePool[], podSets: readonly PodSet[], cache: PlanCache): NodePool[] {
  // Without nodes, the rules of pods need not be parsed.
  if (pools.length === 0) return [];
  const rules = new Map(podSets.map((podSet) => nodeRulesOf(podSet, cache)).map((nodeRules) => [nodeRules.key, nodeRules]));
  const requiredKeys = new Set([...rules.values()].flatMap(listRequiredLabelKeys));
  const universalKeys = [...requiredKeys].filter(isOnEveryNode);
  const byKey = new Map<string, NodePool>();
  for (const pool of pools) {
    const own = Object.keys(pool.labels ?? {}).filter((key) => requiredKeys.has(key));
    const keys = [...new Set([...own, ...universalKeys])].toSorted();
    const traits = keys
      .map((key) => [key, traitOf(pool, key)] as const)
      .map(([key, trait]) => (trait === undefined ? [key] : [key, trait]));
    const poolKey = JSON.stringify([formatAmounts(pool.allocatable), pool.labels !== undefined, traits, pool.taints ?? []]);
    const known = byKey.get(poolKey);
    byKey.set(poolKey, known ? { ...known, count: known.count + pool.count } : pool);
  }
  return [...byKey.values()];
}
