import type { PlanCache } from '../../core/plan-cache';
import type { PodSet } from '../workload';
import { listRequiredLabelKeys, isOnEveryNode, nodeRulesOf, traitOf } from './node-affinity';
import type { NodeTraits } from './node-affinity';
import type { Amounts } from './pod-requests';

/** Nodes of one make. */
export interface NodePool extends NodeTraits {
  readonly name: string;
  /** Nodes, from 0. */
  readonly count: number;
  /** What one node has for pods. CPU, memory, storage and pods that are not named are not limited; any other resource is then not there. */
  readonly allocatable: Amounts;
}

/**
 * The pools with those made one whose nodes no pod can tell apart: the same allocatable and taints,
 * and the same labels as far as a node selector or required affinity asks for them. A cluster's own Nodes come down to a few makes by it.
 */
export function mergeNodePools(pools: readonly NodePool[], podSets: readonly PodSet[], cache: PlanCache): NodePool[] {
  // Nobody is asked about rules where there are no nodes.
  if (pools.length === 0) return [];
  const rules = new Map(podSets.map((podSet) => nodeRulesOf(podSet, cache)).map((nodeRules) => [nodeRules.key, nodeRules]));
  const requiredKeys = new Set([...rules.values()].flatMap(listRequiredLabelKeys));
  const universalKeys = [...requiredKeys].filter(isOnEveryNode);
  const byKey = new Map<string, NodePool>();
  for (const pool of pools) {
    const resources = [...pool.allocatable].map(([resource, amount]) => `${resource}=${amount}`).toSorted();
    const own = Object.keys(pool.labels ?? {}).filter((key) => requiredKeys.has(key));
    const keys = [...new Set([...own, ...universalKeys])].toSorted();
    const traits = keys
      .map((key) => [key, traitOf(pool, key)] as const)
      .map(([key, trait]) => (trait === undefined ? [key] : [key, trait]));
    const poolKey = JSON.stringify([resources, pool.labels !== undefined, traits, pool.taints ?? []]);
    const known = byKey.get(poolKey);
    byKey.set(poolKey, known ? { ...known, count: known.count + pool.count } : pool);
  }
  return [...byKey.values()];
}
