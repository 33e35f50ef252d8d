import type { MoreNodes, CapacityResult, Shortage } from '../../core/capacity-result';
import { capitalize, pluralize, joinWords } from '../../core/text-format';
import type { ClusterCapacity } from '../workload';
import { DIFFERENT_DEFAULTS } from './unmodelled-constraints';

export const NODE_POOLS = 'node pools';
export const ANY_NODE = 'any one node';
/** The same where the pod may not go to all of them. */
export const ANY_ALLOWED_NODE = `${ANY_NODE} that it may go to`;

/** `4 nvidia.com/gpu`, `10Gi memory`, `1 pod`. */
export function formatShortageAmount({ needed, resource }: Pick<Shortage, 'needed' | 'resource'>): string {
  const isOne = needed === '1' && (resource === 'pods' || resource === 'nodes');
  return `${needed} ${isOne ? resource.slice(0, -1) : resource}`;
}

type ShortageTexts = {
  readonly [Kind in Shortage['kind']]: (shortage: Extract<Shortage, { readonly kind: Kind }>, subject: string) => string;
};

const SHORTAGE_TEXTS: ShortageTexts = {
  quota: (details, subject) =>
    details.refusal ?? `${subject} ${formatShortageAmount(details)}, and ${details.limit} has ${details.available} for it`,
  capacity: (details, subject) => `${subject} ${formatShortageAmount(details)}, and ${details.limit} has ${details.available} for it`,
  nodes: (details, subject) => `${subject} ${formatShortageAmount(details)}, and ${details.limit} have ${details.available} for it`,
  'own-nodes': (details, subject) => `${subject} ${formatShortageAmount(details)}, and ${details.limit} have ${details.available} for it`,
  'one-node': ({ needed, resource, excludesNodes, available }) => {
    const node = excludesNodes ? 'no node that it may go to' : 'no node';
    return resource === 'pods'
      ? `${node} takes one more pod`
      : `a pod needs ${needed} ${resource}, and ${node} has more than ${available} left`;
  },
  labels: ({ needed }) => `a pod goes only to nodes with ${needed}, and no node has that`,
  taints: ({ needed }) => `the nodes that a pod may go to have a taint that it doesn't tolerate: ${needed}`,
};

/** What is lacking, as a part of a sentence. @param asks who asks for more than there is */
export function formatShortage(shortage: Shortage, subject = 'its peak needs'): string {
  const text = SHORTAGE_TEXTS[shortage.kind] as (known: Shortage, by: string) => string;
  return text(shortage, subject);
}

/** `2 more nodes`. */
export function formatMoreNodes({ nodes }: MoreNodes): string {
  return `${nodes} more ${nodes === 1 ? 'node' : 'nodes'}`;
}

/** Pods that may or may not run beside those of a rollout. */
export const OTHER_UNITS = 'pods of other units';

/** Whose room is judged: of a rollout that of its peak, else that of all pods that are wanted. */
type EvaluatedPods = 'peak' | 'wanted';

function formatFit(peakPods: number, unmodelled: readonly string[], evaluated: EvaluatedPods): string {
  const pods = evaluated === 'peak' ? `the ${pluralize(peakPods, 'pod')} of its peak` : pluralize(peakPods, 'pod');
  if (unmodelled.length === 0) return `Fits: there is room for ${pods}.`;
  if (unmodelled.includes(OTHER_UNITS)) return `May not fit: there is room for ${pods}, but not beside the pods of the other units.`;
  const others = unmodelled.filter((constraint) => constraint !== DIFFERENT_DEFAULTS);
  if (others.length === unmodelled.length)
    return `May not fit: there is room for ${pods}, but no plan looks at their ${joinWords(unmodelled)}.`;
  const prefix = `May not fit: there is room for ${pods} at the least that the LimitRanges of the namespace fill in, and which of them does is left to chance`;
  return others.length === 0 ? `${prefix}.` : `${prefix}; no plan looks at their ${joinWords(others)}.`;
}

/** The verdict on pods that find room. */
export function buildFittingResult(
  peakPods: number,
  podsWithRoom: number,
  unmodelled: readonly string[],
  evaluated: EvaluatedPods = 'peak',
): CapacityResult {
  const verdict = unmodelled.length > 0 ? 'may-not-fit' : 'fits';
  return {
    verdict,
    peakPods,
    podsThatFit: podsWithRoom,
    ...(unmodelled.length > 0 && { because: unmodelled }),
    message: formatFit(peakPods, unmodelled, evaluated),
  };
}

/** What becomes of a rollout without room, and why, in a sentence. */
export function formatOutcome(outcome: string, shortage: Shortage, moreNodes: MoreNodes | undefined): string {
  const reason = formatShortage(shortage);
  if (!moreNodes) return `${capitalize(outcome)}: ${reason}.`;
  return `Fits only with ${pluralize(moreNodes.nodes, 'node')} more of pool "${moreNodes.pool}"; without it, ${outcome}: ${reason}.`;
}

/** A row of a rollout with a second cluster, counted from 1: `row 2 (capacity 100 % old, 20 % new)`. */
export function formatRow(row: number, { oldPercent, newPercent }: ClusterCapacity): string {
  return `row ${row} (capacity ${oldPercent} % old, ${newPercent} % new)`;
}
