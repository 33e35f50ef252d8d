import { countGroups, countDoneAtTop, isDone, findLowestOrdinalOfRun } from './groups';
import type { Groups } from './groups';
import type { LwsBehaviour } from './versions';

/** What a LeaderWorkerSet wants of its rollout, in groups. */
export interface GroupLimits {
  /** Groups that are wanted. */
  readonly replicas: number;
  /** Groups beyond them: rounded up, no more than the replicas. */
  readonly surge: number;
  /** Groups of the wanted ones that may be gone: rounded down. */
  readonly unavailable: number;
  /** Groups below it keep their revision. */
  readonly partition: number;
}

/** What the controller has written into the StatefulSet of the leaders. */
export interface LeaderSet {
  readonly replicas: number;
  readonly partition: number;
}

/** How many groups the StatefulSet shall have while so many of the wanted ones are not done. */
function computeLeaderReplicas({ replicas, surge, unavailable }: GroupLimits, notDone: number, { retainedSurge }: LwsBehaviour): number {
  return notDone <= surge ? replicas + retainedSurge(notDone, unavailable) : replicas + surge;
}

/**
 * Down to which group the StatefulSet may go on.
 *
 *     floor     = groups - done at the top without a gap - step
 *     partition = floor + groups below it that are not ready, lowered over neighbours that are not ready or are updated already
 *
 * 5 groups, the top one done, a step of 1: partition 3.
 */
function computeNextPartition(groups: Groups, step: number, current: number): number {
  const total = countGroups(groups);
  const floor = Math.max(0, total - countDoneAtTop(groups) - step);
  const partition = floor + countGroups(groups, ({ ready }) => !ready, floor);
  const lowered = findLowestOrdinalOfRun(groups, Math.min(partition, total - 1), floor, ({ ready, updated }) => !ready || updated);
  return Math.min(lowered ?? partition, current);
}

function computeNextLeaderSet(limits: GroupLimits, leader: LeaderSet, groups: Groups, isNew: boolean, behaviour: LwsBehaviour): LeaderSet {
  const { replicas, surge, unavailable } = limits;
  const isShort = behaviour.scalesUpFirst && leader.replicas < replicas;
  if (isNew) {
    const partition = Math.min(replicas, leader.replicas);
    return { partition, replicas: isShort ? replicas : computeLeaderReplicas(limits, replicas, behaviour) };
  }
  if (leader.partition === 0 && leader.replicas === replicas) return { partition: 0, replicas };
  if (isShort) return { partition: leader.partition, replicas };
  const step = unavailable + surge - (replicas + surge - leader.replicas);
  const notDone = replicas - countGroups(groups, isDone, replicas);
  return { partition: computeNextPartition(groups, step, leader.partition), replicas: computeLeaderReplicas(limits, notDone, behaviour) };
}

/**
 * What the controller writes into the StatefulSet of the leaders at one turn, once the replicas of the LeaderWorkerSet stand.
 *
 * Source: lws pkg/controllers/leaderworkerset_controller.go, `rollingUpdateParameters`.
 *
 * @param isNew is this the turn at which a new revision is seen?
 */
export function reconcileLeaderSet(
  limits: GroupLimits,
  leader: LeaderSet,
  groups: Groups,
  isNew: boolean,
  behaviour: LwsBehaviour,
): LeaderSet {
  const { partition, replicas } = computeNextLeaderSet(limits, leader, groups, isNew, behaviour);
  return { partition: Math.max(partition, limits.partition), replicas };
}
