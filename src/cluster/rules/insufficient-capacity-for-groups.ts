import { defineMessage, extendRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { MoreNodes, Shortage } from '../../core/capacity-result';
import { capitalize, pluralize } from '../../core/text-format';
import { formatAdmissionRejection } from '../capacity/admission-rejection';
import type { AdmissionRejection } from '../capacity/admission-rejection';
import { describeMoreCapacity, adviseOnRejection } from '../capacity/capacity-advice';
import type { CapacityEvaluation } from '../capacity/rollout-capacity';
import { formatShortage } from '../capacity/shortage';
import type { GroupPods } from '../workload';
import { insufficientCapacity } from './insufficient-capacity';
import { QUOTA_SHORTAGE, MISSING_RESOURCE_REJECTION } from './capacity-samples';

interface RolesData {
  readonly shortage: Shortage;
  readonly deadlockWave: number;
  /** Pods of its peak. */
  readonly peakPods: number;
  readonly moreNodes?: MoreNodes;
  readonly rejection?: AdmissionRejection;
}

interface GroupsData extends RolesData {
  /** Groups that are wanted. */
  readonly groups: number;
  /** Groups that find room at once. */
  readonly groupsThatFit: number;
}

/** What is said of a rollout of groups, and of several roles together. */
export const insufficientCapacityForGroups = extendRule(insufficientCapacity, {
  groups: defineMessage<GroupsData>({
    text: ({ groups, groupsThatFit, shortage, deadlockWave, rejection }) =>
      `${pluralize(groups, 'group')} ${groups === 1 ? 'is' : 'are'} wanted, and a group counts once all of its pods run: ` +
      `${groupsThatFit === 0 ? 'none' : groupsThatFit} ${groupsThatFit > 1 ? 'find' : 'finds'} room at once. ${rejection ? formatAdmissionRejection(rejection) : capitalize(formatShortage(shortage))}. ` +
      `The rollout stands still at wave ${deadlockWave} for good.`,
    help: ({ groups, groupsThatFit, rejection, ...room }) => {
      if (rejection) return adviseOnRejection(rejection);
      const inPlace =
        groupsThatFit >= groups
          ? 'Write maxSurge: 0 with maxUnavailable: 1, so that a group goes before its successor comes'
          : 'Run fewer groups';
      return `${inPlace}, or ${describeMoreCapacity(room)}.`;
    },
    sample: { shortage: QUOTA_SHORTAGE, deadlockWave: 1, groups: 2, groupsThatFit: 1, peakPods: 12 },
    variants: [
      { shortage: QUOTA_SHORTAGE, deadlockWave: 1, groups: 2, groupsThatFit: 2, peakPods: 12 },
      { shortage: QUOTA_SHORTAGE, deadlockWave: 1, groups: 1, groupsThatFit: 0, peakPods: 4, rejection: MISSING_RESOURCE_REJECTION },
    ],
  }),
  roles: defineMessage<RolesData>({
    text: ({ shortage, deadlockWave, rejection }) =>
      `${rejection ? formatAdmissionRejection(rejection) : capitalize(formatShortage(shortage))}. Every role waits for the groups of wave ${deadlockWave}, and the rollout stands still there for good.`,
    help: ({ rejection, ...room }) =>
      rejection ? adviseOnRejection(rejection) : `Write a smaller maxSurge for the roles, or ${describeMoreCapacity(room)}.`,
    sample: { shortage: QUOTA_SHORTAGE, deadlockWave: 1, peakPods: 12 },
    variants: [{ shortage: QUOTA_SHORTAGE, deadlockWave: 1, peakPods: 12, rejection: MISSING_RESOURCE_REJECTION }],
  }),
});

/** A rollout of groups that stands still for want of room. */
export function checkInsufficientCapacityForGroups({ podSets, fewer, path }: GroupPods, room: CapacityEvaluation | undefined): Finding[] {
  if (room?.verdict.verdict !== 'deadlocks') return [];
  const { shortage, deadlockWave, moreNodes, podsThatFit, peakPods } = room.verdict;
  const shortageData = {
    shortage: shortage!,
    deadlockWave: deadlockWave!,
    peakPods,
    ...(moreNodes && { moreNodes }),
    ...(room.rejection && { rejection: room.rejection }),
  };
  if (!fewer) return [insufficientCapacityForGroups.createFinding('roles', { path, data: shortageData })];
  const size = fewer.perGroup.reduce((sum, pods) => sum + pods, 0);
  const data = {
    ...shortageData,
    groups: podSets.reduce((sum, { replicas }) => sum + replicas, 0) / size,
    groupsThatFit: Math.floor(podsThatFit / size),
  };
  return [insufficientCapacityForGroups.createFinding('groups', { path, data })];
}
