import type { Memory } from '../../core/memory';
import { traitOf } from './node-affinity';
import type { NodePool } from './node-pools';
import { ByTaint } from './tolerated-nodes';

/** Pools whose nodes have the same taints and conditions, and the same values of the labels that tell few of them apart. */
export interface NodeMake {
  /** Their places in the list of pools, in order. */
  readonly places: readonly number[];
  /** Nodes of all of them. */
  readonly nodes: number;
}

/** The pools of a list by make. */
export interface NodeMakes {
  readonly ofPlace: readonly NodeMake[];
  readonly all: readonly NodeMake[];
  readonly byTaint: ByTaint<NodeMake>;
  /** The labels of which all nodes of a make have the same value, or none. */
  readonly common: ReadonlySet<string>;
}

/** Makes that labels may come to. What would come to more is looked up node by node, so that each set of pods is asked of few makes. */
const MOST_MAKES = 256;

/** Pools that a make stands for on average at least, for else as many makes are asked as pools. */
const LEAST_POOLS = 4;

/** A label is common where at least every 16th pool has it, so that all common ones are gone through as fast as all labels. */
const LEAST_SHARE = 16;

type Places = readonly number[];

function parted(places: Places, keyOf: (place: number) => string): Places[] {
  const byKey = new Map<string, number[]>();
  for (const place of places) {
    const key = keyOf(place);
    const known = byKey.get(key);
    if (known) known.push(place);
    else byKey.set(key, [place]);
  }
  return [...byKey.values()];
}

/** The value of a label as text, another one where there is none, and where that is not known. */
function traitKey(pool: NodePool, key: string): string {
  const trait = traitOf(pool, key);
  return trait === undefined ? '?' : JSON.stringify(trait);
}

/** The labels that many pools have with few values, those with fewest values first. */
function commonLabels(pools: readonly NodePool[], most: number): string[] {
  const known = new Map<string, { pools: number; readonly values: Set<string> }>();
  for (const { labels = {} } of pools) {
    for (const [key, value] of Object.entries(labels)) {
      const label = known.get(key) ?? { pools: 0, values: new Set() };
      known.set(key, label);
      label.pools++;
      if (label.values.size <= most) label.values.add(value);
    }
  }
  const common = [...known].filter(([, label]) => label.pools * LEAST_SHARE >= pools.length && label.values.size <= most);
  return common.toSorted(([, a], [, b]) => a.values.size - b.values.size).map(([key]) => key);
}

function allocatableKey({ allocatable }: NodePool): string {
  return JSON.stringify([...allocatable].map(([resource, amount]) => `${resource}=${amount}`).toSorted());
}

function makesOf(pools: readonly NodePool[], keyOf: (pool: NodePool) => string): NodeMakes {
  let all = parted([...pools.keys()], (place) => keyOf(pools[place]!));
  const most = Math.max(Math.min(MOST_MAKES, pools.length / LEAST_POOLS), all.length);
  const common = new Set<string>();
  for (const key of commonLabels(pools, most)) {
    const finer = all.flatMap((places) => parted(places, (place) => traitKey(pools[place]!, key)));
    if (finer.length > most) continue;
    all = finer;
    common.add(key);
  }
  const makes = all.map((places) => ({ places, nodes: places.reduce((sum, place) => sum + pools[place]!.count, 0) }));
  const ofPlace: NodeMake[] = [];
  for (const make of makes) for (const place of make.places) ofPlace[place] = make;
  const byTaint = new ByTaint(makes, ({ places }) => pools[places[0]!]!);
  return { all: makes, byTaint, ofPlace, common };
}

function traitsKey({ labels, taints = [], isDown = false }: NodePool): string {
  return JSON.stringify([labels !== undefined, taints, isDown]);
}

const byTraits = () => new WeakMap<readonly NodePool[], NodeMakes>();
const byTraitsAndRoom = () => new WeakMap<readonly NodePool[], NodeMakes>();

/** How pools are told apart. */
export interface Apart {
  /** Are those that differ in what they have of a resource? @default false */
  readonly byRoom?: boolean;
}

/** The pools of a list by make, made once for each list. */
export function nodeMakes(pools: readonly NodePool[], memory: Memory, { byRoom = false }: Apart = {}): NodeMakes {
  const known = memory.of(byRoom ? byTraitsAndRoom : byTraits);
  const keyOf = byRoom ? (pool: NodePool) => traitsKey(pool) + allocatableKey(pool) : traitsKey;
  const makes = known.get(pools) ?? makesOf(pools, keyOf);
  known.set(pools, makes);
  return makes;
}
