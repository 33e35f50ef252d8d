import type { MoreNodes, CapacityResult, Shortage } from '../../core/document/capacity-result';
import { capitalize, pluralize, joinWords } from '../../core/text/text-format';
import type { ClusterCapacity } from '../rollout/pod-groups';
import { formatAdmissionRejection } from '../rejections/admission-rejection';
import type { ResourceLimit } from './limits';
import { formatResourceAmount } from './pod-requests';

export const NODE_POOLS = 'node pools';
export const ANY_NODE = 'any one node';
/** The name of the limit if the pod is only eligible for some of the nodes. */
export const ANY_ALLOWED_NODE = `${ANY_NODE} that it may go to`;

/** Name of the constraint that several LimitRanges fill in different amounts. */
export const DIFFERENT_DEFAULTS = 'different defaults of LimitRanges';

/** Name of the constraint that ends when the gates of a pod are removed. */
export const SCHEDULING_GATES = 'schedulingGates';

/** Formats the needed amount of a shortage: `4 nvidia.com/gpu`, `10Gi memory`, `1 pod`. */
export function formatShortageAmount({ needed, resource }: Pick<Shortage, 'needed' | 'resource'>): string {
  const isOne = needed === '1' && (resource === 'pods' || resource === 'nodes');
  return `${needed} ${isOne ? resource.slice(0, -1) : resource}`;
}

type ShortageTexts = {
  readonly [Kind in Shortage['kind']]: (shortage: Extract<Shortage, { readonly kind: Kind }>, subject: string) => string;
};

const SHORTAGE_TEXTS: ShortageTexts = {
  quota: (details, subject) =>
    details.refusal ?? `${subject} ${formatShortageAmount(details)} and ${details.limit} has ${details.available} left`,
  capacity: (details, subject) =>
    `${subject} ${formatShortageAmount(details)} and the given ${details.limit} has ${details.available} left`,
  nodes: (details, subject) => `${subject} ${formatShortageAmount(details)} and the ${details.limit} have ${details.available} left`,
  'own-nodes': (details, subject) => `${subject} ${formatShortageAmount(details)} and the ${details.limit} have ${details.available} left`,
  'one-node': ({ needed, resource, excludesNodes, available }) => {
    const node = excludesNodes ? 'no eligible node' : 'no node';
    return resource === 'pods'
      ? `${node} has capacity for another pod`
      : `a pod needs ${needed} ${resource}, and ${node} has more than ${available} left`;
  },
  labels: ({ needed }) => `a pod requires a node with ${needed}, and no node matches`,
  domains: ({ limit, needed, available }) =>
    `minDomains asks for ${needed} domains of ${limit}, and the nodes have ${available}, so that no domain gets more pods than maxSkew`,
  taints: ({ needed }) => `every node with matching labels has a taint that the pod does not tolerate: ${needed}`,
};

/**
 * Formats what is lacking, as part of a sentence.
 *
 * @param subject what requests more than is available, with its verb
 */
export function formatShortage(shortage: Shortage, subject = 'the rollout peaks at'): string {
  const text = SHORTAGE_TEXTS[shortage.kind] as (known: Shortage, subject: string) => string;
  return text(shortage, subject);
}

/** Formats what requests more than is available, for pods without a rollout: `it requests`, `together they request`. */
export function formatRequestSubject(pods: number): string {
  return pods === 1 ? 'it requests' : 'together they request';
}

/** Formats the nodes to add: `2 more nodes`. */
export function formatMoreNodes({ nodes }: MoreNodes): string {
  return `${nodes} more ${nodes === 1 ? 'node' : 'nodes'}`;
}

/** Builds a shortage of a quota, of a capacity or of all nodes together. */
export function buildResourceShortage({ kind, name, resource, rejection }: ResourceLimit, needed: bigint, available: bigint): Shortage {
  const amounts = { limit: name, needed: formatResourceAmount(needed, resource), available: formatResourceAmount(available, resource) };
  if (kind === 'capacity') return { kind, ...amounts, resource };
  if (kind === 'nodes') return { kind, ...amounts, resource: 'pods' };
  return { kind, ...amounts, resource, ...(rejection && { refusal: formatAdmissionRejection(rejection) }) };
}

/** The most that a rollout uses of a limit if nothing limits it, and what the limit leaves. */
export interface LimitPeak {
  readonly limit: ResourceLimit;
  readonly left: bigint;
  readonly peak: bigint;
}

/** Lists the limits that a rollout exceeds at its peak, in addition to a known shortage. */
export function listFurtherShortages(peaks: readonly LimitPeak[], known: Shortage): Shortage[] {
  const exceeded = peaks.filter(
    ({ limit, left, peak }) => peak > left && (limit.name !== known.limit || limit.resource !== known.resource),
  );
  return exceeded.map(({ limit, left, peak }) => buildResourceShortage(limit, peak, left));
}

/** Name of the constraint for pods that may or may not run in the same cluster. */
export const OTHER_UNITS = 'pods of other units';

/** The pods that are evaluated: the peak of a rollout, or else all desired pods. */
type EvaluatedPods = 'peak' | 'wanted';

/** Formats constraints that a plan does not decide, as a clause. */
export function formatUnmodelled(constraints: readonly string[]): string {
  const others = constraints.filter((constraint) => constraint !== SCHEDULING_GATES);
  return [
    ...(others.length > 0 ? [`plans do not model ${joinWords(others)}`] : []),
    ...(others.length < constraints.length ? ['no pod is scheduled until its scheduling gates are removed'] : []),
  ].join(', and ');
}

function formatFit(peakPods: number, unmodelled: readonly string[], evaluated: EvaluatedPods): string {
  const pods = evaluated === 'peak' ? `its peak of ${pluralize(peakPods, 'pod')}` : pluralize(peakPods, 'pod');
  if (unmodelled.length === 0) return `Fits: there is capacity for ${pods}.`;
  if (unmodelled.includes(OTHER_UNITS))
    return `May not fit: there is capacity for ${pods}, but not in addition to the pods of the other units.`;
  const otherConstraints = unmodelled.filter((constraint) => constraint !== DIFFERENT_DEFAULTS);
  if (otherConstraints.length === unmodelled.length)
    return `May not fit: there is capacity for ${pods}, but ${formatUnmodelled(unmodelled)}.`;
  const prefix =
    `May not fit: there is capacity for ${pods} with the smallest defaults of the LimitRanges in the namespace, ` +
    'but which LimitRange applies is random';
  return otherConstraints.length === 0 ? `${prefix}.` : `${prefix}, and ${formatUnmodelled(otherConstraints)}.`;
}

/** Builds the verdict on pods that fit. */
export function buildFittingResult(
  peakPods: number,
  podsThatFit: number,
  unmodelled: readonly string[],
  evaluated: EvaluatedPods = 'peak',
): CapacityResult {
  const verdict = unmodelled.length > 0 ? 'may-not-fit' : 'fits';
  return {
    verdict,
    peakPods,
    podsThatFit,
    ...(unmodelled.length > 0 && { because: unmodelled }),
    message: formatFit(peakPods, unmodelled, evaluated),
  };
}

/** Formats the outcome of a rollout that lacks capacity, and the reason, as a sentence. */
export function formatOutcome(outcome: string, shortage: Shortage, moreNodes: MoreNodes | undefined): string {
  const reason = formatShortage(shortage, 'it peaks at');
  if (!moreNodes) return `${capitalize(outcome)}: ${reason}.`;
  const pronoun = moreNodes.nodes === 1 ? 'it' : 'them';
  return `Fits only with ${formatMoreNodes(moreNodes)} in pool "${moreNodes.pool}". Without ${pronoun} the rollout ${outcome}: ${reason}.`;
}

/** Formats a row of a rollout with a second cluster, counted from 1: `row 2 (capacity 100% old, 20% new)`. */
export function formatRow(row: number, { oldPercent, newPercent }: ClusterCapacity): string {
  return `row ${row} (capacity ${oldPercent}% old, ${newPercent}% new)`;
}
