import type { MoreNodes, RolloutRoom, Shortage } from '../../core/room';
import { capitalised, counted } from '../../core/words';
import type { Refusal } from './refusal';
import { amountText, moreNodesText } from './shortage';
import type { StrategyNames } from '../strategy-terms';
import type { PodRollout, Workload } from '../workload';

/** What can be done about pods that don't all find room. */
export interface RoomChange {
  /** What makes the peak smaller: pods replaced in place, or fewer or smaller pods. */
  readonly way: 'in-place' | 'fewer-replicas' | 'lower-maximum';
  readonly names: StrategyNames;
  readonly peakPods: number;
  /** Pods to let go at once, so that the rollout moves without surge. @default 1 */
  readonly inPlace?: number;
  readonly shortage: Shortage;
  readonly moreNodes?: MoreNodes;
}

/** What to write where the labels or taints of the nodes keep pods off them all, whatever room there is. */
const WAYS_TO_NODES: Partial<Readonly<Record<Shortage['kind'], string>>> = {
  labels: 'ask in nodeSelector and node affinity for labels that nodes have (a pool of a capacity file has those that it lists)',
  taints: 'write a toleration of the taint into the pod template',
};

const SMALLER: Readonly<Record<RoomChange['way'], (change: RoomChange) => string>> = {
  'in-place': ({ names, inPlace = 1 }) => `Write ${names.maxSurge}: 0 and ${names.maxUnavailable}: ${inPlace} to replace pods in place`,
  'fewer-replicas': () => 'Lower the replicas or what a pod asks for until its peak finds room',
  'lower-maximum': () => "Lower the autoscaler's maximum or what a pod asks for until its peak finds room",
};

/** What makes room, as a part of a sentence. */
export function moreRoom({ shortage, moreNodes, peakPods }: Omit<RoomChange, 'way' | 'names' | 'inPlace'>): string {
  if (moreNodes) return `add ${moreNodesText(moreNodes)} to pool "${moreNodes.pool}"`;
  const toNodes = WAYS_TO_NODES[shortage.kind];
  if (toNodes !== undefined) return toNodes;
  return shortage.kind === 'quota'
    ? `let the ${shortage.limit} have ${amountText(shortage)} for it`
    : `find room for ${counted(peakPods, 'pod')}`;
}

/** What to do about pods that are added and don't all find room. */
export function addedAdvice({ pods, ...room }: Pick<RoomChange, 'shortage' | 'moreNodes'> & { readonly pods: number }): string {
  const more = moreRoom({ ...room, peakPods: pods });
  const toNodes = WAYS_TO_NODES[room.shortage.kind];
  if (toNodes === undefined) return `Lower the number of pods or what each asks for until all find room, or ${more}.`;
  return `${capitalised(toNodes)}${room.moreNodes ? `, or ${more}` : ''}.`;
}

/** What to do about pods that don't all find room. */
export function roomAdvice(change: RoomChange): string {
  const toNodes = WAYS_TO_NODES[change.shortage.kind];
  if (toNodes === undefined) return `${SMALLER[change.way](change)}, or ${moreRoom(change)}.`;
  return `${capitalised(toNodes)}${change.moreNodes ? `, or ${moreRoom(change)}` : ''}.`;
}

/**
 * What can be done about a rollout that lacks room.
 *
 * Pods are replaced in place only where the replicas fit and no old pod goes first yet: 3 replicas with room for 2 stand still either way.
 *
 * @param fewer what else makes the peak smaller
 */
export function roomChange(
  { names, strategyOwner }: Workload,
  { unavailable, replicas }: PodRollout,
  { podsWithRoom, peakPods, shortage, moreNodes }: RolloutRoom,
  fewer: 'fewer-replicas' | 'lower-maximum',
): RoomChange {
  const lacksHeadroomOnly = unavailable === 0 && podsWithRoom >= replicas;
  const way = lacksHeadroomOnly && strategyOwner === undefined ? 'in-place' : fewer;
  return { way, names, peakPods, shortage: shortage!, ...(moreNodes && { moreNodes }) };
}

/** What to write where pods are refused outright. */
export function refusalAdvice(refusal: Refusal): string {
  if (refusal.kind === 'limit-range') {
    const whose = refusal.containers.length === 0 ? 'the containers together' : `container "${refusal.containers[0]!}"`;
    return `Write resources for ${whose} within what LimitRange "${refusal.limitRange}" allows, or let it allow more.`;
  }
  if (refusal.kind === 'replica-sets') {
    return (
      `Let the ResourceQuota "${refusal.quota}" have at least ${refusal.needed} count/replicasets.apps: ` +
      'one for each Deployment, one more while it rolls out, and the old ones that revisionHistoryLimit keeps.'
    );
  }
  const containers = refusal.containers.map((name) => `"${name}"`).join(' and ');
  return `Write ${refusal.fields.join(' and ')} for ${containers}, or add the LimitRange of the namespace that fills it in to the input.`;
}
