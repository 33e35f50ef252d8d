import { pluralize } from '../../../core/text/text-format';
import type { Track } from '../chart';

/** Largest number of bars, and the number that remain at each end of a longer list. */
const MAX_TRACKS = 16;
const TRACKS_AT_EACH_END = 8;

/** Clusters or Applications that get a change by wave. */
export interface ProgressWaves {
  /** Noun for one of them. */
  readonly noun: string;
  /** Numbers of the waves in the document. */
  readonly numbers: readonly number[];
  readonly waves: readonly { readonly count: number; readonly names?: readonly string[] }[];
}

/** Clusters or Applications that share a bar. */
export interface TrackGroup {
  readonly name: string;
  readonly size: number;
  /** Undefined if there are too many to list. */
  readonly members: readonly string[] | undefined;
}

function formatNote(reached: number, size: number, noun: string): string {
  return `${reached} of ${pluralize(size, noun)}`;
}

/** Builds the bar of one group: how many members each wave has reached. */
function buildTrack({ name, size, members = [] }: TrackGroup, { noun, numbers, waves }: ProgressWaves): Track {
  const memberSet = new Set(members);
  let value = 0;
  const rows = waves.map(({ names = [] }, index) => ({
    at: numbers[index]!,
    value: (value += names.filter((one) => memberSet.has(one)).length),
  }));
  return { name, size, note: formatNote(value, size, noun), rows };
}

/** Builds one bar for all groups, if only their counts are known. */
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
 * Builds a bar for each group. If there are very many, those in the middle share one bar. Without names, there is a single bar.
 *
 * @param all - name, size and final value of that single bar
 * @param pluralNoun - noun for several groups: `partitions`
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
