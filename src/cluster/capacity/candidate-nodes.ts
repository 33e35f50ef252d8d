import type { PlanCache } from '../../core/plan-cache';
import type { PodSet } from '../workload';
import { isOnEveryNode, nodeRulesOf, toSelectorRequirements, traitOf } from './node-affinity';
import type { NodeRules, NodeTraits, Requirement } from './node-affinity';
import { TaintIndex } from './taint-index';

/** Nodes by the value that they have of one label, as their places in the list; those of which it is not known apart. */
export interface NodesByValue {
  readonly places: Map<string, number[]>;
  /** Those with any value. */
  readonly labelled: number[];
  readonly unknown: readonly number[];
}

/** The nodes of a list by all of their labels, which are gone through once: each set of pods may ask for a label of its own. */
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
    const known = indexesByValue.get(trait);
    if (known) known.push(nodeIndex);
    else indexesByValue.set(trait, [nodeIndex]);
  }

  /** The same for a label that every node has, whether or not it is given. */
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

/** Made once for a list of nodes. */
const labelIndexByNodes = () => new WeakMap<readonly NodeTraits[], LabelIndex>();

/** The nodes of a list by the value that they have of a label. */
export function getNodesByValue(nodes: readonly NodeTraits[], key: string, cache: PlanCache): NodesByValue {
  const byNodes = cache.getOrCreate(labelIndexByNodes);
  const index = byNodes.get(nodes) ?? new LabelIndex(nodes);
  byNodes.set(nodes, index);
  return index.get(key);
}

/** Lists of places that hold every node for which a requirement can be true; undefined where the index does not tell. */
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

/** The one with fewest places. */
function pickShortest(all: readonly (IndexLists | undefined)[]): IndexLists | undefined {
  const known = all.filter((lists) => lists !== undefined);
  return known.length === 0 ? undefined : known.reduce((least, next) => (countIndexes(next) < countIndexes(least) ? next : least));
}

/** Lists of places of the nodes that may have the labels which rules ask for; undefined where no label narrows the choice. */
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

/** The places in a list of the nodes that may have the labels which the pods of a set ask for, in their order; undefined where no label narrows the choice. */
export function findLabelledIndexes(podSet: PodSet, nodes: readonly NodeTraits[], cache: PlanCache): readonly number[] | undefined {
  return mergeIndexes(findByLabels(nodeRulesOf(podSet, cache), nodes, cache), nodes);
}

const taintIndexByNodes = () => new WeakMap<readonly NodeTraits[], TaintIndex<number>>();

/**
 * The places in a list of the nodes that may have the labels which the pods of a set ask for, and no taint that keeps them off, in their order:
 * the others need not be asked. Undefined where nothing narrows the choice.
 */
export function findCandidateIndexes(podSet: PodSet, nodes: readonly NodeTraits[], cache: PlanCache): readonly number[] | undefined {
  const byNodes = cache.getOrCreate(taintIndexByNodes);
  const taintIndex = byNodes.get(nodes) ?? new TaintIndex(nodes.keys(), (nodeIndex) => nodes[nodeIndex]!);
  byNodes.set(nodes, taintIndex);
  const rules = nodeRulesOf(podSet, cache);
  return mergeIndexes(pickShortest([findByLabels(rules, nodes, cache), taintIndex.findTolerated(rules)]), nodes);
}

/** The nodes that may have the labels which the pods of a set ask for, and no taint that keeps them off, in their order. */
export function findCandidateNodes<Traits extends NodeTraits>(
  podSet: PodSet,
  nodes: readonly Traits[],
  cache: PlanCache,
): readonly Traits[] {
  return findCandidateIndexes(podSet, nodes, cache)?.map((nodeIndex) => nodes[nodeIndex]!) ?? nodes;
}

/** The Node of a name, and the pools whose nodes have names that are not known. */
export function findPoolsByName<Traits extends NodeTraits>(name: string, nodes: readonly Traits[], cache: PlanCache): readonly Traits[] {
  const { places: indexesByValue, unknown: unknownIndexes } = getNodesByValue(nodes, 'metadata.name', cache);
  return [...(indexesByValue.get(name) ?? []), ...unknownIndexes].map((nodeIndex) => nodes[nodeIndex]!);
}
