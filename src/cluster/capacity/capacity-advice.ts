import type { MoreNodes, CapacityResult, Shortage } from '../../core/capacity-result';
import { capitalize, pluralize } from '../../core/text-format';
import type { AdmissionRejection } from './admission-rejection';
import { formatShortageAmount, formatMoreNodes } from './shortage';
import type { StrategyFieldNames } from '../strategy-field-names';
import type { PodRollout, Workload } from '../workload';

/** What can be done about pods that don't all find room. */
export interface CapacityRemedy {
  /** What makes the peak smaller: pods replaced in place, or fewer or smaller pods. */
  readonly way: 'in-place' | 'fewer-replicas' | 'lower-maximum';
  readonly names: StrategyFieldNames;
  readonly peakPods: number;
  /** Pods to let go at once, so that the rollout moves without surge. @default 1 */
  readonly inPlace?: number;
  readonly shortage: Shortage;
  readonly moreNodes?: MoreNodes;
}

/** What to write where the labels or taints of the nodes keep pods off them all, whatever room there is. */
const NODE_ELIGIBILITY_ADVICE: Partial<Readonly<Record<Shortage['kind'], string>>> = {
  labels: 'ask in nodeSelector and node affinity for labels that nodes have (a pool of a capacity file has those that it lists)',
  taints: 'write a toleration of the taint into the pod template',
};

const SMALLER_ROLLOUT_ADVICE: Readonly<Record<CapacityRemedy['way'], (remedy: CapacityRemedy) => string>> = {
  'in-place': ({ names, inPlace = 1 }) => `Write ${names.maxSurge}: 0 and ${names.maxUnavailable}: ${inPlace} to replace pods in place`,
  'fewer-replicas': () => 'Lower the replicas or what a pod asks for until its peak finds room',
  'lower-maximum': () => "Lower the autoscaler's maximum or what a pod asks for until its peak finds room",
};

/** What makes room, as a part of a sentence. */
export function describeMoreCapacity({ shortage, moreNodes, peakPods }: Omit<CapacityRemedy, 'way' | 'names' | 'inPlace'>): string {
  if (moreNodes) return `add ${formatMoreNodes(moreNodes)} to pool "${moreNodes.pool}"`;
  const nodeAdvice = NODE_ELIGIBILITY_ADVICE[shortage.kind];
  if (nodeAdvice !== undefined) return nodeAdvice;
  return shortage.kind === 'quota'
    ? `let the ${shortage.limit} have ${formatShortageAmount(shortage)} for it`
    : `find room for ${pluralize(peakPods, 'pod')}`;
}

/** What to do about pods that are added and don't all find room. */
export function adviseOnAddedPods({
  pods,
  ...shortfall
}: Pick<CapacityRemedy, 'shortage' | 'moreNodes'> & { readonly pods: number }): string {
  const moreCapacity = describeMoreCapacity({ ...shortfall, peakPods: pods });
  const nodeAdvice = NODE_ELIGIBILITY_ADVICE[shortfall.shortage.kind];
  if (nodeAdvice === undefined) return `Lower the number of pods or what each asks for until all find room, or ${moreCapacity}.`;
  return `${capitalize(nodeAdvice)}${shortfall.moreNodes ? `, or ${moreCapacity}` : ''}.`;
}

/** What to do about pods that don't all find room. */
export function adviseOnCapacity(remedy: CapacityRemedy): string {
  const nodeAdvice = NODE_ELIGIBILITY_ADVICE[remedy.shortage.kind];
  if (nodeAdvice === undefined) return `${SMALLER_ROLLOUT_ADVICE[remedy.way](remedy)}, or ${describeMoreCapacity(remedy)}.`;
  return `${capitalize(nodeAdvice)}${remedy.moreNodes ? `, or ${describeMoreCapacity(remedy)}` : ''}.`;
}

/**
 * What can be done about a rollout that lacks room.
 *
 * Pods are replaced in place only where the replicas fit and no old pod goes first yet: 3 replicas with room for 2 stand still either way.
 *
 * @param fewer what else makes the peak smaller
 */
export function chooseCapacityRemedy(
  { names, strategyOwner }: Workload,
  { unavailable, replicas }: PodRollout,
  { podsThatFit, peakPods, shortage, moreNodes }: CapacityResult,
  fewer: 'fewer-replicas' | 'lower-maximum',
): CapacityRemedy {
  const needsOnlyHeadroom = unavailable === 0 && podsThatFit >= replicas;
  const way = needsOnlyHeadroom && strategyOwner === undefined ? 'in-place' : fewer;
  return { way, names, peakPods, shortage: shortage!, ...(moreNodes && { moreNodes }) };
}

/** What to write where pods are refused outright. */
export function adviseOnRejection(rejection: AdmissionRejection): string {
  if (rejection.kind === 'limit-range') {
    const container = rejection.containers.length === 0 ? 'the containers together' : `container "${rejection.containers[0]!}"`;
    return `Write resources for ${container} within what LimitRange "${rejection.limitRange}" allows, or let it allow more.`;
  }
  if (rejection.kind === 'replica-sets') {
    return (
      `Let the ResourceQuota "${rejection.quota}" have at least ${rejection.needed} count/replicasets.apps: ` +
      'one for each Deployment, one more while it rolls out, and the old ones that revisionHistoryLimit keeps.'
    );
  }
  const containers = rejection.containers.map((name) => `"${name}"`).join(' and ');
  return `Write ${rejection.fields.join(' and ')} for ${containers}, or add the LimitRange of the namespace that fills it in to the input.`;
}
