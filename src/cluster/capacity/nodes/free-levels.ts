import { computeMaxOfEach } from '../amounts';
import type { Amounts } from '../amounts';

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
