import type { PlanCache } from '../../core/plan-cache';
import type { PodSet } from '../workload';
import { findCandidateIndexes, findLabelledIndexes, getNodesByValue } from './candidate-nodes';
import { matchesRequirement, nodeRulesOf, toSelectorRequirements } from './node-affinity';
import type { NodeRules, Requirement } from './node-affinity';
import { groupNodesByClass } from './node-classes';
import type { NodeClassOptions, NodeClass, NodeClasses } from './node-classes';
import type { NodePool } from './node-pools';

/** Pools that are one to a set of pods, which may go to the nodes of all of them or of none. */
export interface EquivalentPools {
  /** The place of the first of them in the list. */
  readonly place: number;
  readonly pool: NodePool;
  /** Pools, from 1. */
  readonly pools: number;
  /** Nodes of all of them. */
  readonly count: number;
  /** Of which they are all but those that stand in the answer one by one; absent of a pool that stands there by itself. */
  readonly nodeClass?: NodeClass;
}

type IndexSet = ReadonlySet<number>;

/** Requirements that all have to hold, by whether a make as a whole answers them. */
interface ClassTerm {
  readonly classRequirements: readonly Requirement[];
  /** By make, the places for which another one may not hold; undefined where that is not known. */
  readonly exceptions: ReadonlyMap<NodeClass, IndexSet> | undefined;
}

const NO_INDEXES: IndexSet = new Set();

/** The places for which a requirement may not hold; undefined where the index does not tell. */
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

/** The pools of a make one by one. */
function listSinglePools(indexes: Iterable<number>, pools: readonly NodePool[]): EquivalentPools[] {
  return Array.from(indexes, (index) => ({ place: index, pool: pools[index]!, pools: 1, count: pools[index]!.count }));
}

/** A make: the places apart one by one, and the others as one. */
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
    exceptions.reduce((least, next) => (next.size < least.size ? next : least)),
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
 * The pools that the pods of a set may go to, those that are one to them as one, in order of the first of each:
 * the set is asked of few, however many Nodes there are. To pools that are left out they may not go.
 */
export function findEquivalentPools(
  podSet: PodSet,
  pools: readonly NodePool[],
  cache: PlanCache,
  exceptions?: NodeClassOptions,
): readonly EquivalentPools[] {
  const candidateIndexes = findCandidateIndexes(podSet, pools, cache);
  const classes = groupNodesByClass(pools, cache, exceptions);
  if (candidateIndexes && candidateIndexes.length <= classes.all.length) return listSinglePools(candidateIndexes, pools);
  const rules = nodeRulesOf(podSet, cache);
  return evaluateNodeClasses(classes.byTaint.findTolerated(rules)?.flat() ?? classes.all, rules, pools, classes, cache);
}

/** The same for all that may have the labels which the pods ask for, whatever taints they have. */
export function findEquivalentLabelledPools(podSet: PodSet, pools: readonly NodePool[], cache: PlanCache): readonly EquivalentPools[] {
  const candidateIndexes = findLabelledIndexes(podSet, pools, cache);
  const classes = groupNodesByClass(pools, cache);
  return candidateIndexes && candidateIndexes.length <= classes.all.length
    ? listSinglePools(candidateIndexes, pools)
    : evaluateNodeClasses(classes.all, nodeRulesOf(podSet, cache), pools, classes, cache);
}
