import { defineMessage, extendRule } from '../../core/finding';
import type { Finding, Source } from '../../core/finding';
import type { FieldPath } from '../../core/field-path';
import type { MoreNodes, Shortage } from '../../core/capacity-result';
import { pluralize, truncateNames, joinTruncatedNames } from '../../core/text-format';
import type { TruncatedNames } from '../../core/text-format';
import { formatAdmissionRejection } from '../capacity/admission-rejection';
import type { AdmissionRejection } from '../capacity/admission-rejection';
import { adviseOnAddedPods, adviseOnRejection } from '../capacity/capacity-advice';
import type { ScaleUpEvaluation } from '../capacity/scale-up-capacity';
import { formatShortage } from '../capacity/shortage';
import { formatFittingCount, insufficientCapacity } from './insufficient-capacity';
import { MORE_NODES, PARTIAL_QUOTA_SHORTAGE, QUOTA_SHORTAGE, MISSING_RESOURCE_REJECTION } from './capacity-samples';

/** What becomes of pods without room: refused by a quota, or left Pending by the scheduler; where pods start in order, one by one. */
interface PendingPods {
  readonly isRejected: boolean;
  readonly startsInOrder: boolean;
}

interface PodCounts {
  /** The object, where it is no rollout that stands above what is said: `Job shop/load`. */
  readonly object?: string;
  /** Pods that are wanted. */
  readonly pods: number;
  /** Of these, pods that run before the apply. */
  readonly running: number;
}

interface AddedData extends PodCounts, PendingPods {
  /** Pods that find room, whatever else the apply adds. */
  readonly podsThatFit: number;
  /** The most that find room, where that is up to what comes first. */
  readonly mostPodsThatFit?: number;
  /** What else the apply adds pods to and wants the same room: `Deployment shop/web`. */
  readonly rivals?: TruncatedNames;
  readonly shortage: Shortage;
  readonly moreNodes?: MoreNodes;
}

interface GroupsData extends AddedData {
  /** Groups that are wanted. */
  readonly groups: number;
  /** The most groups of which all pods find room. */
  readonly groupsThatFit: number;
}

interface LaterData extends PodCounts {
  /** Pods that find room while the pods that others give up are still there. */
  readonly podsThatFit: number;
  /** Whose pods the apply takes away. */
  readonly shrinkingWorkloads: TruncatedNames;
  readonly shortage: Shortage;
  readonly isRejected: boolean;
}

interface RejectedData extends PodCounts {
  readonly rejection: AdmissionRejection;
}

/** What becomes of pods, as a part of a sentence. */
function formatPodState(isRejected: boolean, isOne: boolean): string {
  if (isRejected) return `${isOne ? 'is' : 'are'} refused and tried again`;
  return isOne ? 'stays Pending' : 'stay Pending';
}

function formatWaiting({ isRejected, startsInOrder }: PendingPods, waiting: number, hasOthers: boolean): string {
  const state = `${formatPodState(isRejected, startsInOrder || waiting === 1)} until there is room`;
  if (startsInOrder)
    return `The ${hasOthers ? 'next' : 'first'} one in order ${state}${waiting > 1 ? ', and those behind it are not started' : ''}.`;
  if (!hasOthers) return `${waiting === 1 ? 'It' : 'They'} ${state}.`;
  return `${waiting === 1 ? 'The other one' : `The other ${waiting}`} ${state}.`;
}

function formatRivals(rivals: TruncatedNames | undefined): string {
  if (rivals === undefined) return '';
  const isOne = rivals.names.length === 1;
  return ` ${joinTruncatedNames(rivals)} ${isOne ? 'gets' : 'get'} more pods by the same apply and ${isOne ? 'wants' : 'want'} the same room.`;
}

function formatObjectPrefix({ object }: Pick<PodCounts, 'object'>): string {
  return object === undefined ? '' : `${object}: `;
}

function formatFittingPods({ pods, podsThatFit, mostPodsThatFit }: AddedData): string {
  if (mostPodsThatFit !== undefined)
    return `Of ${pluralize(pods, 'pod')} ${podsThatFit} to ${mostPodsThatFit} find room, by what comes first`;
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

/** What is said of pods that an apply adds, or that nothing rolls out, and that find no room. */
export const insufficientCapacityForAddedPods = extendRule(insufficientCapacity, {
  added: defineMessage<AddedData>({
    text: (data) => {
      const { pods, podsThatFit, mostPodsThatFit = podsThatFit, shortage, rivals } = data;
      const waits =
        mostPodsThatFit < pods || rivals === undefined ? ` ${formatWaiting(data, pods - mostPodsThatFit, mostPodsThatFit > 0)}` : '';
      return `${formatObjectPrefix(data)}${formatFittingPods(data)}: ${formatShortage(shortage, 'it asks for')}.${formatRivals(rivals)}${waits}`;
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
      const { groups, groupsThatFit, shortage, rivals, isRejected } = data;
      const waits = `Pods beyond that ${formatPodState(isRejected, false)} until there is room.`;
      return (
        `Of ${pluralize(groups, 'group')} at most ${groupsThatFit} ${groupsThatFit === 1 ? 'has' : 'have'} room for all pods, and a group counts once all of them run: ` +
        `${formatShortage(shortage, 'it asks for')}.${formatRivals(rivals)} ${waits}`
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
    text: ({ object: of, pods, podsThatFit, shrinkingWorkloads, shortage, isRejected }) =>
      `${formatObjectPrefix({ object: of })}Of ${pluralize(pods, 'pod')} ${podsThatFit} ${podsThatFit === 1 ? 'has' : 'have'} room at once, and the others when pods of ${joinTruncatedNames(shrinkingWorkloads)} are gone, ` +
      `which the same apply takes away: ${formatShortage(shortage, 'it asks for')} until then. ` +
      `Which comes first is not known; pods that come too early ${formatPodState(isRejected, false)}.`,
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
    text: ({ object: of, pods, running, rejection }) => {
      const stay =
        running === 0 ? 'None of the' : `${running === 1 ? 'The one that runs stays' : `The ${running} that run stay`}, and none of the`;
      return `${formatObjectPrefix({ object: of })}${formatAdmissionRejection(rejection)}. ${stay} ${running === 0 ? pluralize(pods, 'pod') : `${pods - running} more`} is made.`;
    },
    help: ({ rejection }) => adviseOnRejection(rejection),
    sample: { pods: 14, running: 9, rejection: MISSING_RESOURCE_REJECTION },
    variants: [
      { pods: 3, running: 0, rejection: MISSING_RESOURCE_REJECTION },
      { pods: 2, running: 1, rejection: MISSING_RESOURCE_REJECTION },
    ],
  }),
});

/** What is told of an object whose pods are added. */
export interface PodAddition {
  readonly path: FieldPath;
  readonly pods: number;
  readonly running: number;
  /** Does a pod start only once the one before it is available? */
  readonly startsInOrder: boolean;
  /** Pods of a group, where they go by groups. */
  readonly groupSize?: number;
  /** The object, where it is no rollout. */
  readonly object?: string;
  /** Do its pods end by themselves and make room for the others, as those of a Job? @default false */
  readonly endsByItself?: boolean;
  readonly source?: Source;
}

/** Pods that are added and do not all find room, or not at once; nothing where they do. */
export function checkInsufficientCapacityForAddedPods(
  { path, source, object, pods, running, startsInOrder, groupSize, endsByItself: runsToCompletion = false }: PodAddition,
  evaluation: ScaleUpEvaluation,
  others: TruncatedNames | undefined,
): Finding[] {
  const { verdict, isRejected, rejection } = evaluation;
  const { shortage, podsThatFit, mostPodsThatFit, moreNodes } = verdict;
  if (shortage === undefined) return [];
  const location = { path, ...(source && { source }) };
  const counts = { ...(object !== undefined && { object }), pods, running };
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
  const severity = runsToCompletion && podsThatFit > 0 ? 'info' : 'error';
  if (groupSize === undefined) return [insufficientCapacityForAddedPods.createFinding('added', { ...location, severity, data })];
  const groups = { groups: pods / groupSize, groupsThatFit: Math.floor((mostPodsThatFit ?? podsThatFit) / groupSize) };
  return [insufficientCapacityForAddedPods.createFinding('addedGroups', { ...location, data: { ...data, ...groups } })];
}
