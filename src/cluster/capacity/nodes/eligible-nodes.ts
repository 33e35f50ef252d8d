import { BoundedMemo } from '../../../core/memoize';
import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../pod-set';
import { matchesNode, nodeRulesOf } from './node-affinity';
import type { NodeRules, NodeTraits, Revision } from './node-affinity';

/** Creates the eligible nodes of a list by the rules of pods, because many pod sets have the same rules. */
const createMemo = (_nodes: readonly NodeTraits[]) => new BoundedMemo<readonly number[]>();

function computeEligibleIndexes(nodes: readonly NodeTraits[], rules: NodeRules, revision: Revision): readonly number[] {
  const indexes: number[] = [];
  for (const [index, traits] of nodes.entries()) if (matchesNode(rules, traits, revision)) indexes.push(index);
  return indexes;
}

/** Returns the indexes of the nodes of a list that pods of a set can run on, in order, if there is capacity. */
export function findEligibleIndexes(podSet: PodSet, nodes: readonly NodeTraits[], revision: Revision, cache: PlanCache): readonly number[] {
  const rules = nodeRulesOf(podSet, cache);
  const memo = cache.derive(nodes, createMemo);
  return memo.getOrCompute(`${revision} ${rules.key}`, () => computeEligibleIndexes(nodes, rules, revision));
}

/** Returns the nodes of a list that pods of a set can run on, in order, if there is capacity. */
export function findEligibleNodes<Traits extends NodeTraits>(
  podSet: PodSet,
  nodes: readonly Traits[],
  revision: Revision,
  cache: PlanCache,
): readonly Traits[] {
  return findEligibleIndexes(podSet, nodes, revision, cache).map((index) => nodes[index]!);
}
