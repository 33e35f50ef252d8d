import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { askedKeys, isOnEveryNode, rulesOf, traitOf } from './node-affinity';
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
export function mergedPools(pools: readonly NodePool[], podSets: readonly PodSet[], memory: Memory): NodePool[] {
  // Nobody is asked about rules where there are no nodes.
  if (pools.length === 0) return [];
  const rules = new Map(podSets.map((podSet) => rulesOf(podSet, memory)).map((ofSet) => [ofSet.key, ofSet]));
  const asked = new Set([...rules.values()].flatMap(askedKeys));
  const askedOfAll = [...asked].filter(isOnEveryNode);
  const byMake = new Map<string, NodePool>();
  for (const pool of pools) {
    const resources = [...pool.allocatable].map(([resource, amount]) => `${resource}=${amount}`).toSorted();
    const own = Object.keys(pool.labels ?? {}).filter((key) => asked.has(key));
    const keys = [...new Set([...own, ...askedOfAll])].toSorted();
    const traits = keys
      .map((key) => [key, traitOf(pool, key)] as const)
      .map(([key, trait]) => (trait === undefined ? [key] : [key, trait]));
    const make = JSON.stringify([resources, pool.labels !== undefined, traits, pool.taints ?? []]);
    const known = byMake.get(make);
    byMake.set(make, known ? { ...known, count: known.count + pool.count } : pool);
  }
  return [...byMake.values()];
}
