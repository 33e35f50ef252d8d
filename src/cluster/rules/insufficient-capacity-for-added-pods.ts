import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding, Source } from '../../core/findings/finding';
import type { FieldPath } from '../../core/manifest/field-path';
import type { MoreNodes, Shortage } from '../../core/document/capacity-result';
import { pluralize, truncateNames, joinTruncatedNames } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';
import { formatAdmissionRejection } from '../rejections/admission-rejection';
import type { AdmissionRejection } from '../rejections/admission-rejection';
import { adviseOnAddedPods, adviseOnRejection } from '../capacity/capacity-advice';
import type { ScaleUpEvaluation } from '../capacity/scale-up-capacity';
import { formatRequestSubject, formatShortage } from '../capacity/shortage';
import { checkUndecidedCapacity } from './insufficient-capacity-if-undecided';
import { formatFittingCount, insufficientCapacity } from './insufficient-capacity';
import { MORE_NODES, PARTIAL_QUOTA_SHORTAGE, QUOTA_SHORTAGE, MISSING_RESOURCE_REJECTION } from './capacity-samples';

/**
 * How pods that do not fit behave: a quota refuses them or the scheduler leaves them Pending, and some kinds start pods one by one in
 * order.
 */
interface PendingPods {
  readonly isRejected: boolean;
  readonly startsInOrder: boolean;
}

interface PodCounts {
  /** The object, unless the message is listed under its rollout: `Job shop/load`. */
  readonly object?: string;
  /** Desired pods. */
  readonly pods: number;
  /** Desired pods that already run before the apply. */
  readonly running: number;
}

interface AddedData extends PodCounts, PendingPods {
  /** Pods that fit regardless of what else the apply adds. */
  readonly podsThatFit: number;
  /** Maximum number of pods that fit if they are scheduled first. Unset if the order does not matter. */
  readonly mostPodsThatFit?: number;
  /** Other objects that the apply changes and that compete for the same capacity: `Deployment shop/web`. */
  readonly rivals?: TruncatedNames;
  readonly shortage: Shortage;
  readonly moreNodes?: MoreNodes;
}

interface GroupsData extends AddedData {
  /** Desired groups. */
  readonly groups: number;
  /** Maximum number of groups with capacity for all of their pods. */
  readonly groupsThatFit: number;
}

interface LaterData extends PodCounts {
  /** Pods that fit before the pods of other workloads are deleted. */
  readonly podsThatFit: number;
  /** Workloads whose pods the apply deletes. */
  readonly shrinkingWorkloads: TruncatedNames;
  readonly shortage: Shortage;
  readonly isRejected: boolean;
}

interface RejectedData extends PodCounts {
  readonly rejection: AdmissionRejection;
}

/** Formats what happens to pods that do not fit, as part of a sentence. */
function formatPodState(isRejected: boolean, isOne: boolean): string {
  if (isRejected) return `${isOne ? 'is' : 'are'} refused and retried`;
  return isOne ? 'stays Pending' : 'stay Pending';
}

function formatWaiting({ isRejected, startsInOrder }: PendingPods, waiting: number, hasOthers: boolean): string {
  const state = `${formatPodState(isRejected, startsInOrder || waiting === 1)} until there is capacity`;
  if (startsInOrder)
    return `The ${hasOthers ? 'next' : 'first'} pod in order ${state}${waiting > 1 ? ', and the pods after it are not started' : ''}.`;
  if (!hasOthers) return `${waiting === 1 ? 'It' : 'They'} ${state}.`;
  return `${waiting === 1 ? 'The other pod' : `The other ${waiting} pods`} ${state}.`;
}

function formatRivals(rivals: TruncatedNames | undefined): string {
  if (rivals === undefined) return '';
  const isOne = rivals.names.length === 1;
  return ` ${joinTruncatedNames(rivals)} ${isOne ? 'changes' : 'change'} in the same apply and ${isOne ? 'competes' : 'compete'} for the same capacity.`;
}

function formatObjectPrefix({ object }: Pick<PodCounts, 'object'>): string {
  return object === undefined ? '' : `${object}: `;
}

function formatFittingPods({ pods, podsThatFit, mostPodsThatFit }: AddedData): string {
  if (mostPodsThatFit !== undefined)
    return `Between ${podsThatFit} and ${mostPodsThatFit} of ${pluralize(pods, 'pod')} fit, depending on which are scheduled first`;
  return formatFittingCount(pods, 'pod', podsThatFit);
}

const ADDED_SAMPLE: AddedData = {
  pods: 14,
  running: 9,
  podsThatFit: 10,
  shortage: PARTIAL_QUOTA_SHORTAGE,
  isRejected: true,
  startsInOrder: false,
};
const NODES_SHORTAGE_SAMPLE: Shortage = { kind: 'nodes', limit: 'node pools', resource: 'pods', needed: '14', available: '10' };

/** The messages for pods that an apply adds, or that no rollout creates, and that do not fit. */
export const insufficientCapacityForAddedPods = extendRule(insufficientCapacity, {
  added: defineMessage<AddedData>({
    text: (data) => {
      const { pods, podsThatFit, mostPodsThatFit = podsThatFit, shortage, rivals } = data;
      const waits =
        mostPodsThatFit < pods || rivals === undefined ? ` ${formatWaiting(data, pods - mostPodsThatFit, mostPodsThatFit > 0)}` : '';
      return `${formatObjectPrefix(data)}${formatFittingPods(data)}: ${formatShortage(shortage, formatRequestSubject(pods))}.${formatRivals(rivals)}${waits}`;
    },
    help: adviseOnAddedPods,
    sample: ADDED_SAMPLE,
    variants: [
      { ...ADDED_SAMPLE, pods: 1, running: 0, podsThatFit: 0 },
      { ...ADDED_SAMPLE, podsThatFit: 0, running: 0 },
      { ...ADDED_SAMPLE, object: 'Job shop/load' },
      { ...ADDED_SAMPLE, podsThatFit: 0, running: 0, startsInOrder: true },
      { ...ADDED_SAMPLE, podsThatFit: 1, startsInOrder: true },
      { ...ADDED_SAMPLE, podsThatFit: 13, startsInOrder: true },
      { ...ADDED_SAMPLE, shortage: NODES_SHORTAGE_SAMPLE, isRejected: false, moreNodes: MORE_NODES },
      { ...ADDED_SAMPLE, pods: 11, shortage: NODES_SHORTAGE_SAMPLE, isRejected: false },
      { ...ADDED_SAMPLE, podsThatFit: 13, shortage: NODES_SHORTAGE_SAMPLE, isRejected: false, startsInOrder: true },
      { ...ADDED_SAMPLE, podsThatFit: 9, mostPodsThatFit: 12, rivals: truncateNames(['Deployment shop/api']) },
      { ...ADDED_SAMPLE, podsThatFit: 9, mostPodsThatFit: 14, rivals: truncateNames(['Deployment shop/api', 'Job shop/load']) },
    ],
  }),
  addedGroups: defineMessage<GroupsData>({
    text: (data) => {
      const { pods, groups, groupsThatFit, shortage, rivals, isRejected } = data;
      const fitting =
        groupsThatFit === 0
          ? formatFittingCount(groups, 'group', 0)
          : `At most ${groupsThatFit} of ${pluralize(groups, 'group')} ${groupsThatFit === 1 ? 'fits' : 'fit'}`;
      const waits = `Pods that do not fit ${formatPodState(isRejected, false)} until there is capacity.`;
      return (
        `${fitting}: ${formatShortage(shortage, formatRequestSubject(pods))}. ` +
        `A group counts once all of its pods run.${formatRivals(rivals)} ${waits}`
      );
    },
    help: adviseOnAddedPods,
    sample: { ...ADDED_SAMPLE, groups: 4, groupsThatFit: 2 },
    variants: [
      {
        ...ADDED_SAMPLE,
        groups: 1,
        groupsThatFit: 0,
        shortage: NODES_SHORTAGE_SAMPLE,
        isRejected: false,
        rivals: truncateNames(['LeaderWorkerSet llm/b']),
      },
      { ...ADDED_SAMPLE, groups: 2, groupsThatFit: 1 },
    ],
  }),
  addedLater: defineMessage<LaterData>({
    text: ({ object, pods, podsThatFit, shrinkingWorkloads, shortage, isRejected }) =>
      `${formatObjectPrefix({ object })}${formatFittingCount(pods, 'pod', podsThatFit)} at once: ${formatShortage(shortage, formatRequestSubject(pods))} ` +
      `until the same apply has deleted pods of ${joinTruncatedNames(shrinkingWorkloads)}. ` +
      `The order is not defined. Pods that are created too early ${formatPodState(isRejected, false)}.`,
    sample: {
      pods: 8,
      running: 5,
      podsThatFit: 5,
      shrinkingWorkloads: truncateNames(['Deployment shop/api']),
      shortage: QUOTA_SHORTAGE,
      isRejected: true,
    },
    variants: [
      {
        pods: 2,
        running: 0,
        podsThatFit: 1,
        shrinkingWorkloads: truncateNames(['Deployment shop/api', 'Deployment shop/web']),
        shortage: NODES_SHORTAGE_SAMPLE,
        isRejected: false,
      },
    ],
  }),
  addedRejected: defineMessage<RejectedData>({
    text: ({ object, pods, running, rejection }) => {
      const missing = pods - running === 1 ? 'pod is' : `${pods - running} pods are`;
      const stay = running === 1 ? 'The running pod stays' : `The ${running} running pods stay`;
      const outcome = running === 0 ? `The ${missing} not created` : `${stay}, but the other ${missing} not created`;
      return `${formatObjectPrefix({ object })}${formatAdmissionRejection(rejection)}. ${outcome}.`;
    },
    help: ({ rejection }) => adviseOnRejection(rejection),
    sample: { pods: 14, running: 9, rejection: MISSING_RESOURCE_REJECTION },
    variants: [
      { pods: 3, running: 0, rejection: MISSING_RESOURCE_REJECTION },
      { pods: 2, running: 1, rejection: MISSING_RESOURCE_REJECTION },
    ],
  }),
});

/** The pods that an apply adds to an object. */
export interface PodAddition {
  readonly path: FieldPath;
  readonly pods: number;
  readonly running: number;
  /** Whether a pod starts only once the pod before it is available. */
  readonly startsInOrder: boolean;
  /** Pods of a group. Unset if the object has no groups. */
  readonly groupSize?: number;
  /** The object, if it is not a rollout. */
  readonly object?: string;
  /** Whether its pods run to completion and free their capacity, like those of a Job. @default false */
  readonly endsByItself?: boolean;
  readonly source?: Source;
}

/** Reports added pods that do not all fit, or not at once. */
export function checkInsufficientCapacityForAddedPods(
  { path, source, object, pods, running, startsInOrder, groupSize, endsByItself = false }: PodAddition,
  evaluation: ScaleUpEvaluation,
  others: TruncatedNames | undefined,
): Finding[] {
  const { verdict, isRejected, rejection } = evaluation;
  const { shortage, podsThatFit, mostPodsThatFit, moreNodes } = verdict;
  const location = { path, ...(source && { source }) };
  if (verdict.verdict === 'may-not-fit') return checkUndecidedCapacity(location, verdict, object);
  if (shortage === undefined) return [];
  const counts = { ...(object !== undefined && { object }), pods, running };
  if (rejection?.kind === 'pod-security') return [];
  if (rejection) return [insufficientCapacityForAddedPods.createFinding('addedRejected', { ...location, data: { ...counts, rejection } })];
  if (verdict.verdict === 'slower') {
    const data = { ...counts, podsThatFit, shrinkingWorkloads: others ?? { names: ['other workloads'] }, shortage, isRejected };
    return [insufficientCapacityForAddedPods.createFinding('addedLater', { ...location, severity: 'info', data })];
  }
  const data: AddedData = {
    ...counts,
    podsThatFit,
    ...(mostPodsThatFit !== undefined && { mostPodsThatFit }),
    ...(others && { rivals: others }),
    shortage,
    isRejected,
    startsInOrder,
    ...(moreNodes && { moreNodes }),
  };
  const severity = endsByItself && podsThatFit > 0 ? 'info' : 'error';
  if (groupSize === undefined) return [insufficientCapacityForAddedPods.createFinding('added', { ...location, severity, data })];
  const groups = { groups: pods / groupSize, groupsThatFit: Math.floor((mostPodsThatFit ?? podsThatFit) / groupSize) };
  return [insufficientCapacityForAddedPods.createFinding('addedGroups', { ...location, data: { ...data, ...groups } })];
}
