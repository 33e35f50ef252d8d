import { mapGroups, countGroups, pickGroupsBelow, findHighestOrdinal, findLowestOrdinalFromTop, withGroupState } from './groups';
import type { Groups } from './groups';
import type { LeaderSet } from './reconcile';

const CREATED_GROUP = { ready: false, updated: true } as const;

/** Makes and takes away groups at the top; one that is made below the partition is of the old revision. */
export function scaleLeaders(groups: Groups, { replicas, partition }: LeaderSet): Groups {
  const total = countGroups(groups);
  if (replicas <= total) return pickGroupsBelow(groups, replicas);
  const old = Math.min(Math.max(total, partition), replicas);
  return withGroupState(withGroupState(groups, total, old, { ready: false, updated: false }), old, replicas, CREATED_GROUP);
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
export function replaceLeaders(groups: Groups, { partition }: LeaderSet, limit: number | undefined): Groups {
  const highestOld = findHighestOrdinal(groups, ({ updated }) => !updated);
  if (highestOld < partition) return groups;
  if (limit === undefined) {
    const waits = findHighestOrdinal(groups, ({ ready, updated }) => updated && !ready) > highestOld;
    return waits ? groups : withGroupState(groups, highestOld, highestOld + 1, CREATED_GROUP);
  }
  const free = limit - countGroups(groups, ({ ready }) => !ready);
  if (free <= 0) return groups;
  const lowest = Math.max(
    partition,
    findLowestOrdinalFromTop(groups, free, ({ updated }) => !updated),
  );
  return mapGroups(groups, lowest, highestOld + 1, (state) => (state.updated ? state : CREATED_GROUP));
}
