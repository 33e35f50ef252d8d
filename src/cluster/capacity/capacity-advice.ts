import type { MoreNodes, CapacityResult, Shortage } from '../../core/document/capacity-result';
import { groupBy } from '../../core/collections/group-by';
import { capitalize, joinWords, pluralize } from '../../core/text/text-format';
import type { PodRollout } from '../rollout/pod-rollout';
import type { StrategyFieldNames } from '../rollout/strategy-field-names';
import type { CapacityKnowledge, SmallerRollouts, Workload } from '../rollout/workload';
import type { AdmissionRejection } from '../rejections/admission-rejection';
import { isRequestedResource } from './admission/quota';
import { formatShortageAmount, formatMoreNodes } from './shortage';

/** A remedy for pods that do not all fit. */
export interface CapacityRemedy {
  /** What lowers the peak: replacing pods in place, fewer or smaller pods, or nothing, so that only more capacity helps. */
  readonly way: 'in-place' | 'fewer-replicas' | 'only-fewer-replicas' | 'smaller-pods' | 'lower-maximum' | 'more-capacity';
  readonly names: StrategyFieldNames;
  readonly peakPods: number;
  /** Pods to delete at once so that the rollout proceeds without surge. @default 1 */
  readonly inPlace?: number;
  readonly shortage: Shortage;
  /** What else is lacking. @default - nothing */
  readonly furtherShortages?: readonly Shortage[];
  readonly moreNodes?: MoreNodes;
}

/** The advice if labels or taints exclude all nodes, regardless of capacity. */
const NODE_ELIGIBILITY_ADVICE: Partial<Readonly<Record<Shortage['kind'], string>>> = {
  labels: 'use labels that nodes have in nodeSelector and node affinity (a pool in a capacity file only has the labels that it lists)',
  taints: 'add a toleration of the taint to the pod template',
  domains: 'lower minDomains of the spread constraint to the domains that the nodes have, or add nodes in another domain',
};

/** Pods that are replaced in place, and the pods of the rollout. */
interface InPlaceRollout {
  readonly names: StrategyFieldNames;
  readonly replicas: number;
  readonly inPlace?: number;
}

/** Reports whether no pod is available while pods are replaced in place. */
function isOutageInPlace({ replicas, inPlace = 1 }: Pick<InPlaceRollout, 'replicas' | 'inPlace'>): boolean {
  return replicas <= inPlace;
}

/** Formats the limits that replace pods in place, and the outage if there is one: `maxSurge: 0 and maxUnavailable: 1 to replace pods in place`. */
export function formatInPlace(rollout: InPlaceRollout): string {
  const { names, inPlace = 1 } = rollout;
  const limits = `${names.maxSurge}: 0 and ${names.maxUnavailable}: ${inPlace} to replace pods in place`;
  return isOutageInPlace(rollout) ? `${limits}, with no pod available until a new one is ready` : limits;
}

const SMALLER_ROLLOUT_ADVICE: Readonly<Record<Exclude<CapacityRemedy['way'], 'more-capacity'>, (remedy: CapacityRemedy) => string>> = {
  'in-place': (remedy) => `Write ${formatInPlace({ ...remedy, replicas: Infinity })}`,
  'fewer-replicas': () => 'Lower the replicas or the requests of a pod until the peak fits',
  'only-fewer-replicas': () => 'Lower the replicas until the peak fits',
  'smaller-pods': () => 'Lower the requests of a pod until the peak fits',
  'lower-maximum': () => "Lower the autoscaler's maximum or the requests of a pod until the peak fits",
};

/** Formats the quotas to raise: `raise ResourceQuota "team" so that it has 5 requests.cpu and 5Gi requests.memory left`. */
function describeRaisedQuotas(shortages: readonly Shortage[]): string {
  const byLimit = groupBy(shortages, ({ limit }) => limit);
  const clauses = Array.from(byLimit, ([limit, ofLimit]) => `${limit} so that it has ${joinWords(ofLimit.map(formatShortageAmount))} left`);
  return `raise ${joinWords(clauses)}`;
}

/** Formats what provides capacity, as part of a sentence. */
export function describeMoreCapacity(remedy: Omit<CapacityRemedy, 'way' | 'names' | 'inPlace'>): string {
  const { shortage, furtherShortages = [], moreNodes, peakPods } = remedy;
  if (moreNodes) return `add ${formatMoreNodes(moreNodes)} to pool "${moreNodes.pool}"`;
  const nodeAdvice = NODE_ELIGIBILITY_ADVICE[shortage.kind];
  if (nodeAdvice !== undefined) return nodeAdvice;
  return shortage.kind === 'quota'
    ? describeRaisedQuotas([shortage, ...furtherShortages.filter(({ kind }) => kind === 'quota')])
    : `add capacity until ${pluralize(peakPods, 'pod')} ${peakPods === 1 ? 'fits' : 'fit'}`;
}

/** Pods that an apply adds, and that do not all fit. */
interface AddedPodsShortfall extends Pick<CapacityRemedy, 'shortage' | 'moreNodes'> {
  readonly pods: number;
  /** Pods that already run before the apply. */
  readonly running: number;
  /** The object, unless it is a rollout. */
  readonly object?: string;
}

/**
 * Formats the other way to let added pods fit, after their number. If the same apply also changes the requests, it replaces the running
 * pods, which keep theirs until new ones are available. Only a rollout replaces its pods.
 */
function formatSmallerPods({ shortage, running, object }: AddedPodsShortfall): string {
  if (shortage.kind === 'quota' && !isRequestedResource(shortage.resource)) return '';
  if (running === 0) return ' or the requests of each';
  return object === undefined ? ', or in an earlier apply the requests of each,' : '';
}

/** Formats the help for added pods that do not all fit. */
export function adviseOnAddedPods(shortfall: AddedPodsShortfall): string {
  const moreCapacity = describeMoreCapacity({ ...shortfall, peakPods: shortfall.pods });
  const nodeAdvice = NODE_ELIGIBILITY_ADVICE[shortfall.shortage.kind];
  if (nodeAdvice === undefined) return `Lower the number of pods${formatSmallerPods(shortfall)} until all of them fit, or ${moreCapacity}.`;
  return `${capitalize(nodeAdvice)}${shortfall.moreNodes ? `, or ${moreCapacity}` : ''}.`;
}

/**
 * Formats the help for pods that do not all fit. More capacity comes first if pods that are replaced in place leave none available.
 *
 * @param replicas - pods of the rollout. @default - more than are replaced in place at once
 */
export function adviseOnCapacity(remedy: CapacityRemedy, replicas = Infinity): string {
  const { way, shortage, moreNodes } = remedy;
  const nodeAdvice = NODE_ELIGIBILITY_ADVICE[shortage.kind];
  const moreCapacity = describeMoreCapacity(remedy);
  if (nodeAdvice !== undefined) return `${capitalize(nodeAdvice)}${moreNodes ? `, or ${moreCapacity}` : ''}.`;
  if (way === 'more-capacity') return `${capitalize(moreCapacity)}.`;
  if (way === 'in-place' && isOutageInPlace({ ...remedy, replicas }))
    return `${capitalize(moreCapacity)}, or write ${formatInPlace({ ...remedy, replicas })}.`;
  return `${SMALLER_ROLLOUT_ADVICE[way](remedy)}, or ${moreCapacity}.`;
}

/** What is known of the remedies for a rollout that lacks capacity. */
interface KnownRemedies extends Pick<CapacityKnowledge, 'furtherShortages' | 'smallerRollouts' | 'deadlocksInPlace'> {
  /** The way to have fewer pods. */
  readonly fewer: 'fewer-replicas' | 'lower-maximum';
  /** Pods to delete at once so that the rollout proceeds without surge. @default 1 */
  readonly inPlace?: number;
}

/** Returns the way to the smaller rollouts that finish. */
function chooseSmallerRollout({ fewerPods, smallerPods }: SmallerRollouts, fewer: KnownRemedies['fewer']): CapacityRemedy['way'] {
  if (!fewerPods) return smallerPods ? 'smaller-pods' : 'more-capacity';
  return smallerPods ? fewer : 'only-fewer-replicas';
}

/**
 * Returns the remedy for a rollout that lacks capacity.
 *
 * Pods are replaced in place only if the replicas fit and no old pod is deleted first yet. With 3 replicas and capacity for 2, a rollout
 * deadlocks either way.
 */
export function chooseCapacityRemedy(
  { names, strategyOwner, onePerNode = false }: Workload,
  { unavailable, replicas }: PodRollout,
  { podsThatFit, peakPods, shortage, moreNodes }: CapacityResult,
  known: KnownRemedies,
): CapacityRemedy {
  const { fewer, inPlace = 1, furtherShortages, deadlocksInPlace, smallerRollouts } = known;
  const needsOnlyHeadroom = unavailable === 0 && podsThatFit >= replicas && strategyOwner === undefined;
  const isInPlace = needsOnlyHeadroom && deadlocksInPlace?.(inPlace) !== true;
  const tried = isInPlace || shortage!.kind !== 'quota' ? undefined : smallerRollouts?.();
  const smaller = tried ?? { fewerPods: !onePerNode && !needsOnlyHeadroom, smallerPods: true };
  return {
    way: isInPlace ? 'in-place' : chooseSmallerRollout(smaller, fewer),
    names,
    peakPods,
    shortage: shortage!,
    ...(inPlace > 1 && { inPlace }),
    ...(furtherShortages && { furtherShortages }),
    ...(moreNodes && { moreNodes }),
  };
}

/** Formats the help for pods that are refused. */
export function adviseOnRejection(rejection: AdmissionRejection): string {
  if (rejection.kind === 'pod-security')
    return `Correct what is listed in the pod template, or label Namespace "${rejection.namespace}" with a level that allows it.`;
  if (rejection.kind === 'limit-range') {
    const container = rejection.containers.length === 0 ? 'all containers together' : `container "${rejection.containers[0]!}"`;
    return `Set resources for ${container} within the bounds of LimitRange "${rejection.limitRange}", or relax the LimitRange.`;
  }
  if (rejection.kind === 'replica-sets') {
    return (
      `Raise ResourceQuota "${rejection.quota}" to at least ${rejection.needed} count/replicasets.apps: ` +
      'one for each Deployment, another one while it rolls out, and the old ones that revisionHistoryLimit keeps.'
    );
  }
  const pronoun = rejection.fields.length === 1 ? 'it' : 'them';
  const containers = rejection.containers.map((name) => `"${name}"`).join(' and ');
  return `Set ${rejection.fields.join(' and ')} for ${containers}, or add the LimitRange that fills ${pronoun} in to the input.`;
}
