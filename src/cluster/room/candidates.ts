import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { isOnEveryNode, rulesOf, selectorRequirements, traitOf } from './node-affinity';
import type { NodeRules, NodeTraits, Requirement } from './node-affinity';
import { ByTaint } from './tolerated-nodes';

/** Nodes by the value that they have of one label, as their places in the list; those of which it is not known apart. */
export interface ByValue {
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

/** The nodes of a list by the value that they have of a label. */
export function placesByValue(nodes: readonly NodeTraits[], key: string, memory: Memory): ByValue {
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
  const { places, labelled, unknown } = placesByValue(nodes, key, memory);
  return operator === 'Exists' ? [labelled, unknown] : [...Array.from(values, (value) => places.get(value) ?? []), unknown];
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

/** Lists of places of the nodes that may have the labels which rules ask for; undefined where no label narrows the choice. */
function byLabels(rules: NodeRules, nodes: readonly NodeTraits[], memory: Memory): Lists | undefined {
  const narrowest = (requirements: readonly Requirement[]) =>
    fewest(requirements.map((requirement) => placesFor(requirement, nodes, memory)));
  const byTerm = rules.terms?.map(narrowest);
  const bySelector = narrowest(selectorRequirements(rules));
  const byTerms = byTerm?.every((lists) => lists !== undefined) ? byTerm.flat() : undefined;
  return fewest([bySelector, byTerms]);
}

function placesIn(lists: Lists | undefined, nodes: readonly NodeTraits[]): readonly number[] | undefined {
  if (lists === undefined || countOf(lists) >= nodes.length) return undefined;
  return [...new Set(lists.flat())].toSorted((a, b) => a - b);
}

/** The places in a list of the nodes that may have the labels which the pods of a set ask for, in their order; undefined where no label narrows the choice. */
export function labelledPlaces(podSet: PodSet, nodes: readonly NodeTraits[], memory: Memory): readonly number[] | undefined {
  return placesIn(byLabels(rulesOf(podSet, memory), nodes, memory), nodes);
}

const taintsByNodes = () => new WeakMap<readonly NodeTraits[], ByTaint<number>>();

/**
 * The places in a list of the nodes that may have the labels which the pods of a set ask for, and no taint that keeps them off, in their order:
 * the others need not be asked. Undefined where nothing narrows the choice.
 */
export function candidatePlaces(podSet: PodSet, nodes: readonly NodeTraits[], memory: Memory): readonly number[] | undefined {
  const byNodes = memory.of(taintsByNodes);
  const byTaint = byNodes.get(nodes) ?? new ByTaint(nodes.keys(), (place) => nodes[place]!);
  byNodes.set(nodes, byTaint);
  const rules = rulesOf(podSet, memory);
  return placesIn(fewest([byLabels(rules, nodes, memory), byTaint.tolerated(rules)]), nodes);
}

/** The nodes that may have the labels which the pods of a set ask for, and no taint that keeps them off, in their order. */
export function candidates<Traits extends NodeTraits>(podSet: PodSet, nodes: readonly Traits[], memory: Memory): readonly Traits[] {
  return candidatePlaces(podSet, nodes, memory)?.map((place) => nodes[place]!) ?? nodes;
}

/** The Node of a name, and the pools whose nodes have names that are not known. */
export function poolsNamed<Traits extends NodeTraits>(name: string, nodes: readonly Traits[], memory: Memory): readonly Traits[] {
  const { places, unknown } = placesByValue(nodes, 'metadata.name', memory);
  return [...(places.get(name) ?? []), ...unknown].map((place) => nodes[place]!);
}
