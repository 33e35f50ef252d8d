import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { candidatePlaces, labelledPlaces, placesByValue } from './candidates';
import { holds, rulesOf, selectorRequirements } from './node-affinity';
import type { NodeRules, Requirement } from './node-affinity';
import { nodeMakes } from './node-makes';
import type { Apart, NodeMake, NodeMakes } from './node-makes';
import type { NodePool } from './node-pools';

/** Pools that are one to a set of pods, which may go to the nodes of all of them or of none. */
export interface AlikePools {
  /** The place of the first of them in the list. */
  readonly place: number;
  readonly pool: NodePool;
  /** Pools, from 1. */
  readonly pools: number;
  /** Nodes of all of them. */
  readonly count: number;
  /** Of which they are all but those that stand in the answer one by one; absent of a pool that stands there by itself. */
  readonly make?: NodeMake;
}

type Places = ReadonlySet<number>;

/** Requirements that all have to hold, by whether a make as a whole answers them. */
interface Term {
  readonly ofMake: readonly Requirement[];
  /** By make, the places for which another one may not hold; undefined where that is not known. */
  readonly apart: ReadonlyMap<NodeMake, Places> | undefined;
}

const NONE: Places = new Set();

/** The places for which a requirement may not hold; undefined where the index does not tell. */
function failing({ key, operator, values }: Requirement, pools: readonly NodePool[], memory: Memory): readonly number[] | undefined {
  if (operator !== 'NotIn' && operator !== 'DoesNotExist') return undefined;
  const { places, labelled } = placesByValue(pools, key, memory);
  return operator === 'DoesNotExist' ? labelled : Array.from(values, (value) => places.get(value) ?? []).flat();
}

function byMake(all: readonly (readonly number[])[], { ofPlace }: NodeMakes): ReadonlyMap<NodeMake, Places> {
  const found = new Map<NodeMake, Set<number>>();
  for (const place of all.flat()) {
    const known = found.get(ofPlace[place]!);
    if (known) known.add(place);
    else found.set(ofPlace[place]!, new Set([place]));
  }
  return found;
}

function termOf(requirements: readonly Requirement[], pools: readonly NodePool[], makes: NodeMakes, memory: Memory): Term {
  const others = requirements.filter(({ key }) => !makes.common.has(key)).map((requirement) => failing(requirement, pools, memory));
  const known = others.filter((places) => places !== undefined);
  return {
    ofMake: requirements.filter(({ key }) => makes.common.has(key)),
    apart: known.length === others.length ? byMake(known, makes) : undefined,
  };
}

/** The pools of a make one by one. */
function singles(places: Iterable<number>, pools: readonly NodePool[]): AlikePools[] {
  return Array.from(places, (place) => ({ place, pool: pools[place]!, pools: 1, count: pools[place]!.count }));
}

/** A make: the places apart one by one, and the others as one. */
function divided(make: NodeMake, apart: Places, pools: readonly NodePool[]): AlikePools[] {
  const ones = singles(apart, pools);
  const first = make.places.find((place) => !apart.has(place));
  if (first === undefined) return ones;
  const count = make.nodes - ones.reduce((sum, pool) => sum + pool.count, 0);
  return [...ones, { place: first, pool: pools[first]!, pools: make.places.length - ones.length, count, make }];
}

function ofMake(make: NodeMake, selector: Term, terms: readonly Term[], pools: readonly NodePool[]): readonly AlikePools[] {
  const pool = pools[make.places[0]!]!;
  const canHold = (term: Term) => term.ofMake.every((requirement) => holds(requirement, pool));
  const able = terms.filter(canHold);
  if (!canHold(selector) || able.length === 0) return [];
  const apart = able.flatMap((term) => (term.apart ? [term.apart.get(make) ?? NONE] : []));
  if (selector.apart === undefined || apart.length === 0) return singles(make.places, pools);
  return divided(
    make,
    apart.reduce((least, next) => (next.size < least.size ? next : least)),
    pools,
  );
}

function divide(asked: Iterable<NodeMake>, rules: NodeRules, pools: readonly NodePool[], makes: NodeMakes, memory: Memory) {
  const { terms = [[]] } = rules;
  const [first, ...others] = [selectorRequirements(rules), ...terms].map((requirements) => termOf(requirements, pools, makes, memory));
  return Array.from(asked, (make) => ofMake(make, first!, others, pools))
    .flat()
    .toSorted((a, b) => a.place - b.place);
}

/**
 * The pools that the pods of a set may go to, those that are one to them as one, in order of the first of each:
 * the set is asked of few, however many Nodes there are. To pools that are left out they may not go.
 */
export function alikePools(podSet: PodSet, pools: readonly NodePool[], memory: Memory, apart?: Apart): readonly AlikePools[] {
  const few = candidatePlaces(podSet, pools, memory);
  const makes = nodeMakes(pools, memory, apart);
  if (few && few.length <= makes.all.length) return singles(few, pools);
  const rules = rulesOf(podSet, memory);
  return divide(makes.byTaint.tolerated(rules)?.flat() ?? makes.all, rules, pools, makes, memory);
}

/** The same for all that may have the labels which the pods ask for, whatever taints they have. */
export function alikeLabelled(podSet: PodSet, pools: readonly NodePool[], memory: Memory): readonly AlikePools[] {
  const few = labelledPlaces(podSet, pools, memory);
  const makes = nodeMakes(pools, memory);
  return few && few.length <= makes.all.length ? singles(few, pools) : divide(makes.all, rulesOf(podSet, memory), pools, makes, memory);
}
