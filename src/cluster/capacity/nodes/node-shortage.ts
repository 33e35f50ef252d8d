import type { Shortage } from '../../../core/document/capacity-result';
import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import { computePodFootprint, formatResourceAmount } from '../pod-requests';
import { ANY_ALLOWED_NODE, ANY_NODE, NODE_POOLS } from '../shortage';
import { explainUnschedulable, hasNoNodeConstraints } from './eligible-nodes';
import type { UnschedulableReason } from './eligible-nodes';
import type { NodePool } from '../../context/capacity';
import { findLargestFree } from './placement';
import type { Nodes } from './placement';
import { findOwnNodeReason } from './scheduling';

/** The nodes of a plan. */
interface PlanNodes {
  readonly nodePools: readonly NodePool[];
  readonly cache: PlanCache;
}

function buildUnschedulableShortage({ kind, details }: UnschedulableReason): Shortage {
  const shortageBase = { limit: ANY_NODE, needed: details, available: 'none' };
  return kind === 'labels' ? { kind, ...shortageBase, resource: kind } : { kind, ...shortageBase, resource: kind };
}

/** Builds a shortage of pod slots on all nodes together. */
export function buildPodSlotShortage(needed: number, available: number): Shortage {
  return { kind: 'nodes', limit: NODE_POOLS, resource: 'pods', needed: `${needed}`, available: `${available}` };
}

/** Builds a shortage of nodes for pods that each need their own. */
export function buildOwnNodesShortage(needed: number, available: number): Shortage {
  return { kind: 'own-nodes', limit: NODE_POOLS, resource: 'nodes', needed: `${needed}`, available: `${available}` };
}

/**
 * Returns what no node has for a new pod of a set: matching labels, tolerated taints or enough of a resource. If several resources are
 * short, it is the one with the smallest fraction of the request left. Returns undefined if some node has everything.
 */
export function findSingleNodeShortage(podSet: PodSet, nodes: Nodes, { nodePools, cache }: PlanNodes): Shortage | undefined {
  const unschedulable = explainUnschedulable(podSet, nodePools, cache);
  if (unschedulable) return buildUnschedulableShortage(unschedulable);
  const insufficient = [...computePodFootprint(podSet.template.spec)].flatMap(([resource, request]) => {
    const left = findLargestFree(nodes, podSet, resource, cache);
    return left === undefined || left >= request ? [] : { resource, request, left };
  });
  const [scarcest] = insufficient.toSorted((a, b) => Number(a.left * b.request - b.left * a.request));
  if (!scarcest) return undefined;
  const { resource, request, left } = scarcest;
  const hasConstraints = !hasNoNodeConstraints(podSet, nodePools, cache);
  const amounts = { needed: formatResourceAmount(request, resource), available: formatResourceAmount(left, resource) };
  return { kind: 'one-node', limit: hasConstraints ? ANY_ALLOWED_NODE : ANY_NODE, resource, ...amounts, excludesNodes: hasConstraints };
}

/**
 * Returns what the nodes lack for a number of pods of a set.
 *
 * @param nodes the nodes with the pods that find a place
 * @param available the pods that find a place
 */
export function findNodeShortage(podSet: PodSet, nodes: Nodes, needed: number, available: number, planNodes: PlanNodes): Shortage {
  if (findOwnNodeReason(podSet) && !explainUnschedulable(podSet, planNodes.nodePools, planNodes.cache))
    return buildOwnNodesShortage(needed, available);
  return findSingleNodeShortage(podSet, nodes, planNodes) ?? buildPodSlotShortage(needed, available);
}
