import type { GroupRun, GroupState } from '../../cluster/initial-state';

/** All groups from ordinal 0 up, as runs: a rollout of a million groups has no more than a handful of them at any time. */
export type Groups = readonly GroupRun[];

/** A run, and the ordinals `from` up to but not including `to`. */
interface Span {
  readonly run: GroupRun;
  readonly from: number;
  readonly to: number;
}

function listSpans(groups: Groups): Span[] {
  let from = 0;
  return groups.map((run) => ({ run, from, to: (from += run.length) }));
}

/** How many groups of these there are. */
export function countGroups(groups: Groups, counts: (state: GroupState) => boolean = () => true, below = Infinity): number {
  return listSpans(groups).reduce((sum, { run, from, to }) => (counts(run) ? sum + Math.max(0, Math.min(to, below) - from) : sum), 0);
}

/** Is a group of the new revision and ready? */
export function isDone({ ready, updated }: GroupState): boolean {
  return ready && updated;
}

/** Groups that are done from the highest ordinal down to the first that is not. */
export function countDoneAtTop(groups: Groups): number {
  const notDone = groups.findLastIndex((run) => !isDone(run));
  return countGroups(groups.slice(notDone + 1));
}

/** The lowest ordinal, not below `floor`, down to which every group from `from` on has the state asked for; undefined where `from` has not. */
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

/** Groups as few runs as there can be. */
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

/** The groups below an ordinal. */
export function pickGroupsBelow(groups: Groups, ordinal: number): Groups {
  return mergeRuns(listSpans(groups).map(({ run, from }) => ({ ...run, length: Math.max(0, Math.min(run.length, ordinal - from)) })));
}

function pickGroupsFrom(groups: Groups, ordinal: number): Groups {
  return mergeRuns(listSpans(groups).map(({ run, from, to }) => ({ ...run, length: Math.max(0, to - Math.max(from, ordinal)) })));
}

/** The groups with those from `from` up to but not including `to` in another state; those that are not there yet are made. */
export function withGroupState(groups: Groups, from: number, to: number, state: GroupState): Groups {
  return mergeRuns([...pickGroupsBelow(groups, from), { length: to - from, ...state }, ...pickGroupsFrom(groups, to)]);
}

/** The same groups, those of some states between two ordinals in others. */
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

/** So many groups in one state. */
export function createGroups(state: GroupState, length: number): Groups {
  return mergeRuns([{ length, ...state }]);
}

/** Are these the same groups in the same states? */
export function isSameGroups(a: Groups, b: Groups): boolean {
  return (
    a.length === b.length &&
    a.every((run, index) => run.length === b[index]!.length && run.ready === b[index]!.ready && run.updated === b[index]!.updated)
  );
}

/** The ordinal down to which there are so many groups of these from the top; 0 where there are no more. */
export function findLowestOrdinalFromTop(groups: Groups, count: number, has: (state: GroupState) => boolean): number {
  let remaining = count;
  for (const { run, to } of listSpans(groups).toReversed()) {
    if (!has(run)) continue;
    if (run.length >= remaining) return to - remaining;
    remaining -= run.length;
  }
  return 0;
}

/** The highest ordinal of a group of these; -1 where there is none. */
export function findHighestOrdinal(groups: Groups, has: (state: GroupState) => boolean): number {
  return (listSpans(groups).findLast(({ run }) => has(run))?.to ?? 0) - 1;
}
