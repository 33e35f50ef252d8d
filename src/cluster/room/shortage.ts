import type { MoreNodes, RolloutRoom, Shortage } from '../../core/room';
import { capitalised, counted, listed } from '../../core/words';
import type { ClusterCapacity } from '../workload';
import { DIFFERENT_DEFAULTS } from './unmodelled';

export const NODE_POOLS = 'node pools';
export const ANY_NODE = 'any one node';
/** The same where the pod may not go to all of them. */
export const ANY_ALLOWED_NODE = `${ANY_NODE} that it may go to`;

/** `4 nvidia.com/gpu`, `10Gi memory`, `1 pod`. */
export function amountText({ needed, resource }: Pick<Shortage, 'needed' | 'resource'>): string {
  const isOne = needed === '1' && (resource === 'pods' || resource === 'nodes');
  return `${needed} ${isOne ? resource.slice(0, -1) : resource}`;
}

type ShortageTexts = {
  readonly [Kind in Shortage['kind']]: (shortage: Extract<Shortage, { readonly kind: Kind }>, asks: string) => string;
};

const SHORTAGE_TEXTS: ShortageTexts = {
  quota: (lack, asks) => lack.refusal ?? `${asks} ${amountText(lack)}, and ${lack.limit} has ${lack.available} for it`,
  capacity: (lack, asks) => `${asks} ${amountText(lack)}, and ${lack.limit} has ${lack.available} for it`,
  nodes: (lack, asks) => `${asks} ${amountText(lack)}, and ${lack.limit} have ${lack.available} for it`,
  'own-nodes': (lack, asks) => `${asks} ${amountText(lack)}, and ${lack.limit} have ${lack.available} for it`,
  'one-node': ({ needed, resource, isChoosy, available }) => {
    const node = isChoosy ? 'no node that it may go to' : 'no node';
    return resource === 'pods'
      ? `${node} takes one more pod`
      : `a pod needs ${needed} ${resource}, and ${node} has more than ${available} left`;
  },
  labels: ({ needed }) => `a pod goes only to nodes with ${needed}, and no node has that`,
  taints: ({ needed }) => `the nodes that a pod may go to have a taint that it doesn't tolerate: ${needed}`,
};

/** What is lacking, as a part of a sentence. @param asks who asks for more than there is */
export function shortageText(shortage: Shortage, asks = 'its peak needs'): string {
  const text = SHORTAGE_TEXTS[shortage.kind] as (known: Shortage, by: string) => string;
  return text(shortage, asks);
}

/** `2 more nodes`. */
export function moreNodesText({ nodes }: MoreNodes): string {
  return `${nodes} more ${nodes === 1 ? 'node' : 'nodes'}`;
}

/** Pods that may or may not run beside those of a rollout. */
export const OTHER_UNITS = 'pods of other units';

/** Whose room is judged: of a rollout that of its peak, else that of all pods that are wanted. */
type Judged = 'peak' | 'wanted';

function fitText(peakPods: number, unmodelled: readonly string[], judged: Judged): string {
  const pods = judged === 'peak' ? `the ${counted(peakPods, 'pod')} of its peak` : counted(peakPods, 'pod');
  if (unmodelled.length === 0) return `Fits: there is room for ${pods}.`;
  if (unmodelled.includes(OTHER_UNITS)) return `May not fit: there is room for ${pods}, but not beside the pods of the other units.`;
  const others = unmodelled.filter((constraint) => constraint !== DIFFERENT_DEFAULTS);
  if (others.length === unmodelled.length)
    return `May not fit: there is room for ${pods}, but no plan looks at their ${listed(unmodelled)}.`;
  const chance = `May not fit: there is room for ${pods} at the least that the LimitRanges of the namespace fill in, and which of them does is left to chance`;
  return others.length === 0 ? `${chance}.` : `${chance}; no plan looks at their ${listed(others)}.`;
}

/** The verdict on pods that find room. */
export function roomFound(peakPods: number, podsWithRoom: number, unmodelled: readonly string[], judged: Judged = 'peak'): RolloutRoom {
  const verdict = unmodelled.length > 0 ? 'may-not-fit' : 'fits';
  return {
    verdict,
    peakPods,
    podsWithRoom,
    ...(unmodelled.length > 0 && { unmodelled }),
    message: fitText(peakPods, unmodelled, judged),
  };
}

/** What becomes of a rollout without room, and why, in a sentence. */
export function courseText(course: string, shortage: Shortage, moreNodes: MoreNodes | undefined): string {
  const because = shortageText(shortage);
  if (!moreNodes) return `${capitalised(course)}: ${because}.`;
  return `Fits only with ${counted(moreNodes.nodes, 'node')} more of pool "${moreNodes.pool}"; without it, ${course}: ${because}.`;
}

/** A row of a rollout with a second cluster, counted from 1: `row 2 (capacity 100 % old, 20 % new)`. */
export function rowText(row: number, { oldPercent, newPercent }: ClusterCapacity): string {
  return `row ${row} (capacity ${oldPercent} % old, ${newPercent} % new)`;
}
