import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { rulesOf, traitOf } from './node-affinity';
import type { NodeTraits, Requirement } from './node-affinity';

/** Nodes by the value that they have of one label, as their places in the list; those of which it is not known apart. */
interface ByValue {
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Those with any value. */
  readonly labelled: readonly number[];
  readonly unknown: readonly number[];
}

function byValueOf(nodes: readonly NodeTraits[], key: string): ByValue {
  const places = new Map<string, number[]>();
  const labelled: number[] = [];
  const unknown: number[] = [];
  nodes.forEach((node, place) => {
    const trait = traitOf(node, key);
    if (trait === undefined) unknown.push(place);
    if (typeof trait !== 'string') return;
    labelled.push(place);
    const known = places.get(trait);
    if (known) known.push(place);
    else places.set(trait, [place]);
  });
  return { places, labelled, unknown };
}

/** Made once for a list of nodes and a label, since many sets of pods ask for the same one. */
const indexesByNodes = () => new WeakMap<readonly NodeTraits[], Map<string, ByValue>>();

function indexOf(nodes: readonly NodeTraits[], key: string, memory: Memory): ByValue {
  const byNodes = memory.of(indexesByNodes);
  const ofNodes = byNodes.get(nodes) ?? new Map<string, ByValue>();
  byNodes.set(nodes, ofNodes);
  const index = ofNodes.get(key) ?? byValueOf(nodes, key);
  ofNodes.set(key, index);
  return index;
}

/** Lists of places that hold every node for which a requirement can be true; undefined where the index does not tell. */
function placesFor(
  { key, operator, values }: Requirement,
  nodes: readonly NodeTraits[],
  memory: Memory,
): (readonly number[])[] | undefined {
  if (operator !== 'In' && operator !== 'Exists') return undefined;
  const { places, labelled, unknown } = indexOf(nodes, key, memory);
  return operator === 'Exists' ? [labelled, unknown] : [...values.map((value) => places.get(value) ?? []), unknown];
}

function countOf(lists: readonly (readonly number[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}

type Lists = readonly (readonly number[])[];

/** The one with fewest places. */
function fewest(all: readonly (Lists | undefined)[]): Lists | undefined {
  const known = all.filter((lists) => lists !== undefined);
  return known.length === 0 ? undefined : known.reduce((least, next) => (countOf(next) < countOf(least) ? next : least));
}

/**
 * The places in a list of the nodes that may have the labels which the pods of a set ask for, in their order: the others have not, and need not be asked.
 * Undefined where no label narrows the choice.
 */
export function candidatePlaces(podSet: PodSet, nodes: readonly NodeTraits[], memory: Memory): readonly number[] | undefined {
  const { selector, terms } = rulesOf(podSet, memory);
  const narrowest = (requirements: readonly Requirement[]) =>
    fewest(requirements.map((requirement) => placesFor(requirement, nodes, memory)));
  const byTerm = terms?.map(narrowest);
  const bySelector = narrowest(selector.map(([key, value]) => ({ key, operator: 'In', values: [value] })));
  const byTerms = byTerm?.every((lists) => lists !== undefined) ? byTerm.flat() : undefined;
  const lists = fewest([bySelector, byTerms]);
  if (lists === undefined || countOf(lists) >= nodes.length) return undefined;
  return [...new Set(lists.flat())].toSorted((a, b) => a - b);
}

/** The nodes that may have the labels which the pods of a set ask for, in their order. */
export function candidates<Traits extends NodeTraits>(podSet: PodSet, nodes: readonly Traits[], memory: Memory): readonly Traits[] {
  return candidatePlaces(podSet, nodes, memory)?.map((place) => nodes[place]!) ?? nodes;
}
