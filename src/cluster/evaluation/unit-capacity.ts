import type { Finding } from '../../core/findings/finding';
import type { PlannedRollout } from '../../core/document/rollout';
import { checkOtherAddedPods, createPodSetNames, evaluateAddedPods, listUnfinishedSets } from './added-pods';
import type { ScaleUpEvaluation } from '../capacity/scale-up-capacity';
import type { PlanContext } from '../context/context';
import type { PodSetNames } from '../rollout/pod-set';
import { getLimitedRollout, podSetsOf, sortRollouts } from '../rollout/system-rollout';
import type { SystemRollout } from '../rollout/system-rollout';
import { admitRollout } from '../capacity/admission/admission';
import { evaluateWithOtherUnits } from '../capacity/plan-limits';
import { checkInsufficientCapacityInLimitRange } from '../rules/insufficient-capacity-in-limit-range';
import { checkInsufficientCapacityInLoweredQuota } from '../rules/insufficient-capacity-in-lowered-quota';
import { checkPodSecurity, checkPodSecurityOfObjects } from '../rules/pod-security';
import { evaluateRollout } from '../capacity/evaluate-rollout';
import type { CapacityEvaluation } from '../capacity/capacity-evaluation';
import type { PlanLimits } from '../capacity/plan-limits';
import { withNamespaceLabels } from '../capacity/nodes/scheduling';
import { evaluateClusters, evaluateGroups } from '../capacity/sets/evaluate-pod-groups';
import { buildUnitLimits } from '../capacity/build-plan-limits';
import { withPlacementNote } from '../capacity/surroundings/places-of-others';
import { withExclusiveClaims } from '../capacity/surroundings/volume-nodes';

/** The capacity for the rollouts of a unit. */
export interface UnitCapacity {
  /** The rollouts as the API server admits their pods. */
  readonly planned: readonly SystemRollout[];
  readonly limits: PlanLimits;
  readonly names: PodSetNames;
  /** Rollouts that capacity limits. */
  readonly evaluations: ReadonlyMap<SystemRollout, CapacityEvaluation>;
  /** Rollouts to which an apply adds pods. */
  readonly added: ReadonlyMap<SystemRollout, ScaleUpEvaluation>;
  /** Returns the findings about one evaluated rollout. */
  readonly check: (rollout: SystemRollout, evaluated: PlannedRollout) => readonly Finding[];
  /** Returns the findings that belong to no rollout. */
  readonly checkUnit: () => readonly Finding[];
}

function evaluateSystemRollout(rollout: SystemRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  if (rollout.pods?.kind === 'clusters') return evaluateWithOtherUnits(evaluateClusters, rollout.pods.clusters, limits);
  if (rollout.pods?.kind === 'groups') return evaluateWithOtherUnits(evaluateGroups, rollout.pods.groups, limits);
  const limited = getLimitedRollout(rollout);
  return limited && evaluateWithOtherUnits(evaluateRollout, limited, limits);
}

/** Evaluates each rollout on its own. Rollouts without limits are left out. */
function evaluateRollouts(
  planned: readonly SystemRollout[],
  limits: PlanLimits,
  { deadline }: PlanContext,
): ReadonlyMap<SystemRollout, CapacityEvaluation> {
  const evaluations = new Map<SystemRollout, CapacityEvaluation>();
  for (const rollout of planned) {
    deadline?.check();
    const evaluation = withPlacementNote(evaluateSystemRollout(rollout, limits), podSetsOf(rollout), limits.surroundings);
    if (evaluation) evaluations.set(rollout, evaluation);
  }
  return evaluations;
}

/** Evaluates the pods of a unit under quotas, nodes and the limits of admission. */
export function evaluateUnitCapacity(
  systemRollouts: readonly SystemRollout[],
  otherUnits: readonly SystemRollout[],
  context: PlanContext,
): UnitCapacity {
  const planned = systemRollouts.map((rollout) =>
    withExclusiveClaims(withNamespaceLabels(admitRollout(rollout, context), context), context),
  );
  const limits = buildUnitLimits(sortRollouts(planned).flatMap(podSetsOf), otherUnits.flatMap(podSetsOf), context);
  const evaluations = evaluateRollouts(planned, limits, context);
  const unfinished = listUnfinishedSets(evaluations);
  const names = createPodSetNames(planned, context);
  return {
    planned,
    limits,
    names,
    evaluations,
    added: evaluateAddedPods(planned, unfinished, limits, context),
    check: (rollout, evaluated) => checkPodSecurity(rollout, evaluated, context),
    checkUnit: () => [
      ...checkInsufficientCapacityInLoweredQuota(limits.resources, context),
      ...checkInsufficientCapacityInLimitRange(limits.resources, context, names),
      ...checkOtherAddedPods(unfinished, limits, context, names),
      ...checkPodSecurityOfObjects(context),
    ],
  };
}
