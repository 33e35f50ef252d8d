import type { Amounts } from './pod-requests';

/** Every node has these, named or not. */
const BASIC_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** What is left of a resource on a node; undefined where it is not limited. */
export function remainingOf(free: Amounts, resource: string): bigint | undefined {
  return free.get(resource) ?? (BASIC_RESOURCES.has(resource) ? undefined : 0n);
}

/** Is there enough of each resource for a pod? */
export function hasCapacityFor(free: Amounts, footprint: Amounts): boolean {
  for (const [resource, request] of footprint) {
    const remaining = remainingOf(free, resource);
    if (remaining !== undefined && remaining < request) return false;
  }
  return true;
}

/** The most of each resource among what several nodes have left; a resource that one of them does not limit is not limited. */
export function computeMaxOfEach(all: readonly Amounts[]): Amounts {
  const maximum = new Map<string, bigint>();
  for (const free of all) {
    for (const [resource, amount] of free) if ((maximum.get(resource) ?? -1n) < amount) maximum.set(resource, amount);
  }
  for (const resource of BASIC_RESOURCES) if (all.some((free) => !free.has(resource))) maximum.delete(resource);
  return maximum;
}

/** The least of each resource among what several nodes have left; a resource that one of them lacks is not there, unless every node has it, named or not. */
export function computeMinOfEach(all: readonly Amounts[]): Amounts {
  const minimum = new Map<string, bigint>();
  for (const free of all) {
    for (const [resource, amount] of free) if (amount < (minimum.get(resource) ?? amount + 1n)) minimum.set(resource, amount);
  }
  for (const resource of minimum.keys()) {
    if (!BASIC_RESOURCES.has(resource) && all.some((free) => !free.has(resource))) minimum.delete(resource);
  }
  return minimum;
}

/** What is left beside further pods, of the resources that are named. */
export function subtractAmounts(remaining: Amounts, footprint: Amounts): Amounts {
  return new Map(Array.from(remaining, ([resource, amount]) => [resource, amount - (footprint.get(resource) ?? 0n)]));
}

/** The most that any node has left of each resource: level by level, of each cell, of neighbouring cells, of neighbours of those, up to all. */
export type FreeLevels = readonly (readonly Amounts[])[];

/** Neighbours that one entry of the next level stands for. */
const LEVEL_FANOUT = 8;

/** What an entry of a level stands for in the one below. */
function getChildEntries(level: readonly Amounts[], entry: number): readonly Amounts[] {
  return level.slice(entry * LEVEL_FANOUT, (entry + 1) * LEVEL_FANOUT);
}

/** The levels above cells of which this much is left. */
export function buildLevels(cells: readonly Amounts[]): Amounts[][] {
  const levels = [[...cells]];
  for (let top = levels[0]!; top.length > 1; top = levels.at(-1)!) {
    levels.push(Array.from({ length: Math.ceil(top.length / LEVEL_FANOUT) }, (_, entry) => computeMaxOfEach(getChildEntries(top, entry))));
  }
  return levels;
}

/** Brings the levels up to date with one cell. */
export function updateLevels(levels: Amounts[][], cell: number, maximum: Amounts): void {
  levels[0]![cell] = maximum;
  let entry = cell;
  for (let level = 1; level < levels.length; level++) {
    entry = Math.floor(entry / LEVEL_FANOUT);
    levels[level]![entry] = computeMaxOfEach(getChildEntries(levels[level - 1]!, entry));
  }
}

/** The cells in which a node may have what is looked for, in their order. What has too little is passed over with all its neighbours. */
export function* searchCells(
  levels: FreeLevels,
  isEnough: (maximum: Amounts) => boolean,
  level = levels.length - 1,
  first = 0,
): Generator<number> {
  const entries = levels[level]!;
  const end = Math.min(entries.length, first + LEVEL_FANOUT);
  for (let entry = first; entry < end; entry++) {
    if (!isEnough(entries[entry]!)) continue;
    if (level === 0) yield entry;
    else yield* searchCells(levels, isEnough, level - 1, entry * LEVEL_FANOUT);
  }
}
