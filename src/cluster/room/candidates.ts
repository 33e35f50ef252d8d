import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { rulesOf, traitOf } from './node-affinity';
import type { NodeRules, NodeTraits } from './node-affinity';

/** Nodes by the value that they have of one label, as their places in the list; those of which it is not known apart. */
interface ByValue {
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly unknown: readonly number[];
}

function byValueOf(nodes: readonly NodeTraits[], key: string): ByValue {
  const places = new Map<string, number[]>();
  const unknown: number[] = [];
  nodes.forEach((node, place) => {
    const trait = traitOf(node, key);
    if (trait === undefined) unknown.push(place);
    else if (trait !== null) {
      const known = places.get(trait);
      if (known) known.push(place);
      else places.set(trait, [place]);
    }
  });
  return { places, unknown };
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

/** Labels of which a node has to have one of some values, or its value is not known; undefined where no label narrows the choice. */
function namedLabels({ selector, terms }: NodeRules): readonly (readonly [key: string, values: readonly string[]])[] | undefined {
  const [selected] = selector;
  if (selected) return [[selected[0], [selected[1]]]];
  if (terms === undefined) return undefined;
  const named = terms.map((term) => term.find(({ operator }) => operator === 'In'));
  return named.every((requirement) => requirement !== undefined) ? named.map(({ key, values }) => [key, values]) : undefined;
}

/** The nodes that may have the labels which the pods of a set ask for, in their order: the others have not, and need not be asked. */
export function candidates<Traits extends NodeTraits>(podSet: PodSet, nodes: readonly Traits[], memory: Memory): readonly Traits[] {
  const named = namedLabels(rulesOf(podSet, memory));
  if (named === undefined) return nodes;
  const places = new Set<number>();
  for (const [key, values] of named) {
    const index = indexOf(nodes, key, memory);
    for (const place of index.unknown) places.add(place);
    for (const value of values) for (const place of index.places.get(value) ?? []) places.add(place);
  }
  return [...places].toSorted((a, b) => a - b).map((place) => nodes[place]!);
}
