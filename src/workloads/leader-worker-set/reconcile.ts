import { countGroups, countDoneAtTop, isDone, findLowestOrdinalOfRun } from './groups';
import type { Groups } from './groups';
import type { LwsBehaviour } from './versions';

/** The limits of a LeaderWorkerSet rollout, in groups. */
export interface GroupLimits {
  /** Desired groups. */
  readonly replicas: number;
  /** Groups in addition to the replicas: rounded up, at most the replicas. */
  readonly surge: number;
  /** Desired groups that may be unavailable: rounded down. */
  readonly unavailable: number;
  /** The ordinal below which groups keep their revision. */
  readonly partition: number;
}

/** The fields that the controller writes into the StatefulSet of the leaders. */
export interface LeaderSet {
  readonly replicas: number;
  readonly partition: number;
}

/** Computes the replicas of the StatefulSet while `notDone` of the desired groups are not done. */
function computeLeaderReplicas({ replicas, surge, unavailable }: GroupLimits, notDone: number, { retainedSurge }: LwsBehaviour): number {
  return notDone <= surge ? replicas + retainedSurge(notDone, unavailable) : replicas + surge;
}

/**
 * Computes the partition down to which the StatefulSet may continue.
 *
 *     floor     = groups - groups done at the top without a gap - step
 *     partition = floor + unready groups below it, lowered past adjacent groups that are unready or already updated
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
 * Computes what one reconcile writes into the StatefulSet of the leaders, after the replicas of the LeaderWorkerSet are set.
 *
 * Source: lws pkg/controllers/leaderworkerset_controller.go, `rollingUpdateParameters`.
 *
 * @param isNew whether this reconcile is the first that sees a new revision
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
