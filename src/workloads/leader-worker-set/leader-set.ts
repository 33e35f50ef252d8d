import { changed, countOf, groupsBelow, highestOf, lowestOfHighest, withState } from './groups';
import type { Groups } from './groups';
import type { LeaderSet } from './turn';

const MADE = { ready: false, updated: true } as const;

/** Makes and takes away groups at the top; one that is made below the partition is of the old revision. */
export function scaled(groups: Groups, { replicas, partition }: LeaderSet): Groups {
  const total = countOf(groups);
  if (replicas <= total) return groupsBelow(groups, replicas);
  const old = Math.min(Math.max(total, partition), replicas);
  return withState(withState(groups, total, old, { ready: false, updated: false }), old, replicas, MADE);
}

/**
 * Replaces groups of the old revision from the highest ordinal down to the partition; they come again at once and are not ready.
 *
 * With a limit of its own no more of all groups are not ready than that. Where the API server has dropped the limit,
 * they go one at a time, and none while one above is not ready.
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_control.go, `updateStatefulSetAfterInvariantEstablished`.
 *
 * @param limit undefined where the API server drops it
 */
export function replaced(groups: Groups, { partition }: LeaderSet, limit: number | undefined): Groups {
  const highestOld = highestOf(groups, ({ updated }) => !updated);
  if (highestOld < partition) return groups;
  if (limit === undefined) {
    const waits = highestOf(groups, ({ ready, updated }) => updated && !ready) > highestOld;
    return waits ? groups : withState(groups, highestOld, highestOld + 1, MADE);
  }
  const free = limit - countOf(groups, ({ ready }) => !ready);
  if (free <= 0) return groups;
  const lowest = Math.max(
    partition,
    lowestOfHighest(groups, free, ({ updated }) => !updated),
  );
  return changed(groups, lowest, highestOld + 1, (state) => (state.updated ? state : MADE));
}
