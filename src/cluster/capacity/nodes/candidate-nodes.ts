import { addToGroup } from '../../../core/group-by';
import { BoundedMemo } from '../../../core/memoize';
import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../pod-set';
import { isOnEveryNode, nodeRulesOf, toSelectorRequirements, traitOf } from './node-affinity';
import type { NodeRules, NodeTraits, Requirement } from './node-affinity';
import { TaintIndex } from './taint-index';

/** Indexes of nodes by the value of one label. Nodes with an unknown value are listed separately. */
export interface NodesByValue {
  readonly places: Map<string, number[]>;
  /** Indexes of nodes with any value. */
  readonly labelled: number[];
  readonly unknown: readonly number[];
}

/** Index of nodes by all of their labels. It is built in one pass, because each pod set may require another label. */
class LabelIndex {
  private readonly byKey = new Map<string, NodesByValue>();
  private readonly nodesWithoutLabels: number[] = [];

  constructor(private readonly nodes: readonly NodeTraits[]) {
    nodes.forEach(({ labels }, nodeIndex) => {
      if (labels === undefined) this.nodesWithoutLabels.push(nodeIndex);
      for (const key of Object.keys(labels ?? {})) if (!isOnEveryNode(key)) this.addNode(nodeIndex, key);
    });
  }

  private addNode(nodeIndex: number, key: string): void {
    const { places: indexesByValue, labelled: labelledIndexes } = this.get(key);
    const trait = traitOf(this.nodes[nodeIndex]!, key);
    if (typeof trait !== 'string') return;
    labelledIndexes.push(nodeIndex);
    addToGroup(indexesByValue, trait, nodeIndex);
  }

  /** Indexes a label that every node has, listed or not. */
  private indexEveryNode(key: string): NodesByValue {
    const all = [...this.nodes.keys()];
    const entry = {
      places: new Map(),
      labelled: [],
      unknown: all.filter((nodeIndex) => traitOf(this.nodes[nodeIndex]!, key) === undefined),
    };
    this.byKey.set(key, entry);
    for (const nodeIndex of all) this.addNode(nodeIndex, key);
    return entry;
  }

  get(key: string): NodesByValue {
    const known = this.byKey.get(key);
    if (known) return known;
    if (isOnEveryNode(key)) return this.indexEveryNode(key);
    const entry = { places: new Map(), labelled: [], unknown: this.nodesWithoutLabels };
    this.byKey.set(key, entry);
    return entry;
  }
}

function createLabelIndex(nodes: readonly NodeTraits[]): LabelIndex {
  return new LabelIndex(nodes);
}

/** Returns the nodes of a list by the value of a label. */
export function getNodesByValue(nodes: readonly NodeTraits[], key: string, cache: PlanCache): NodesByValue {
  return cache.derive(nodes, createLabelIndex).get(key);
}

/**
 * Returns lists of indexes that contain every node that may match a requirement. Returns undefined if the index does not cover the
 * requirement.
 */
function findIndexesFor(
  { key, operator, values }: Requirement,
  nodes: readonly NodeTraits[],
  cache: PlanCache,
): (readonly number[])[] | undefined {
  if (operator !== 'In' && operator !== 'Exists') return undefined;
  const { places: indexesByValue, labelled: labelledIndexes, unknown: unknownIndexes } = getNodesByValue(nodes, key, cache);
  return operator === 'Exists'
    ? [labelledIndexes, unknownIndexes]
    : [...Array.from(values, (value) => indexesByValue.get(value) ?? []), unknownIndexes];
}

function countIndexes(lists: readonly (readonly number[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}

type IndexLists = readonly (readonly number[])[];

/** Returns the lists with the fewest indexes in total. */
function pickShortest(all: readonly (IndexLists | undefined)[]): IndexLists | undefined {
  const known = all.filter((lists) => lists !== undefined);
  return known.length === 0 ? undefined : known.reduce((shortest, next) => (countIndexes(next) < countIndexes(shortest) ? next : shortest));
}

/** Returns lists of indexes of the nodes that may have the required labels. Returns undefined if no label narrows the choice. */
function findByLabels(rules: NodeRules, nodes: readonly NodeTraits[], cache: PlanCache): IndexLists | undefined {
  const findShortest = (requirements: readonly Requirement[]) =>
    pickShortest(requirements.map((requirement) => findIndexesFor(requirement, nodes, cache)));
  const byTerm = rules.terms?.map(findShortest);
  const bySelector = findShortest(toSelectorRequirements(rules));
  const byTerms = byTerm?.every((lists) => lists !== undefined) ? byTerm.flat() : undefined;
  return pickShortest([bySelector, byTerms]);
}

function mergeIndexes(lists: IndexLists | undefined, nodes: readonly NodeTraits[]): readonly number[] | undefined {
  if (lists === undefined || countIndexes(lists) >= nodes.length) return undefined;
  return [...new Set(lists.flat())].toSorted((a, b) => a - b);
}

/**
 * Returns the sorted indexes of the nodes that may have the labels that the pods of a set require. Returns undefined if no label narrows
 * the choice.
 */
export function findLabelledIndexes(podSet: PodSet, nodes: readonly NodeTraits[], cache: PlanCache): readonly number[] | undefined {
  return mergeIndexes(findByLabels(nodeRulesOf(podSet, cache), nodes, cache), nodes);
}

/** The nodes of a list by taint, and the candidates among them by node rules. */
interface CandidateIndex {
  readonly byTaint: TaintIndex<number>;
  readonly byRules: BoundedMemo<{ readonly indexes: readonly number[] | undefined }>;
}

function createCandidateIndex(nodes: readonly NodeTraits[]): CandidateIndex {
  return { byTaint: new TaintIndex(nodes.keys(), (nodeIndex) => nodes[nodeIndex]!), byRules: new BoundedMemo() };
}

/**
 * Returns the sorted indexes of the nodes that may have the labels that the pods of a set require, and no taint that excludes them. The
 * other nodes need not be checked. Returns undefined if nothing narrows the choice.
 */
export function findCandidateIndexes(podSet: PodSet, nodes: readonly NodeTraits[], cache: PlanCache): readonly number[] | undefined {
  const { byTaint, byRules } = cache.derive(nodes, createCandidateIndex);
  const rules = nodeRulesOf(podSet, cache);
  return byRules.getOrCompute(rules.key, () => ({
    indexes: mergeIndexes(pickShortest([findByLabels(rules, nodes, cache), byTaint.findTolerated(rules)]), nodes),
  })).indexes;
}

/** Returns the nodes, in order, that may have the labels that the pods of a set require, and no taint that excludes them. */
export function findCandidateNodes<Traits extends NodeTraits>(
  podSet: PodSet,
  nodes: readonly Traits[],
  cache: PlanCache,
): readonly Traits[] {
  return findCandidateIndexes(podSet, nodes, cache)?.map((nodeIndex) => nodes[nodeIndex]!) ?? nodes;
}

/** Returns the Node with a name, and the pools whose nodes have unknown names. */
export function findPoolsByName<Traits extends NodeTraits>(name: string, nodes: readonly Traits[], cache: PlanCache): readonly Traits[] {
  const { places: indexesByValue, unknown: unknownIndexes } = getNodesByValue(nodes, 'metadata.name', cache);
  return [...(indexesByValue.get(name) ?? []), ...unknownIndexes].map((nodeIndex) => nodes[nodeIndex]!);
}
