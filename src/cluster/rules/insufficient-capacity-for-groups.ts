import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { MoreNodes, Shortage } from '../../core/document/capacity-result';
import { capitalize, pluralize } from '../../core/text/text-format';
import { formatAdmissionRejection } from '../rejections/admission-rejection';
import type { AdmissionRejection } from '../rejections/admission-rejection';
import { describeMoreCapacity, adviseOnRejection } from '../capacity/capacity-advice';
import type { CapacityEvaluation } from '../capacity/capacity-evaluation';
import { formatShortage } from '../capacity/shortage';
import type { GroupPods } from '../rollout/pod-groups';
import { formatFittingCount, insufficientCapacity } from './insufficient-capacity';
import { QUOTA_SHORTAGE, MISSING_RESOURCE_REJECTION } from './capacity-samples';

interface RolesData {
  readonly shortage: Shortage;
  readonly deadlockWave: number;
  /** Pods at the peak. */
  readonly peakPods: number;
  readonly furtherShortages?: readonly Shortage[];
  readonly moreNodes?: MoreNodes;
  readonly rejection?: AdmissionRejection;
}

interface GroupsData extends RolesData {
  /** Desired groups. */
  readonly groups: number;
  /** Groups that fit at once. */
  readonly groupsThatFit: number;
  /** Whether the groups fit if each is deleted before its successor is created. */
  readonly fitsInPlace: boolean;
}

/** Formats how many groups fit at once: `Only 1 of 2 groups fits at once`. */
function formatFittingGroups(groups: number, groupsThatFit: number): string {
  if (groupsThatFit >= groups) return `Only ${pluralize(groupsThatFit, 'group')} ${groupsThatFit === 1 ? 'fits' : 'fit'} at once`;
  return `${formatFittingCount(groups, 'group', groupsThatFit)} at once`;
}

/** The messages for a rollout of groups, and for a rollout of several roles together. */
export const insufficientCapacityForGroups = extendRule(insufficientCapacity, {
  groups: defineMessage<GroupsData>({
    text: ({ groups, groupsThatFit, shortage, deadlockWave, rejection }) =>
      `${formatFittingGroups(groups, groupsThatFit)}, and a group counts once all of its pods run. ` +
      `${rejection ? formatAdmissionRejection(rejection) : capitalize(formatShortage(shortage))}. ` +
      `The rollout deadlocks at wave ${deadlockWave}.`,
    help: ({ fitsInPlace, rejection, ...shortfall }) => {
      if (rejection) return adviseOnRejection(rejection);
      const smaller = fitsInPlace
        ? 'Write maxSurge: 0 with maxUnavailable: 1, so that a group is deleted before its successor is created'
        : 'Run fewer groups';
      return `${smaller}, or ${describeMoreCapacity(shortfall)}.`;
    },
    sample: { shortage: QUOTA_SHORTAGE, deadlockWave: 1, groups: 2, groupsThatFit: 1, peakPods: 12, fitsInPlace: false },
    variants: [
      { shortage: QUOTA_SHORTAGE, deadlockWave: 1, groups: 2, groupsThatFit: 2, peakPods: 12, fitsInPlace: true },
      {
        shortage: QUOTA_SHORTAGE,
        deadlockWave: 1,
        groups: 1,
        groupsThatFit: 0,
        peakPods: 4,
        fitsInPlace: false,
        rejection: MISSING_RESOURCE_REJECTION,
      },
    ],
  }),
  roles: defineMessage<RolesData>({
    text: ({ shortage, deadlockWave, rejection }) =>
      `${rejection ? formatAdmissionRejection(rejection) : capitalize(formatShortage(shortage))}. Every role waits for the groups of wave ${deadlockWave}, so the rollout deadlocks there.`,
    help: ({ rejection, ...shortfall }) =>
      rejection ? adviseOnRejection(rejection) : `Write a smaller maxSurge for the roles, or ${describeMoreCapacity(shortfall)}.`,
    sample: { shortage: QUOTA_SHORTAGE, deadlockWave: 1, peakPods: 12 },
    variants: [{ shortage: QUOTA_SHORTAGE, deadlockWave: 1, peakPods: 12, rejection: MISSING_RESOURCE_REJECTION }],
  }),
});

/**
 * Reports a rollout of groups that deadlocks for lack of capacity.
 *
 * @param fitsInPlace reports whether this many groups fit if each is deleted before its successor is created
 */
export function checkInsufficientCapacityForGroups(
  { podSets, fewer, path }: GroupPods,
  evaluation: CapacityEvaluation | undefined,
  fitsInPlace: (groups: number) => boolean,
): Finding[] {
  if (evaluation?.verdict.verdict !== 'deadlocks' || evaluation.rejection?.kind === 'pod-security') return [];
  const { shortage, deadlockWave, moreNodes, podsThatFit, peakPods } = evaluation.verdict;
  const shortageData = {
    shortage: shortage!,
    deadlockWave: deadlockWave!,
    peakPods,
    ...(evaluation.furtherShortages && { furtherShortages: evaluation.furtherShortages }),
    ...(moreNodes && { moreNodes }),
    ...(evaluation.rejection && { rejection: evaluation.rejection }),
  };
  if (!fewer) return [insufficientCapacityForGroups.createFinding('roles', { path, data: shortageData })];
  const size = fewer.perGroup.reduce((sum, pods) => sum + pods, 0);
  const groups = podSets.reduce((sum, { replicas }) => sum + replicas, 0) / size;
  const data = {
    ...shortageData,
    groups,
    fitsInPlace: fitsInPlace(groups),
    groupsThatFit: Math.floor(podsThatFit / size),
  };
  return [insufficientCapacityForGroups.createFinding('groups', { path, data })];
}
