import { counted } from '../../../core/words';
import type { Track } from '../chart';

/** Sets that have a bar of their own at each end of a longer list. */
const MOST_TRACKS = 16;
const AT_EACH_END = 8;

/** Things that get a change wave by wave: clusters, Applications. */
export interface ReachedThings {
  /** What one of them is called. */
  readonly noun: string;
  /** The number of each wave that is there. */
  readonly numbers: readonly number[];
  readonly waves: readonly { readonly count: number; readonly names?: readonly string[] }[];
}

/** Things that belong together; each has a bar. */
export interface ThingSet {
  readonly name: string;
  readonly size: number;
  /** Undefined where there are too many to name. */
  readonly members: readonly string[] | undefined;
}

function noteOf(reached: number, size: number, noun: string): string {
  return `${reached} of ${counted(size, noun)}`;
}

/** How many of one set are reached once each wave is through. */
function trackOf({ name, size, members = [] }: ThingSet, { noun, numbers, waves }: ReachedThings): Track {
  const own = new Set(members);
  let value = 0;
  const rows = waves.map(({ names = [] }, index) => ({
    at: numbers[index]!,
    value: (value += names.filter((one) => own.has(one)).length),
  }));
  return { name, size, note: noteOf(value, size, noun), rows };
}

/** All in one bar, where they are known by their number alone. */
function wholeTrack(name: string, size: number, done: number, { noun, numbers, waves }: ReachedThings): Track {
  let value = 0;
  const rows = waves.map(({ count }, index) => ({ at: numbers[index]!, value: (value += count) }));
  const last = rows.at(-1);
  return { name, size, note: noteOf(done, size, noun), rows: last ? [...rows.slice(0, -1), { ...last, value: done }] : [] };
}

function folded(between: readonly Track[], name: string, { noun, numbers }: ReachedThings): Track {
  const size = between.reduce((sum, track) => sum + track.size, 0);
  const valueAt = (index: number) => between.reduce((sum, { rows }) => sum + (rows[index]?.value ?? 0), 0);
  const rows = numbers.map((at, index) => ({ at, value: valueAt(index) }));
  return { name, size, note: noteOf(rows.at(-1)?.value ?? 0, size, noun), rows };
}

/**
 * A bar for each set, those in the middle of very many as one; a single bar where nothing has a name.
 *
 * @param all - what stands beside that single bar, how many there are, and how many of them are reached in the end
 * @param more - what several sets are called: `partitions`
 */
export function tracksOf(
  sets: readonly ThingSet[],
  things: ReachedThings,
  all: { readonly name: string; readonly size: number; readonly done: number },
  more: string,
): Track[] {
  const hasNames = things.waves.every(({ names }) => names !== undefined) && sets.every(({ members }) => members !== undefined);
  if (!hasNames) return [wholeTrack(all.name, all.size, all.done, things)];
  const tracks = sets.map((set) => trackOf(set, things));
  if (tracks.length <= MOST_TRACKS) return tracks;
  const between = tracks.slice(AT_EACH_END, -AT_EACH_END);
  return [...tracks.slice(0, AT_EACH_END), folded(between, `${between.length} more ${more}`, things), ...tracks.slice(-AT_EACH_END)];
}
