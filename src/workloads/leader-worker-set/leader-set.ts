import { mapGroups, countGroups, pickGroupsBelow, findHighestOrdinal, findLowestOrdinalFromTop, withGroupState } from './groups';
import type { Groups } from './groups';
import type { LeaderSet } from './reconcile';

const CREATED_GROUP = { ready: false, updated: true } as const;

/** Adds or removes groups at the top. A group that is added below the partition has the old revision. */
export function scaleLeaders(groups: Groups, { replicas, partition }: LeaderSet): Groups {
  const total = countGroups(groups);
  if (replicas <= total) return pickGroupsBelow(groups, replicas);
  const old = Math.min(Math.max(total, partition), replicas);
  return withGroupState(withGroupState(groups, total, old, { ready: false, updated: false }), old, replicas, CREATED_GROUP);
}

/**
 * Replaces groups of the old revision from the highest ordinal down to the partition. They are recreated at once and are not ready.
 *
 * With a limit, at most that many of all groups are unready. If the API server has dropped the limit,
 * groups are replaced one at a time, and none while a group above is unready.
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_control.go, `updateStatefulSetAfterInvariantEstablished`.
 *
 * @param limit undefined if the API server drops it
 * @param leaders the groups by whether their leader is ready, which is all that the StatefulSet controller sees. @default - `groups`
 */
export function replaceLeaders(groups: Groups, { partition }: LeaderSet, limit: number | undefined, leaders: Groups = groups): Groups {
  const highestOld = findHighestOrdinal(groups, ({ updated }) => !updated);
  if (highestOld < partition) return groups;
  if (limit === undefined) {
    const waits = findHighestOrdinal(leaders, ({ ready, updated }) => updated && !ready) > highestOld;
    return waits ? groups : withGroupState(groups, highestOld, highestOld + 1, CREATED_GROUP);
  }
  const free = limit - countGroups(leaders, ({ ready }) => !ready);
  if (free <= 0) return groups;
  const lowest = Math.max(
    partition,
    findLowestOrdinalFromTop(groups, free, ({ updated }) => !updated),
  );
  return mapGroups(groups, lowest, highestOld + 1, (state) => (state.updated ? state : CREATED_GROUP));
}
