import type { Amounts } from './pod-requests';

/** Every node has these, named or not. */
const BASIC_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** What is left of a resource on a node; undefined where it is not limited. */
export function leftOf(free: Amounts, resource: string): bigint | undefined {
  return free.get(resource) ?? (BASIC_RESOURCES.has(resource) ? undefined : 0n);
}

/** Is there enough of each resource for a pod? */
export function hasRoom(free: Amounts, footprint: Amounts): boolean {
  for (const [resource, request] of footprint) {
    const left = leftOf(free, resource);
    if (left !== undefined && left < request) return false;
  }
  return true;
}

/** The most of each resource among what several nodes have left; a resource that one of them does not limit is not limited. */
export function mostOf(all: readonly Amounts[]): Amounts {
  const most = new Map<string, bigint>();
  for (const free of all) {
    for (const [resource, amount] of free) if ((most.get(resource) ?? -1n) < amount) most.set(resource, amount);
  }
  for (const resource of BASIC_RESOURCES) if (all.some((free) => !free.has(resource))) most.delete(resource);
  return most;
}

/** The least of each resource among what several nodes have left; a resource that one of them lacks is not there, unless every node has it, named or not. */
export function leastOf(all: readonly Amounts[]): Amounts {
  const least = new Map<string, bigint>();
  for (const free of all) {
    for (const [resource, amount] of free) if (amount < (least.get(resource) ?? amount + 1n)) least.set(resource, amount);
  }
  for (const resource of least.keys()) {
    if (!BASIC_RESOURCES.has(resource) && all.some((free) => !free.has(resource))) least.delete(resource);
  }
  return least;
}

/** What is left beside further pods, of the resources that are named. */
export function beside(left: Amounts, footprint: Amounts): Amounts {
  return new Map(Array.from(left, ([resource, amount]) => [resource, amount - (footprint.get(resource) ?? 0n)]));
}

/** The most that any node has left of each resource: level by level, of each cell, of neighbouring cells, of neighbours of those, up to all. */
export type Levels = readonly (readonly Amounts[])[];

/** Neighbours that one entry of the next level stands for. */
const NEIGHBOURS = 8;

/** What an entry of a level stands for in the one below. */
function below(level: readonly Amounts[], entry: number): readonly Amounts[] {
  return level.slice(entry * NEIGHBOURS, (entry + 1) * NEIGHBOURS);
}

/** The levels above cells of which this much is left. */
export function levelsOf(cells: readonly Amounts[]): Amounts[][] {
  const levels = [[...cells]];
  for (let top = levels[0]!; top.length > 1; top = levels.at(-1)!) {
    levels.push(Array.from({ length: Math.ceil(top.length / NEIGHBOURS) }, (_, entry) => mostOf(below(top, entry))));
  }
  return levels;
}

/** Brings the levels up to date with one cell. */
export function noteCell(levels: Amounts[][], cell: number, most: Amounts): void {
  levels[0]![cell] = most;
  let entry = cell;
  for (let level = 1; level < levels.length; level++) {
    entry = Math.floor(entry / NEIGHBOURS);
    levels[level]![entry] = mostOf(below(levels[level - 1]!, entry));
  }
}

/** The cells in which a node may have what is looked for, in their order. What has too little is passed over with all its neighbours. */
export function* cellsWith(levels: Levels, isEnough: (most: Amounts) => boolean, level = levels.length - 1, first = 0): Generator<number> {
  const entries = levels[level]!;
  const end = Math.min(entries.length, first + NEIGHBOURS);
  for (let entry = first; entry < end; entry++) {
    if (!isEnough(entries[entry]!)) continue;
    if (level === 0) yield entry;
    else yield* cellsWith(levels, isEnough, level - 1, entry * NEIGHBOURS);
  }
}
