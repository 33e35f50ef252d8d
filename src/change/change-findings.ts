import type { ApplyEffect } from '../core/change';
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import type { Versions } from '../core/versions';
import { autoscalerOf } from '../cluster/autoscaler';
import type { PlanContext } from '../cluster/context';
import type { PodChangeInput } from '../cluster/initial-state';
import { systemOf } from '../plan/registry';
import type { PlanInput } from '../plan/plan';
import { workloadKindOf } from '../workloads/kinds';
import { hasSpecField } from './object-comparison';
import { resourceRefOf } from './object-effect';
import type { ObjectEffect, ChangeContext } from './object-effect';
import { countPodsAfter, countPodsBefore } from './pod-counts';
import { checkBlockedByPod } from './rules/blocked-by-pod';
import { checkClaimsDeletedWithSet, checkClaimsDeletedByScale } from './rules/claims-deleted';
import { checkRevertsToDefault } from './rules/reverts-to-default';
import { isMaximumRaised } from './autoscaler-maximum';
import { buildRefusedObjectFinding, rejectionPathOf } from './rules/refused';
import { isChildRollingOut } from './child-workload-status';
import { checkAssumesSteadyState } from './rules/assumes-steady-state';
import { toStoredForm } from './apiserver/stored-form';
import type { ScaleChange } from './rollback';

/** A rollout of a refused object: what runs goes on, and nothing of NEW is stored. */
export function toRejectedRollout(rollout: PlannedRollout, finding: Finding): PlannedRollout {
  return { ...rollout, strategy: null, provenance: [], simulation: null, findings: [finding, ...rollout.findings] };
}

/** Refusals of objects that no rollout was told of. */
export function collectRejectionsWithoutRollout(
  objectEffects: readonly ObjectEffect[],
  hasRollout: (object: Manifest) => boolean,
  next: PlanInput,
): Finding[] {
  return objectEffects.flatMap(({ effect, comparison }) => {
    const { refusal, result } = comparison;
    if (effect !== 'refused' || !refusal || hasRollout(result)) return [];
    return [buildRefusedObjectFinding(resourceRefOf(comparison.next), refusal, next.locate?.(comparison.next, rejectionPathOf(refusal)))];
  });
}

/** What the apply does to the pods of an object, or of one component of it; an object that stays as it is replaces none. */
export function resolveChangedPods(
  objectEffect: ObjectEffect | undefined,
  component: string,
  { hasChangedAutoscalers, oldContext, newContext }: ChangeContext,
): PodChangeInput {
  if (!objectEffect) return { rolls: false };
  // Of what is new no pod runs yet.
  if (objectEffect.effect === 'create') return { rolls: false, running: [] };
  const { next, result } = objectEffect.comparison;
  const isRaised = hasChangedAutoscalers && isMaximumRaised(result, oldContext, newContext);
  return {
    ...(objectEffect.pods.get(component) ?? { rolls: false }),
    keepsReplicas: !hasSpecField(next, 'replicas'),
    ...(isRaised && { raisesMaximum: true }),
  };
}

const SCALE_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['scale', 'roll-and-scale']);

/** What of the number of pods there is to undo; undefined where it stays, or only others of the object's components scale. */
export function findScaleChange(
  { comparison, effects, causedBy }: ObjectEffect,
  { resource }: PlannedRollout,
  { newContext }: ChangeContext,
): ScaleChange | undefined {
  const { old, stored, result } = comparison;
  if (!old || !SCALE_EFFECTS.has(effects.get(resource.component ?? '') ?? 'none')) return undefined;
  const autoscaler = autoscalerOf(result, newContext)?.by;
  // Pods that a quota lets come were wanted before.
  if (causedBy.some(({ kind }) => kind === 'ResourceQuota')) return undefined;
  return { before: old.stored, after: stored ?? old.stored, ...(autoscaler !== undefined && { autoscaler }) };
}

/** The claims that a StatefulSet deletes because it gets fewer pods or is made anew. */
function collectClaimFindings(objectEffect: ObjectEffect): readonly Finding[] {
  const { old, stored } = objectEffect.comparison;
  const before = objectEffect.podsBefore ?? 0;
  if (objectEffect.effect === 'replace') return checkClaimsDeletedWithSet(old!.stored, before, 'replaced');
  return checkClaimsDeletedByScale(stored ?? old!.stored, before, countPodsAfter(objectEffect) ?? before);
}

/** What is to be said of an object because it changes. */
export function collectChangeFindings(objectEffect: ObjectEffect, rollout: PlannedRollout, changeContext: ChangeContext): Finding[] {
  const { comparison, waitsPerhapsFor: suspectedOrdinal } = objectEffect;
  const { next, old } = comparison;
  const bySystem = objectEffect.findings?.get(rollout.resource.component ?? '') ?? [];
  if (!old) return [...bySystem];
  if (!workloadKindOf(next)) {
    const isUnderWay =
      objectEffect.start?.underWay === true || (old.isLive && isChildRollingOut(old.manifest, rollout, changeContext.owned));
    const startsFromLiveState = objectEffect.pods.get(rollout.resource.component ?? '')?.start?.canary !== undefined;
    return [...bySystem, ...checkAssumesSteadyState(rollout, isUnderWay && !startsFromLiveState)];
  }
  return [
    ...checkRevertsToDefault(comparison, changeContext.newContext),
    ...checkBlockedByPod(next, rollout, suspectedOrdinal),
    ...collectClaimFindings(objectEffect),
  ];
}

/** The claims that go with what is pruned. */
export function collectPrunedClaimFindings(deleted: Iterable<Manifest>, versions: Versions, context: PlanContext): Finding[] {
  return [...deleted].flatMap((object) =>
    workloadKindOf(object)
      ? checkClaimsDeletedWithSet(toStoredForm(object, versions), countPodsBefore(object, context), 'deleted')
      : (systemOf(object)?.deletedFindings?.(object, context) ?? []),
  );
}
