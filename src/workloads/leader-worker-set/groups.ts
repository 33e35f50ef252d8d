import type { GroupRun, GroupState } from '../../cluster/starting-point';

/** All groups from ordinal 0 up, as runs: a rollout of a million groups has no more than a handful of them at any time. */
export type Groups = readonly GroupRun[];

/** A run, and the ordinals `from` up to but not including `to`. */
interface Span {
  readonly run: GroupRun;
  readonly from: number;
  readonly to: number;
}

function spans(groups: Groups): Span[] {
  let from = 0;
  return groups.map((run) => ({ run, from, to: (from += run.length) }));
}

/** How many groups of these there are. */
export function countOf(groups: Groups, counts: (state: GroupState) => boolean = () => true, below = Infinity): number {
  return spans(groups).reduce((sum, { run, from, to }) => (counts(run) ? sum + Math.max(0, Math.min(to, below) - from) : sum), 0);
}

/** Is a group of the new revision and ready? */
export function isDone({ ready, updated }: GroupState): boolean {
  return ready && updated;
}

/** Groups that are done from the highest ordinal down to the first that is not. */
export function doneAtTop(groups: Groups): number {
  const notDone = groups.findLastIndex((run) => !isDone(run));
  return countOf(groups.slice(notDone + 1));
}

/** The lowest ordinal, not below `floor`, down to which every group from `from` on has the state asked for; undefined where `from` has not. */
export function lowestOfRun(groups: Groups, from: number, floor: number, has: (state: GroupState) => boolean): number | undefined {
  let lowest: number | undefined;
  for (const span of spans(groups).toReversed()) {
    if (span.from > from) continue;
    if (span.to <= floor || !has(span.run)) break;
    lowest = Math.max(floor, span.from);
  }
  return lowest;
}

/** Groups as few runs as there can be. */
export function joined(runs: readonly GroupRun[]): Groups {
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
export function groupsBelow(groups: Groups, ordinal: number): Groups {
  return joined(spans(groups).map(({ run, from }) => ({ ...run, length: Math.max(0, Math.min(run.length, ordinal - from)) })));
}

function groupsFrom(groups: Groups, ordinal: number): Groups {
  return joined(spans(groups).map(({ run, from, to }) => ({ ...run, length: Math.max(0, to - Math.max(from, ordinal)) })));
}

/** The groups with those from `from` up to but not including `to` in another state; those that are not there yet are made. */
export function withState(groups: Groups, from: number, to: number, state: GroupState): Groups {
  return joined([...groupsBelow(groups, from), { length: to - from, ...state }, ...groupsFrom(groups, to)]);
}

/** The same groups, those of some states between two ordinals in others. */
export function changed(groups: Groups, from: number, to: number, change: (state: GroupState) => GroupState): Groups {
  return joined(
    spans(groups).flatMap(({ run, from: start, to: end }) => {
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
export function allIn(state: GroupState, length: number): Groups {
  return joined([{ length, ...state }]);
}

/** Are these the same groups in the same states? */
export function areSame(a: Groups, b: Groups): boolean {
  return (
    a.length === b.length &&
    a.every((run, index) => run.length === b[index]!.length && run.ready === b[index]!.ready && run.updated === b[index]!.updated)
  );
}

/** The ordinal down to which there are so many groups of these from the top; 0 where there are no more. */
export function lowestOfHighest(groups: Groups, count: number, has: (state: GroupState) => boolean): number {
  let left = count;
  for (const { run, to } of spans(groups).toReversed()) {
    if (!has(run)) continue;
    if (run.length >= left) return to - left;
    left -= run.length;
  }
  return 0;
}

/** The highest ordinal of a group of these; -1 where there is none. */
export function highestOf(groups: Groups, has: (state: GroupState) => boolean): number {
  return (spans(groups).findLast(({ run }) => has(run))?.to ?? 0) - 1;
}
