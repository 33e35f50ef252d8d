import { isKindInView } from '../context/context';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import { listExtendedResources } from '../capacity/pod-requests';
import type { CapacityEvaluation } from '../capacity/capacity-evaluation';
import type { PlanLimits } from '../capacity/plan-limits';
import { findOwnNodeReason } from '../capacity/nodes/scheduling';
import { hasSingleNodeVolume } from './volumes';
import type { LimitedRollout, SurgeHeadroom, Workload } from '../rollout/workload';

/** Reports whether it is known how many of the pods fit: from nodes, or from a capacity that lists their scarce resources. */
function isCapacityKnown(workload: Workload, limits: PlanLimits): boolean {
  if (workload.countOnly) return false;
  if (limits.nodePools.length > 0) return true;
  const namedResources = new Set(limits.resourcesOf(workload).flatMap(({ kind, resource }) => (kind === 'capacity' ? [resource] : [])));
  return (
    findOwnNodeReason(workload) === undefined &&
    listExtendedResources(workload.template.spec).every((resource) => namedResources.has(resource))
  );
}

/** Reports whether a volume restricts the pods of a workload to one node. */
function isBoundToNode(workload: Workload, context: PlanContext): boolean {
  return isKindInView(CONTEXT_KINDS.persistentVolumeClaim, context) && hasSingleNodeVolume(workload, context);
}

/** Returns what prevents another such pod from running if the capacity is not known. */
function obstacleOf(workload: Workload): SurgeHeadroom {
  if (findOwnNodeReason(workload)) return { obstacle: 'one-node-each' };
  return listExtendedResources(workload.template.spec).length > 0 ? { obstacle: 'extended-resource' } : {};
}

/** Returns what prevents one more pod of a paused workload, whose capacity is not evaluated. */
export function evaluatePausedHeadroom(workload: Workload, context: PlanContext): SurgeHeadroom {
  return isBoundToNode(workload, context) ? { obstacle: 'volume' } : obstacleOf(workload);
}

/** Returns whether there is capacity for one more pod of a rollout, and what else prevents it from running. */
export function evaluateSurgeHeadroom(
  { workload, rollout }: LimitedRollout,
  evaluation: CapacityEvaluation | undefined,
  maximumEvaluation: CapacityEvaluation | undefined,
  limits: PlanLimits,
  context: PlanContext,
): SurgeHeadroom {
  if (evaluation && evaluation.delay.podsWithRoom <= rollout.replicas) return { obstacle: 'insufficient-capacity' };
  if (maximumEvaluation && maximumEvaluation.delay.podsWithRoom <= workload.replicaRange!.maximum)
    return { obstacle: 'insufficient-capacity-at-maximum' };
  if (isBoundToNode(workload, context)) return { obstacle: 'volume' };
  if (evaluation?.verdict.because === undefined && evaluation && isCapacityKnown(workload, limits)) return { hasCapacity: true };
  return obstacleOf(workload);
}
