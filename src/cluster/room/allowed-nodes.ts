import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { alikeLabelled, alikePools } from './alike-nodes';
import { hasLabels, rulesOf, runsOn, untolerated } from './node-affinity';
import type { NodeRules, Requirement } from './node-affinity';
import type { NodePool } from './node-pools';

const anywhereByPools = () => new WeakMap<readonly NodePool[], Map<string, boolean>>();

function goToAll(podSet: PodSet, pools: readonly NodePool[], memory: Memory): boolean {
  const allowed = alikePools(podSet, pools, memory).filter(({ pool }) => runsOn(podSet, pool, 'new', memory));
  return allowed.reduce((sum, alike) => sum + alike.pools, 0) === pools.length;
}

/** May new pods of a set go to every one of these nodes? */
export function goesAnywhere(podSet: PodSet, pools: readonly NodePool[], memory: Memory): boolean {
  const { key } = rulesOf(podSet, memory);
  const byPools = memory.of(anywhereByPools);
  const known = byPools.get(pools) ?? new Map<string, boolean>();
  byPools.set(pools, known);
  const anywhere = known.get(key) ?? goToAll(podSet, pools, memory);
  known.set(key, anywhere);
  return anywhere;
}

const WORDS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} not in (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `no ${key}`,
  Gt: (key, values) => `${key} > ${values}`,
  Lt: (key, values) => `${key} < ${values}`,
};

function describeRequirement({ key, operator, values }: Requirement): string {
  const words = Object.hasOwn(WORDS, operator) ? WORDS[operator] : undefined;
  return words?.(key, [...values].join(', ')) ?? `${key} ${operator}`;
}

function describeLabels({ selector, terms }: NodeRules): string {
  const selected = selector.map(([key, value]) => `${key}=${value}`);
  const affinity = terms?.map((term) => term.map(describeRequirement).join(' and ')).join(', or ');
  return [...selected, ...(affinity === undefined ? [] : [affinity || 'a node affinity without terms'])].join(' and ');
}

/** What keeps the pods of a set off every node: labels that no node has, or taints that they don't tolerate. */
export interface NoNode {
  readonly kind: 'labels' | 'taints';
  /** The labels asked for, or the taints of the nodes that have them: `gpu in (a100)`, `dedicated=gpu:NoSchedule`. */
  readonly what: string;
}

/** Why new pods of a set may go to none of these nodes, whatever room they have; undefined where they may go to some. */
export function whyNoNode(podSet: PodSet, pools: readonly NodePool[], memory: Memory): NoNode | undefined {
  if (alikePools(podSet, pools, memory).some(({ pool }) => runsOn(podSet, pool, 'new', memory))) return undefined;
  const rules = rulesOf(podSet, memory);
  const labelled = alikeLabelled(podSet, pools, memory).filter(({ pool }) => hasLabels(rules, pool));
  if (labelled.length === 0) return { kind: 'labels', what: describeLabels(rules) };
  const taints = labelled.map(({ pool }) => untolerated(rules, pool)!);
  const names = taints.map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
  return { kind: 'taints', what: [...new Set(names)].join(', ') };
}
