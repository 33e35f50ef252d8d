import type { PlanContext } from './context';
import { listExtendedResources } from './capacity/extended-resources';
import type { CapacityEvaluation, LimitedRollout, PlanLimits } from './capacity/rollout-capacity';
import { findOwnNodeReason } from './capacity/scheduling';
import { hasSingleNodeVolume } from './volumes';
import type { CapacityKnowledge, Workload } from './workload';

/** Is it known of nodes, or of a capacity that names what is scarce, how many of the pods find room? */
function isCapacityKnown(workload: Workload, limits: PlanLimits): boolean {
  if (workload.countOnly) return false;
  if (limits.nodePools.length > 0) return true;
  const namedResources = new Set(limits.resourcesOf(workload).flatMap(({ kind, resource }) => (kind === 'capacity' ? [resource] : [])));
  return (
    findOwnNodeReason(workload) === undefined &&
    listExtendedResources(workload.template.spec).every((resource) => namedResources.has(resource))
  );
}

/** What keeps a second pod like these from running where of room nothing is known. */
function obstacleOf(workload: Workload): Pick<CapacityKnowledge, 'obstacle'> {
  if (findOwnNodeReason(workload)) return { obstacle: 'one-node-each' };
  return listExtendedResources(workload.template.spec).length > 0 ? { obstacle: 'extended-resource' } : {};
}

/** What is known of room for a pod more of a workload that is paused, so that its room is not measured. */
export function evaluatePausedHeadroom(workload: Workload, context: PlanContext): Pick<CapacityKnowledge, 'obstacle'> {
  return hasSingleNodeVolume(workload, context) ? { obstacle: 'volume' } : obstacleOf(workload);
}

/** What is known of room for a pod more than those of a rollout: whether it is there, and what else keeps such a pod from running. */
export function evaluateSurgeHeadroom(
  { workload, rollout }: LimitedRollout,
  evaluation: CapacityEvaluation | undefined,
  maximumEvaluation: CapacityEvaluation | undefined,
  limits: PlanLimits,
  context: PlanContext,
): Pick<CapacityKnowledge, 'hasCapacity' | 'obstacle'> {
  if (evaluation && evaluation.delay.podsWithRoom <= rollout.replicas) return { obstacle: 'insufficient-capacity' };
  if (maximumEvaluation && maximumEvaluation.delay.podsWithRoom <= workload.replicaRange!.maximum)
    return { obstacle: 'insufficient-capacity-at-maximum' };
  if (hasSingleNodeVolume(workload, context)) return { obstacle: 'volume' };
  if (evaluation?.verdict.because === undefined && evaluation && isCapacityKnown(workload, limits)) return { hasCapacity: true };
  return obstacleOf(workload);
}
