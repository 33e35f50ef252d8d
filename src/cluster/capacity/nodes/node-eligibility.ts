import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../pod-set';
import { findEligibleNodes } from './eligible-nodes';
import { hasLabels, nodeRulesOf, findUntoleratedTaint } from './node-affinity';
import type { NodeRules, Requirement } from './node-affinity';
import type { NodePool } from './node-pools';

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
