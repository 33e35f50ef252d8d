import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../pod-set';
import { findCandidateIndexes, findLabelledIndexes, getNodesByValue } from './candidate-nodes';
import { matchesRequirement, nodeRulesOf, toSelectorRequirements } from './node-affinity';
import type { NodeRules, Requirement } from './node-affinity';
import { groupNodesByClass } from './node-classes';
import type { NodeClassOptions, NodeClass, NodeClasses } from './node-classes';
import type { NodePool } from './node-pools';

/** Pools that are equivalent for a pod set: its pods can run on the nodes of all of them or of none. */
export interface EquivalentPools {
  /** Index of the first pool in the list. */
  readonly place: number;
  readonly pool: NodePool;
  /** Number of pools, from 1. */
  readonly pools: number;
  /** Total number of nodes. */
  readonly count: number;
  /**
   * The node class these pools belong to, without its pools that are reported individually. Unset for a pool that is reported individually.
   */
  readonly nodeClass?: NodeClass;
}

type IndexSet = ReadonlySet<number>;

/** Requirements that must all match, split by whether a node class as a whole determines the result. */
interface ClassTerm {
  readonly classRequirements: readonly Requirement[];
  /** Indexes of pools, by node class, that may not match another requirement. Undefined if that is not known. */
  readonly exceptions: ReadonlyMap<NodeClass, IndexSet> | undefined;
}

const NO_INDEXES: IndexSet = new Set();

/** Returns the indexes of pools that may not match a requirement. Returns undefined if the index does not cover it. */
function findFailingIndexes(
  { key, operator, values }: Requirement,
  pools: readonly NodePool[],
  cache: PlanCache,
): readonly number[] | undefined {
  if (operator !== 'NotIn' && operator !== 'DoesNotExist') return undefined;
  const { places: indexes, labelled } = getNodesByValue(pools, key, cache);
  return operator === 'DoesNotExist' ? labelled : Array.from(values, (value) => indexes.get(value) ?? []).flat();
}

function groupByNodeClass(all: readonly (readonly number[])[], { byIndex: classByIndex }: NodeClasses): ReadonlyMap<NodeClass, IndexSet> {
  const found = new Map<NodeClass, Set<number>>();
  for (const index of all.flat()) {
    const known = found.get(classByIndex[index]!);
    if (known) known.add(index);
    else found.set(classByIndex[index]!, new Set([index]));
  }
  return found;
}

function buildClassTerm(
  requirements: readonly Requirement[],
  pools: readonly NodePool[],
  classes: NodeClasses,
  cache: PlanCache,
): ClassTerm {
  const otherTerms = requirements
    .filter(({ key }) => !classes.commonLabels.has(key))
    .map((requirement) => findFailingIndexes(requirement, pools, cache));
  const known = otherTerms.filter((indexes) => indexes !== undefined);
  return {
    classRequirements: requirements.filter(({ key }) => classes.commonLabels.has(key)),
    exceptions: known.length === otherTerms.length ? groupByNodeClass(known, classes) : undefined,
  };
}

/** Returns pools individually. */
function listSinglePools(indexes: Iterable<number>, pools: readonly NodePool[]): EquivalentPools[] {
  return Array.from(indexes, (index) => ({ place: index, pool: pools[index]!, pools: 1, count: pools[index]!.count }));
}

/** Splits a node class into its exceptions, reported individually, and the other pools, merged. */
function splitNodeClass(nodeClass: NodeClass, exceptions: IndexSet, pools: readonly NodePool[]): EquivalentPools[] {
  const singlePools = listSinglePools(exceptions, pools);
  const first = nodeClass.places.find((index) => !exceptions.has(index));
  if (first === undefined) return singlePools;
  const count = nodeClass.nodes - singlePools.reduce((sum, pool) => sum + pool.count, 0);
  return [...singlePools, { place: first, pool: pools[first]!, pools: nodeClass.places.length - singlePools.length, count, nodeClass }];
}

function evaluateNodeClass(
  nodeClass: NodeClass,
  selector: ClassTerm,
  terms: readonly ClassTerm[],
  pools: readonly NodePool[],
): readonly EquivalentPools[] {
  const pool = pools[nodeClass.places[0]!]!;
  const canMatch = (term: ClassTerm) => term.classRequirements.every((requirement) => matchesRequirement(requirement, pool));
  const matchingTerms = terms.filter(canMatch);
  if (!canMatch(selector) || matchingTerms.length === 0) return [];
  const exceptions = matchingTerms.flatMap((term) => (term.exceptions ? [term.exceptions.get(nodeClass) ?? NO_INDEXES] : []));
  if (selector.exceptions === undefined || exceptions.length === 0) return listSinglePools(nodeClass.places, pools);
  return splitNodeClass(
    nodeClass,
    exceptions.reduce((smallest, next) => (next.size < smallest.size ? next : smallest)),
    pools,
  );
}

function evaluateNodeClasses(
  candidateClasses: Iterable<NodeClass>,
  rules: NodeRules,
  pools: readonly NodePool[],
  classes: NodeClasses,
  cache: PlanCache,
) {
  const { terms = [[]] } = rules;
  const [first, ...otherTerms] = [toSelectorRequirements(rules), ...terms].map((requirements) =>
    buildClassTerm(requirements, pools, classes, cache),
  );
  return Array.from(candidateClasses, (nodeClass) => evaluateNodeClass(nodeClass, first!, otherTerms, pools))
    .flat()
    .toSorted((a, b) => a.place - b.place);
}

/**
 * Returns the pools this pod set can be scheduled on, with equivalent pools merged, in the order of the first pool of each. Pools not
 * returned are ineligible. Cost does not grow with the number of Nodes.
 */
export function findEquivalentPools(
  podSet: PodSet,
  pools: readonly NodePool[],
  cache: PlanCache,
  options?: NodeClassOptions,
): readonly EquivalentPools[] {
  const candidateIndexes = findCandidateIndexes(podSet, pools, cache);
  const classes = groupNodesByClass(pools, cache, options);
  if (candidateIndexes && candidateIndexes.length <= classes.all.length) return listSinglePools(candidateIndexes, pools);
  const rules = nodeRulesOf(podSet, cache);
  return evaluateNodeClasses(classes.byTaint.findTolerated(rules)?.flat() ?? classes.all, rules, pools, classes, cache);
}

/** Returns the pools, with equivalent pools merged, that may have the required labels, regardless of their taints. */
export function findEquivalentLabelledPools(podSet: PodSet, pools: readonly NodePool[], cache: PlanCache): readonly EquivalentPools[] {
  const candidateIndexes = findLabelledIndexes(podSet, pools, cache);
  const classes = groupNodesByClass(pools, cache);
  return candidateIndexes && candidateIndexes.length <= classes.all.length
    ? listSinglePools(candidateIndexes, pools)
    : evaluateNodeClasses(classes.all, nodeRulesOf(podSet, cache), pools, classes, cache);
}
