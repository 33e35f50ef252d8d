import type { Amounts } from './pod-requests';

/** Resources that every node has, listed or not. */
const BASIC_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** Returns what is left of a resource on a node. Returns undefined if it is unlimited. */
export function remainingOf(free: Amounts, resource: string): bigint | undefined {
  return free.get(resource) ?? (BASIC_RESOURCES.has(resource) ? undefined : 0n);
}

/** Reports whether there is enough of each resource for a pod. */
export function hasCapacityFor(free: Amounts, footprint: Amounts): boolean {
  for (const [resource, request] of footprint) {
    const remaining = remainingOf(free, resource);
    if (remaining !== undefined && remaining < request) return false;
  }
  return true;
}

/** Returns the maximum of each resource over several nodes. A resource that one of them does not limit is unlimited. */
export function computeMaxOfEach(all: readonly Amounts[]): Amounts {
  const maximum = new Map<string, bigint>();
  for (const free of all) {
    for (const [resource, amount] of free) if ((maximum.get(resource) ?? -1n) < amount) maximum.set(resource, amount);
  }
  for (const resource of BASIC_RESOURCES) if (all.some((free) => !free.has(resource))) maximum.delete(resource);
  return maximum;
}

/**
 * Returns the minimum of each resource over several nodes. A resource that one of them lacks is left out, unless every node has it by
 * default.
 */
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

/** Subtracts the use of further pods from the listed resources. */
export function subtractAmounts(remaining: Amounts, footprint: Amounts): Amounts {
  return new Map(Array.from(remaining, ([resource, amount]) => [resource, amount - (footprint.get(resource) ?? 0n)]));
}

/**
 * The maximum of each resource left on any node, by level: for each cell, for groups of neighbouring cells, for groups of those groups, up
 * to all.
 */
export type FreeLevels = readonly (readonly Amounts[])[];

/** Number of entries that one entry of the next level summarizes. */
const LEVEL_FANOUT = 8;

/** Returns the entries of the level below that an entry summarizes. */
function getChildEntries(level: readonly Amounts[], entry: number): readonly Amounts[] {
  return level.slice(entry * LEVEL_FANOUT, (entry + 1) * LEVEL_FANOUT);
}

/** Builds the levels above cells with these free resources. */
export function buildLevels(cells: readonly Amounts[]): Amounts[][] {
  const levels = [[...cells]];
  for (let top = levels[0]!; top.length > 1; top = levels.at(-1)!) {
    levels.push(Array.from({ length: Math.ceil(top.length / LEVEL_FANOUT) }, (_, entry) => computeMaxOfEach(getChildEntries(top, entry))));
  }
  return levels;
}

/** Updates the levels after a change of one cell. */
export function updateLevels(levels: Amounts[][], cell: number, maximum: Amounts): void {
  levels[0]![cell] = maximum;
  let entry = cell;
  for (let level = 1; level < levels.length; level++) {
    entry = Math.floor(entry / LEVEL_FANOUT);
    levels[level]![entry] = computeMaxOfEach(getChildEntries(levels[level - 1]!, entry));
  }
}

/** Yields the cells, in order, in which a node may have enough. An entry with too little is skipped with all of its neighbours. */
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
