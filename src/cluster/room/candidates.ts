import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { isOnEveryNode, rulesOf, traitOf } from './node-affinity';
import type { NodeTraits, Requirement } from './node-affinity';

/** Nodes by the value that they have of one label, as their places in the list; those of which it is not known apart. */
interface ByValue {
  readonly places: Map<string, number[]>;
  /** Those with any value. */
  readonly labelled: number[];
  readonly unknown: readonly number[];
}

/** The nodes of a list by all of their labels, which are gone through once: each set of pods may ask for a label of its own. */
class LabelIndex {
  private readonly byKey = new Map<string, ByValue>();
  private readonly unlabelled: number[] = [];

  constructor(private readonly nodes: readonly NodeTraits[]) {
    nodes.forEach(({ labels }, place) => {
      if (labels === undefined) this.unlabelled.push(place);
      for (const key of Object.keys(labels ?? {})) if (!isOnEveryNode(key)) this.note(place, key);
    });
  }

  private note(place: number, key: string): void {
    const { places, labelled } = this.of(key);
    const trait = traitOf(this.nodes[place]!, key);
    if (typeof trait !== 'string') return;
    labelled.push(place);
    const known = places.get(trait);
    if (known) known.push(place);
    else places.set(trait, [place]);
  }

  /** The same for a label that every node has, whether or not it is given. */
  private ofEveryNode(key: string): ByValue {
    const all = [...this.nodes.keys()];
    const entry = { places: new Map(), labelled: [], unknown: all.filter((place) => traitOf(this.nodes[place]!, key) === undefined) };
    this.byKey.set(key, entry);
    for (const place of all) this.note(place, key);
    return entry;
  }

  of(key: string): ByValue {
    const known = this.byKey.get(key);
    if (known) return known;
    if (isOnEveryNode(key)) return this.ofEveryNode(key);
    const entry = { places: new Map(), labelled: [], unknown: this.unlabelled };
    this.byKey.set(key, entry);
    return entry;
  }
}

/** Made once for a list of nodes. */
const indexesByNodes = () => new WeakMap<readonly NodeTraits[], LabelIndex>();

function indexOf(nodes: readonly NodeTraits[], key: string, memory: Memory): ByValue {
  const byNodes = memory.of(indexesByNodes);
  const index = byNodes.get(nodes) ?? new LabelIndex(nodes);
  byNodes.set(nodes, index);
  return index.of(key);
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
