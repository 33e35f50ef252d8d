import { BoundedMemo } from '../../../core/collections/memoize';
import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import { findUntoleratedTaint, hasLabels, matchesNode, nodeRulesOf } from './node-affinity';
import type { NodeRules, Requirement, Revision } from './node-affinity';
import type { NodeTraits, NodePool } from '../../context/capacity';

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

/** Reports whether new pods of a set can run on every one of these nodes. */
export function hasNoNodeConstraints(podSet: PodSet, pools: readonly NodePool[], cache: PlanCache): boolean {
  return findEligibleNodes(podSet, pools, 'new', cache).length === pools.length;
}

const OPERATOR_FORMATS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} not in (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `no ${key}`,
  Gt: (key, values) => `${key} > ${values}`,
  Lt: (key, values) => `${key} < ${values}`,
};

function describeRequirement({ key, operator, values }: Requirement): string {
  const format = Object.hasOwn(OPERATOR_FORMATS, operator) ? OPERATOR_FORMATS[operator] : undefined;
  return format?.(key, [...values].join(', ')) ?? `${key} ${operator}`;
}

function describeLabels({ selector, terms }: NodeRules): string {
  const selected = selector.map(([key, value]) => `${key}=${value}`);
  const affinity = terms?.map((term) => term.map(describeRequirement).join(' and ')).join(', or ');
  return [...selected, ...(affinity === undefined ? [] : [affinity || 'a node affinity without terms'])].join(' and ');
}

/** What excludes the pods of a set from every node: labels that no node has, or taints that the pods do not tolerate. */
export interface UnschedulableReason {
  readonly kind: 'labels' | 'taints';
  /** The required labels, or the taints of the nodes that have them: `gpu in (a100)`, `dedicated=gpu:NoSchedule`. */
  readonly details: string;
}

/** Returns why new pods of a set can run on none of these nodes, regardless of capacity. Returns undefined if they can run on some. */
export function explainUnschedulable(podSet: PodSet, pools: readonly NodePool[], cache: PlanCache): UnschedulableReason | undefined {
  if (findEligibleNodes(podSet, pools, 'new', cache).length > 0) return undefined;
  const rules = nodeRulesOf(podSet, cache);
  const labelled = pools.filter((pool) => hasLabels(rules, pool));
  if (labelled.length === 0) return { kind: 'labels', details: describeLabels(rules) };
  const taints = labelled.map((pool) => findUntoleratedTaint(rules, pool)!);
  const names = taints.map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
  return { kind: 'taints', details: [...new Set(names)].join(', ') };
}
