import { getValueAt, nameOf } from '../../../core/manifest';
import { isAtLeast } from '../../../core/versions';
import { CONTEXT_KINDS } from '../../context-kinds';
import type { PlanContext } from '../../context';
import { buildUncertainEvaluation } from '../uncertain-evaluation';
import type { CapacityEvaluation } from '../rollout-capacity';

/** The version from which a DeviceClass serves an extended resource by default (feature gate DRAExtendedResource). */
const SINCE = '1.36';

/** Prefix of the resource that each DeviceClass serves without naming one. */
const IMPLICIT_PREFIX = 'deviceclass.resource.kubernetes.io/';

/**
 * Returns the names of the DeviceClasses of the input that may serve one of the resources. Nodes whose allocatable resources lack it may
 * still run a pod that requests it. Source: k/k pkg/scheduler/framework/plugins/noderesources, from Kubernetes 1.36.
 */
export function listExtendedResourceClasses(resources: { has(resource: string): boolean }, context: PlanContext): string[] {
  if (!isAtLeast(context.versions.kubernetes, SINCE)) return [];
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
