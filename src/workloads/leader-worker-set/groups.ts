import type { GroupRun, GroupState } from '../../cluster/rollout/initial-state';

/** All groups from ordinal 0 up, as runs of equal state. Even with a million groups there are never more than a few runs. */
export type Groups = readonly GroupRun[];

/** A run and its ordinals: `from` is inclusive, `to` is exclusive. */
interface Span {
  readonly run: GroupRun;
  readonly from: number;
  readonly to: number;
}

function listSpans(groups: Groups): Span[] {
  let from = 0;
  return groups.map((run) => ({ run, from, to: (from += run.length) }));
}

/** Counts the groups in matching states, up to an ordinal. */
export function countGroups(groups: Groups, counts: (state: GroupState) => boolean = () => true, below = Infinity): number {
  return listSpans(groups).reduce((sum, { run, from, to }) => (counts(run) ? sum + Math.max(0, Math.min(to, below) - from) : sum), 0);
}

/** Reports whether a group has the new revision and is ready. */
export function isDone({ ready, updated }: GroupState): boolean {
  return ready && updated;
}

/** Counts the groups from the highest ordinal down to the first that is not done. */
export function countDoneAtTop(groups: Groups): number {
  const notDone = groups.findLastIndex((run) => !isDone(run));
  return countGroups(groups.slice(notDone + 1));
}

/**
 * Finds the lowest ordinal, not below `floor`, such that every group from `from` down to it matches.
 * Returns undefined if the group `from` does not match.
 */
export function findLowestOrdinalOfRun(
  groups: Groups,
  from: number,
  floor: number,
  has: (state: GroupState) => boolean,
): number | undefined {
  let lowest: number | undefined;
  for (const span of listSpans(groups).toReversed()) {
    if (span.from > from) continue;
    if (span.to <= floor || !has(span.run)) break;
    lowest = Math.max(floor, span.from);
  }
  return lowest;
}

/** Merges adjacent runs of equal state. */
export function mergeRuns(runs: readonly GroupRun[]): Groups {
  const groups: GroupRun[] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (run.length === 0) continue;
    if (last && last.ready === run.ready && last.updated === run.updated)
      groups[groups.length - 1] = { ...last, length: last.length + run.length };
    else groups.push(run);
  }
  return groups;
}

/** Returns the groups below an ordinal. */
export function pickGroupsBelow(groups: Groups, ordinal: number): Groups {
  return mergeRuns(listSpans(groups).map(({ run, from }) => ({ ...run, length: Math.max(0, Math.min(run.length, ordinal - from)) })));
}

function pickGroupsFrom(groups: Groups, ordinal: number): Groups {
  return mergeRuns(listSpans(groups).map(({ run, from, to }) => ({ ...run, length: Math.max(0, to - Math.max(from, ordinal)) })));
}

/** Returns the groups with those from `from` (inclusive) to `to` (exclusive) in another state. Missing groups are added. */
export function withGroupState(groups: Groups, from: number, to: number, state: GroupState): Groups {
  return mergeRuns([...pickGroupsBelow(groups, from), { length: to - from, ...state }, ...pickGroupsFrom(groups, to)]);
}

/** Returns the groups with the states between two ordinals changed. */
export function mapGroups(groups: Groups, from: number, to: number, change: (state: GroupState) => GroupState): Groups {
  return mergeRuns(
    listSpans(groups).flatMap(({ run, from: start, to: end }) => {
      const [low, high] = [Math.min(Math.max(start, from), end), Math.max(start, Math.min(end, to))];
      if (high <= low) return [run];
      const inside = change(run);
      return [
        { ...run, length: low - start },
        { ready: inside.ready, updated: inside.updated, length: high - low },
        { ...run, length: end - high },
      ];
    }),
  );
}

/** Creates groups that are all in one state. */
export function createGroups(state: GroupState, length: number): Groups {
  return mergeRuns([{ length, ...state }]);
}

/** Reports whether two lists have the same groups in the same states. */
export function isSameGroups(a: Groups, b: Groups): boolean {
  return (
    a.length === b.length &&
    a.every((run, index) => run.length === b[index]!.length && run.ready === b[index]!.ready && run.updated === b[index]!.updated)
  );
}

/** Finds the ordinal down to which the top has `count` matching groups. Returns 0 if there are fewer. */
export function findLowestOrdinalFromTop(groups: Groups, count: number, has: (state: GroupState) => boolean): number {
  let remaining = count;
  for (const { run, to } of listSpans(groups).toReversed()) {
    if (!has(run)) continue;
    if (run.length >= remaining) return to - remaining;
    remaining -= run.length;
  }
  return 0;
}

/** Finds the highest ordinal of a matching group. Returns -1 if there is none. */
export function findHighestOrdinal(groups: Groups, has: (state: GroupState) => boolean): number {
  return (listSpans(groups).findLast(({ run }) => has(run))?.to ?? 0) - 1;
}
