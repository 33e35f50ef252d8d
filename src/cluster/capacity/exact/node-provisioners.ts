import { getFieldsAt, getListAt, isFields, nameOf } from '../../../core/manifest';
import type { Fields, Manifest } from '../../../core/manifest';
import { parseQuantityNanos } from '../../../core/quantity';
import { CONTEXT_KINDS } from '../../context-kinds';
import type { PlanContext } from '../../context';
import type { PodSet } from '../../workload';
import { findUntoleratedTaint, nodeRulesOf } from '../node-affinity';
import type { Taint } from '../node-affinity';
import { computePodFootprint } from '../pod-requests';
import type { PlanCache } from '../../../core/plan-cache';

/** Reports whether the limits of a NodePool leave enough for one more pod. A limit without a recorded use counts as unused. */
function hasLimitLeft(nodePool: Manifest, podSpec: unknown): boolean {
  const used = getFieldsAt(nodePool, 'status', 'resources');
  const footprint = computePodFootprint(podSpec);
  return Object.entries(getFieldsAt(nodePool, 'spec', 'limits')).every(([resource, limit]) => {
    const total = parseQuantityNanos(limit);
    return total === undefined || (parseQuantityNanos(used[resource]) ?? 0n) + (footprint.get(resource) ?? 0n) <= total;
  });
}

/** Reports whether pods tolerate the taints of the nodes that a NodePool makes. Startup taints are removed before pods run. */
function toleratesTaints(nodePool: Manifest, podSet: PodSet, cache: PlanCache): boolean {
  const taints = getListAt(nodePool, 'spec', 'template', 'spec', 'taints').filter((taint): taint is Fields & Taint => isFields(taint));
  return findUntoleratedTaint(nodeRulesOf(podSet, cache), { taints }) === undefined;
}

/** Returns the names of the NodePools of the input that may make a node for a pod. */
export function listNodeProvisioners(podSet: PodSet, context: PlanContext, cache: PlanCache): string[] {
  return context
    .all(CONTEXT_KINDS.nodePool)
    .filter((nodePool) => hasLimitLeft(nodePool, podSet.template.spec) && toleratesTaints(nodePool, podSet, cache))
    .map((nodePool) => `NodePool "${nameOf(nodePool)}"`);
}
