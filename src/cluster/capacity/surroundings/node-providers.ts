import { getFieldsAt, getListAt, isFields, nameOf, getValueAt } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import type { PlanCache } from '../../../core/collections/plan-cache';
import { parseQuantityNanos } from '../../../core/values/quantity';
import { isAtLeast } from '../../../core/values/versions';
import { EXTENDED_RESOURCES_SINCE, IMPLICIT_PREFIX } from './claimed-devices';
import type { PlanContext } from '../../context/context';
import { CONTEXT_KINDS } from '../../kinds/context-kinds';
import type { PodSet } from '../../rollout/pod-set';
import { buildUncertainEvaluation } from '../capacity-evaluation';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { findUntoleratedTaint, nodeRulesOf } from '../nodes/node-affinity';
import type { Taint } from '../../context/capacity';
import { computePodFootprint } from '../pod-requests';

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

/**
 * Returns the names of the DeviceClasses of the input that may serve one of the resources. Nodes whose allocatable resources lack it may
 * still run a pod that requests it. Source: k/k pkg/scheduler/framework/plugins/noderesources, from Kubernetes 1.36.
 */
export function listExtendedResourceClasses(resources: { has(resource: string): boolean }, context: PlanContext): string[] {
  if (!isAtLeast(context.versions.kubernetes, EXTENDED_RESOURCES_SINCE)) return [];
  return context
    .all(CONTEXT_KINDS.deviceClass)
    .filter((deviceClass) => {
      const resource = getValueAt(deviceClass, 'spec', 'extendedResourceName');
      return resources.has(`${IMPLICIT_PREFIX}${nameOf(deviceClass)}`) || (typeof resource === 'string' && resources.has(resource));
    })
    .map((deviceClass) => `DeviceClass "${nameOf(deviceClass)}"`);
}

/** Leaves a deadlock open if no node has a resource left that a DeviceClass may serve. */
export function withExtendedResourceClasses(evaluation: CapacityEvaluation, context: PlanContext): CapacityEvaluation {
  const { verdict, shortage, peakPods, podsThatFit } = evaluation.verdict;
  if (verdict !== 'deadlocks' || shortage?.kind !== 'one-node') return evaluation;
  const because = listExtendedResourceClasses(new Set([shortage.resource]), context);
  if (because.length === 0) return evaluation;
  const message = `May not fit: no node has ${shortage.needed} ${shortage.resource} left, and the input does not decide whether ${because.join(' or ')} serves it.`;
  return buildUncertainEvaluation({ peakPods, podsThatFit, because, message });
}
