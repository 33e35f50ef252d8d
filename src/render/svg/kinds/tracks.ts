import { pluralize } from '../../../core/text-format';
import type { Track } from '../chart';

/** Sets that have a bar of their own at each end of a longer list. */
const MAX_TRACKS = 16;
const TRACKS_AT_EACH_END = 8;

/** Things that get a change wave by wave: clusters, Applications. */
export interface ProgressWaves {
  /** What one of them is called. */
  readonly noun: string;
  /** The number of each wave that is there. */
  readonly numbers: readonly number[];
  readonly waves: readonly { readonly count: number; readonly names?: readonly string[] }[];
}

/** Things that belong together; each has a bar. */
export interface TrackGroup {
  readonly name: string;
  readonly size: number;
  /** Undefined where there are too many to name. */
  readonly members: readonly string[] | undefined;
}

function formatNote(reached: number, size: number, noun: string): string {
  return `${reached} of ${pluralize(size, noun)}`;
}

/** How many of one set are reached once each wave is through. */
function buildTrack({ name, size, members = [] }: TrackGroup, { noun, numbers, waves }: ProgressWaves): Track {
  const memberSet = new Set(members);
  let value = 0;
  const rows = waves.map(({ names = [] }, index) => ({
    at: numbers[index]!,
    value: (value += names.filter((one) => memberSet.has(one)).length),
  }));
  return { name, size, note: formatNote(value, size, noun), rows };
}

/** All in one bar, where they are known by their number alone. */
function buildTotalTrack(name: string, size: number, done: number, { noun, numbers, waves }: ProgressWaves): Track {
  let value = 0;
  const rows = waves.map(({ count }, index) => ({ at: numbers[index]!, value: (value += count) }));
  const last = rows.at(-1);
  return { name, size, note: formatNote(done, size, noun), rows: last ? [...rows.slice(0, -1), { ...last, value: done }] : [] };
}

function mergeTracks(between: readonly Track[], name: string, { noun, numbers }: ProgressWaves): Track {
  const size = between.reduce((sum, track) => sum + track.size, 0);
  const valueAt = (index: number) => between.reduce((sum, { rows }) => sum + (rows[index]?.value ?? 0), 0);
  const rows = numbers.map((at, index) => ({ at, value: valueAt(index) }));
  return { name, size, note: formatNote(rows.at(-1)?.value ?? 0, size, noun), rows };
}

/**
 * A bar for each set, those in the middle of very many as one; a single bar where nothing has a name.
 *
 * @param all - what stands beside that single bar, how many there are, and how many of them are reached in the end
 * @param more - what several sets are called: `partitions`
 */
export function buildGroupTracks(
  sets: readonly TrackGroup[],
  progress: ProgressWaves,
  all: { readonly name: string; readonly size: number; readonly done: number },
  pluralNoun: string,
): Track[] {
  const hasNames = progress.waves.every(({ names }) => names !== undefined) && sets.every(({ members }) => members !== undefined);
  if (!hasNames) return [buildTotalTrack(all.name, all.size, all.done, progress)];
  const tracks = sets.map((set) => buildTrack(set, progress));
  if (tracks.length <= MAX_TRACKS) return tracks;
  const between = tracks.slice(TRACKS_AT_EACH_END, -TRACKS_AT_EACH_END);
  return [
    ...tracks.slice(0, TRACKS_AT_EACH_END),
    mergeTracks(between, `${between.length} more ${pluralNoun}`, progress),
    ...tracks.slice(-TRACKS_AT_EACH_END),
  ];
}
