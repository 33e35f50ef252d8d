import { addToGroup } from '../core/collections/group-by';
import type { Finding } from '../core/findings/finding';
import { capFindingsPerRule } from '../core/findings/finding-limits';
import type { Manifest } from '../core/manifest/manifest';
import type { SharedCapacityResult } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { isKindInView, planCacheOf } from '../cluster/context/context';
import type { PlanContext } from '../cluster/context/context';
import { CONTEXT_KINDS } from '../cluster/kinds/context-kinds';
import { splitByVersion } from '../cluster/capacity/kept-pods';
import { createMaxSchedulablePods } from '../cluster/capacity/max-schedulable-pods';
import type { MaxSchedulablePods } from '../cluster/capacity/max-schedulable-pods';
import { listOtherPods } from '../cluster/capacity/other-pods';
import { evaluateInCluster } from '../cluster/evaluation/evaluate-in-cluster';
import { getRequestTermination } from '../cluster/services/termination';
import { countDesiredPods } from '../cluster/rollout/system-rollout';
import type { PodSet } from '../cluster/rollout/pod-set';
import type { SystemRollout } from '../cluster/rollout/system-rollout';
import { alignOutageWithBudgets } from './align-budget-advice';
import type { ObjectSource } from './disambiguate-names';
import { consolidatePlaceholderErrors } from './placeholders';
import type { AppliedChange, PlanInput, RolloutWithObject } from './plan-input';
import type { UnitRollout } from './plan-objects';
import { listRolloutsIfPlanned } from './isolate-objects';

/** The rollouts of one unit, evaluated in their cluster. */
export interface UnitPlan {
  readonly rollouts: readonly RolloutWithObject[];
  /** Findings that belong to no rollout. */
  readonly findings: readonly Finding[];
  readonly sharedCapacity?: SharedCapacityResult;
  readonly maxSchedulablePods: () => MaxSchedulablePods;
}

/** Lists the sets of pods that an apply can add to each object, including objects that are no rollout. */
function groupPodSetsByObject(
  planned: readonly UnitRollout[],
  podSets: readonly (readonly PodSet[])[],
  context: PlanContext,
): ReadonlyMap<Manifest, readonly PodSet[]> {
  const findGrowing = (podSet: PodSet) => splitByVersion(podSet, planCacheOf(context)).at(-1)!;
  const byObject = new Map<Manifest, PodSet[]>(listOtherPods(context).map(({ object, podSet }) => [object, [findGrowing(podSet)]]));
  planned.forEach(({ object }, index) => {
    for (const podSet of podSets[index]!) addToGroup(byObject, object, findGrowing(podSet));
  });
  return byObject;
}

function addSources(rollout: PlannedRollout, object: Manifest, context: PlanContext): PlannedRollout {
  if (rollout.findings.length === 0) return rollout;
  const hasBudgets = isKindInView(CONTEXT_KINDS.podDisruptionBudget, context);
  const aligned = hasBudgets ? alignOutageWithBudgets(rollout.findings) : rollout.findings;
  const findings = capFindingsPerRule(aligned).map((finding) => {
    const source = finding.source ?? context.locate(object, finding.path);
    return source ? { ...finding, source } : finding;
  });
  return { ...rollout, findings };
}

/** Reports whether an object was found in a folder, where it may be for another program, and not given by name or on standard input. */
function isFoundInFolder(text: ObjectSource | undefined): boolean {
  return text?.unit !== undefined && text.unit.name !== text.file;
}

/** Adds how long a running request lives at most, if pods are replaced and their server is known. A change replaces pods of the old template. */
function addTermination(rollout: PlannedRollout, podSets: readonly PodSet[]): PlannedRollout {
  if (rollout.simulation === null) return dropTermination(rollout);
  if (rollout.termination) return rollout;
  for (const { template, oldTemplate = template, namespaceLabels, controlsTermination } of podSets) {
    const termination = controlsTermination ? undefined : getRequestTermination(oldTemplate, namespaceLabels);
    if (termination) return { ...rollout, termination };
  }
  return rollout;
}

/**
 * Returns a rollout with how long a request lives as its system knows it. A change replaces pods of OLD, so what OLD says counts, also if it says
 * nothing.
 */
function withOldTermination(rollout: PlannedRollout, object: Manifest, applied: AppliedChange | undefined): PlannedRollout {
  // The pods of apps/v1 show it on their own.
  if (!applied || rollout.simulation === null || rollout.system === 'kubernetes') return rollout;
  // How long an old cluster stays is read when it is to be deleted, from NEW.
  if (rollout.termination?.endedBy === 'cluster-deletion') return rollout;
  const old = applied.oldOf(object);
  if (!old) return rollout;
  const before = listRolloutsIfPlanned(old, applied.oldContext).find(({ resource }) => resource.component === rollout.resource.component);
  const isKnown = before?.termination && before.termination.endedBy !== 'cluster-deletion';
  return isKnown ? { ...rollout, termination: before.termination } : dropTermination(rollout);
}

/** Drops how long a request lives from a rollout that replaces no pods. */
function dropTermination(rollout: PlannedRollout): PlannedRollout {
  const { termination, ...others } = rollout;
  return termination ? others : rollout;
}

/**
 * Evaluates the rollouts of a unit in their cluster, adds what is known of their change, and completes their findings with sources.
 *
 * @param otherRollouts - rollouts of other units that may run in the same cluster
 */
export function evaluateUnit(
  planned: readonly UnitRollout[],
  otherRollouts: readonly SystemRollout[],
  context: PlanContext,
  {
    textOf,
    change,
    onEvaluated,
    refusesPlaceholders,
  }: Required<Pick<PlanInput, 'textOf' | 'refusesPlaceholders'>> & Pick<PlanInput, 'change' | 'onEvaluated'>,
): UnitPlan {
  const { rollouts, findings, sharedCapacity, limits, podSets, trialOf } = evaluateInCluster(
    planned.map(({ rollout }) => rollout),
    context,
    otherRollouts,
  );
  const mayBeFilledIn = (object: Manifest) => !refusesPlaceholders && isFoundInFolder(textOf(object));
  return {
    rollouts: rollouts.map((evaluated, index) => {
      const { object, rollout: asPlanned } = planned[index]!;
      const terminating = addTermination(withOldTermination(evaluated, object, change?.applied), podSets[index]!);
      const rollout = change?.addChangeInfo(object, terminating, countDesiredPods(asPlanned)) ?? terminating;
      return {
        object,
        rollout: addSources(mayBeFilledIn(object) ? consolidatePlaceholderErrors(rollout, object) : rollout, object, context),
        ...(onEvaluated && { trial: () => trialOf(index), podSets: podSets[index]! }),
      };
    }),
    findings,
    ...(sharedCapacity && { sharedCapacity }),
    maxSchedulablePods: () => createMaxSchedulablePods(groupPodSetsByObject(planned, podSets, context), limits),
  };
}
