import { groupBy } from '../../core/collections/group-by';
import type { ApplyEffect } from '../../core/document/change';
import { ROOT_PATH } from '../../core/manifest/field-path';
import type { Finding, Source } from '../../core/findings/finding';
import { toFieldPath } from '../../core/manifest/field-path';
import { annotationOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanDocument } from '../../core/document/plan-document';
import { toResourceRef } from '../../core/document/rollout';
import type { PlannedRollout } from '../../core/document/rollout';
import type { Versions } from '../../core/values/versions';
import { autoscalerOf } from '../../cluster/autoscaling/autoscaler';
import type { PlanContext } from '../../cluster/context/context';
import type { PodChangeInput } from '../../cluster/rollout/initial-state';
import { systemOf } from '../../plan/registry';
import { IGNORE_ANNOTATION } from '../../plan/suppressions';
import type { PlanInput } from '../../plan/plan-input';
import { workloadKindOf } from '../../workloads/kinds';
import { hasSpecField } from '../compare/object-comparison';
import type { ObjectEffect, ChangeContext } from '../effects/object-effect';
import { countNodes } from '../effects/workload-object-effect';
import { countPodsAfter, countPodsBefore } from '../result/pod-counts';
import { checkBlockedByPod, checkScaleBlocked } from '../rules/blocked-by-pod';
import type { SuspectedPods } from '../rules/blocked-by-pod';
import { checkClaimsDeletedWithSet, checkClaimsDeletedByScale } from '../rules/claims-deleted';
import { checkDroppedByMerge } from '../rules/dropped-by-merge';
import { checkNotAdopted } from '../rules/not-adopted';
import { checkForceRecreates } from '../rules/force-recreates';
import { checkRevertsToDefault } from '../rules/reverts-to-default';
import { isMaximumRaised } from './autoscaler-maximum';
import { checkNodesLeft } from '../rules/nodes-left';
import { checkOrdinalsMoved } from '../rules/ordinals-moved';
import { checkScaledDown, scaledDown } from '../rules/scaled-down';
import { serviceWithoutEndpoints } from '../../cluster/services/rules/service-without-endpoints';
import { rolloutObjectKeyOf } from '../result/rollout-key';
import { buildRefusedFinding, buildRefusedObjectFinding, rejectionPathOf } from '../rules/refused';
import { isValueReported } from '../compare/reported-value';
import { findUndecodableField, isUnknownFieldRefusal } from '../apiserver/decoding-errors';
import { checkDroppedFields } from '../compare/dropped-fields';
import { findRefusalReasons } from '../compare/refusal-reasons';
import { isChildRollingOut } from '../initial-state/child-workload-status';
import { checkAssumesSteadyState } from '../rules/assumes-steady-state';
import { toStoredForm } from '../apiserver/stored-form';
import type { ScaleChange } from '../result/rollback';
import { isRunByRollout } from '../../systems/argo-rollouts/referenced-deployment';

/** Returns the rollout of a refused object: the running pods stay, and nothing of NEW is stored. Each fault is reported once. */
export function toRejectedRollout(rollout: PlannedRollout, { comparison, because }: ObjectEffect): PlannedRollout {
  const reasons = findRefusalReasons(rollout.findings, comparison.refusal!, comparison.old === undefined);
  const keyOf = ({ messageId, path }: Finding) => `${messageId} ${path}`;
  const reported = new Set(reasons.map(keyOf));
  const others = rollout.findings.filter((finding) => !reported.has(keyOf(finding)));
  const refused = reasons.length > 0 ? reasons : [buildRefusedFinding(comparison, because)];
  return { ...rollout, strategy: null, provenance: [], simulation: null, findings: [...refused, ...others] };
}

/** Reports whether a finding about no rollout is at the position of a field. */
function isAt({ source }: Finding, position: Source | undefined): boolean {
  return source !== undefined && source.file === position?.file && source.line === position.line;
}

/**
 * Reports whether an annotation suppresses each finding about a refused object. The refusal itself is then reported, since it is about the change.
 */
function isRefusalSuppressed(object: Manifest, rolloutsOf: (object: Manifest) => readonly PlannedRollout[]): boolean {
  if (annotationOf(object, IGNORE_ANNOTATION) === undefined) return false;
  return rolloutsOf(object).some(({ findings }) => !findings.some(({ severity, suppressed }) => severity === 'error' && !suppressed));
}

/** Returns a function that looks up the rollouts of an object by its name. They are indexed at the first call. */
function createRolloutLookup(rollouts: readonly PlannedRollout[]): (object: Manifest) => readonly PlannedRollout[] {
  let byObject: ReadonlyMap<string, readonly PlannedRollout[]> | undefined;
  return (object) => {
    byObject ??= groupBy(rollouts, ({ resource }) => rolloutObjectKeyOf(resource));
    return byObject.get(rolloutObjectKeyOf(toResourceRef(object, nameOf(object), namespaceOf(object)))) ?? [];
  };
}

/** Returns the rejections of objects that have no rollout to carry the finding, and whose fault no other finding reports. */
export function collectRejectionsWithoutRollout(
  objectEffects: readonly ObjectEffect[],
  hasRollout: (object: Manifest) => boolean,
  next: PlanInput,
  reported: readonly Finding[],
  { rollouts, versions }: Pick<PlanDocument, 'rollouts' | 'versions'>,
): Finding[] {
  const shown = reported.filter(({ suppressed }) => !suppressed);
  const rolloutsOf = createRolloutLookup(rollouts);
  return objectEffects.flatMap(({ effect, comparison, because }) => {
    const { refusal, result } = comparison;
    if (effect !== 'refused' || !refusal) return [];
    if (hasRollout(result) && !isRefusalSuppressed(result, rolloutsOf)) return [];
    const path = rejectionPathOf(refusal) || (findUndecodableField(comparison.next, versions) ?? ROOT_PATH);
    const source = next.locate?.(comparison.next, path);
    if (shown.some((finding) => finding.severity === 'error' && finding.path === path && isAt(finding, source))) return [];
    // Its fields have findings of their own, unless only a CRD shows that it lacks them.
    if (isUnknownFieldRefusal(refusal) && checkDroppedFields(comparison.next, versions, next).length > 0) return [];
    if (isValueReported(refusal, comparison.next, shown, next)) return [];
    return [buildRefusedObjectFinding(comparison, because, path, source)];
  });
}

/** Returns the findings about items that a merge loses in objects without a rollout, such as ports of a Service. */
export function collectDroppedItems(
  objectEffects: readonly ObjectEffect[],
  hasRollout: (object: Manifest) => boolean,
  next: PlanInput,
): Finding[] {
  return objectEffects.flatMap(({ comparison }) =>
    hasRollout(comparison.result)
      ? []
      : checkDroppedByMerge(comparison).map((finding) => {
          const source = next.locate?.(comparison.next, finding.path);
          return source ? { ...finding, source } : finding;
        }),
  );
}

/** Returns the findings about objects that their tools delete because the API server refuses the update, or do not take over. */
export function collectRecreations(
  objectEffects: readonly ObjectEffect[],
  hasRollout: (object: Manifest) => boolean,
  next: PlanInput,
): Finding[] {
  return objectEffects.flatMap(({ comparison }) => {
    const source = next.locate?.(comparison.next, ROOT_PATH);
    return [
      ...checkForceRecreates(comparison, hasRollout(comparison.result) || workloadKindOf(comparison.next) !== undefined, source),
      ...checkNotAdopted(comparison, source),
    ];
  });
}

/** Returns what the apply does to the pods of an object or of one of its components. An unchanged object replaces no pods. */
export function resolveChangedPods(
  objectEffect: ObjectEffect | undefined,
  component: string,
  { hasChangedAutoscalers, oldContext, newContext }: ChangeContext,
): PodChangeInput {
  if (!objectEffect) return { rolls: false };
  // A new object has no running pods yet.
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

/** Returns the change of replicas to undo; undefined if the number stays, or if only other components of the object scale. */
export function findScaleChange(
  { comparison, effects, causedBy }: ObjectEffect,
  { resource }: PlannedRollout,
  { newContext }: ChangeContext,
): ScaleChange | undefined {
  const { old, stored, result } = comparison;
  if (!old || !SCALE_EFFECTS.has(effects.get(resource.component ?? '') ?? 'none')) return undefined;
  const autoscaler = autoscalerOf(result, newContext)?.by;
  // Pods that a raised quota admits were already desired before.
  if (causedBy.some(({ kind }) => kind === 'ResourceQuota')) return undefined;
  return { before: old.stored, after: stored ?? old.stored, ...(autoscaler !== undefined && { autoscaler }) };
}

function countPods(objectEffect: ObjectEffect): { readonly before: number; readonly after: number } {
  const { podsBefore: before = 0 } = objectEffect;
  return { before, after: countPodsAfter(objectEffect) ?? before };
}

/** Returns findings for the claims that a StatefulSet deletes because it is scaled down or recreated. */
function collectClaimFindings(objectEffect: ObjectEffect): readonly Finding[] {
  const { old, stored } = objectEffect.comparison;
  const pods = countPods(objectEffect);
  if (objectEffect.effect === 'replace') return checkClaimsDeletedWithSet(old!.stored, pods.before, 'replaced');
  return old ? checkClaimsDeletedByScale(old.stored, stored ?? old.stored, pods) : [];
}

/** Drops the findings about workloads that are scaled to 0 and whose Service has no endpoint then, which a finding reports already. */
export function dropScaleToZeroBehindService(plan: PlanDocument): PlanDocument {
  const left = (plan.services ?? []).filter(({ readyEndpoints }) => readyEndpoints.before > 0 && readyEndpoints.after === 0);
  if (left.length === 0 || !plan.findings.some((finding) => serviceWithoutEndpoints.matches(finding))) return plan;
  const keys = new Set(left.flatMap(({ selects }) => selects.map(rolloutObjectKeyOf)));
  const rollouts = plan.rollouts.map((rollout) =>
    keys.has(rolloutObjectKeyOf(rollout.resource))
      ? { ...rollout, findings: rollout.findings.filter((finding) => !scaledDown.matches(finding, 'to-zero')) }
      : rollout,
  );
  return { ...plan, rollouts };
}

/**
 * Returns the finding about a workload that is scaled down, unless an autoscaler or another controller chooses the number, or a Rollout of OLD
 * runs the same template.
 */
function collectScaleDownFindings(objectEffect: ObjectEffect, { system }: PlannedRollout, context: ChangeContext): Finding[] {
  const { oldContext, newContext } = context;
  const { effect, comparison, podsBefore } = objectEffect;
  const isOwned = workloadKindOf(comparison.result) !== undefined && system !== 'kubernetes';
  if (isOwned) return [];
  if (!SCALE_EFFECTS.has(effect) || podsBefore === undefined || autoscalerOf(comparison.result, newContext)) return [];
  if ([oldContext, newContext].every((each) => isRunByRollout(comparison.result, each))) return [];
  return checkScaledDown(podsBefore, countPodsAfter(objectEffect) ?? podsBefore);
}

/** Returns the finding about a DaemonSet that leaves nodes. */
function collectNodesLeft({ comparison: { old, stored, result } }: ObjectEffect, { newContext }: ChangeContext): Finding[] {
  const kind = workloadKindOf(result);
  if (!old || !stored || !kind?.traits.onePerNode) return [];
  const [before, after] = [old.stored, stored].map((object) => countNodes(object, kind, newContext));
  return checkNodesLeft(old.stored, stored, before === undefined || after === undefined ? undefined : { before, after });
}

/** Lists what the status shows of pods that may not be ready. */
function listSuspects({ start, waitsPerhapsFor: ordinal, unreadyPods: unready }: ObjectEffect): SuspectedPods {
  const isNoneReady = start?.revisions.every(({ available }) => available === 0) === true;
  return { isNoneReady, ...(ordinal !== undefined && { ordinal }), ...(unready !== undefined && { unready }) };
}

/** Returns the finding about a StatefulSet that waits for pods before it scales. */
function collectScaleBlocked(objectEffect: ObjectEffect): Finding[] {
  const { effect, comparison, start, movedPods } = objectEffect;
  if (effect !== 'scale' || !start || movedPods !== undefined) return [];
  const unready = start.revisions.reduce((sum, { replicas, available }) => sum + replicas - available, 0);
  return checkScaleBlocked(comparison.stored ?? comparison.next, { ...countPods(objectEffect), unready });
}

/** Effects after which all pods that remain are those from before. */
const EFFECTS_THAT_KEEP_PODS: ReadonlySet<ApplyEffect> = new Set(['none', 'metadata', 'settings', 'scale']);

/** Returns the findings that an object gets because it changes. */
export function collectChangeFindings(objectEffect: ObjectEffect, rollout: PlannedRollout, changeContext: ChangeContext): Finding[] {
  const { comparison } = objectEffect;
  const { next, old } = comparison;
  const bySystem = objectEffect.findings?.get(rollout.resource.component ?? '') ?? [];
  if (!old) return [...bySystem];
  if (!workloadKindOf(next)) {
    const isUnderWay =
      objectEffect.start?.underWay === true || (old.isLive && isChildRollingOut(old.manifest, rollout, changeContext.owned));
    const startsFromLiveState = objectEffect.pods.get(rollout.resource.component ?? '')?.start?.canary !== undefined;
    return [...bySystem, ...checkAssumesSteadyState(rollout, isUnderWay && !startsFromLiveState)];
  }
  const reverted = checkRevertsToDefault(comparison, changeContext.newContext, !EFFECTS_THAT_KEEP_PODS.has(objectEffect.effect));
  const losesReplicas = reverted.some(({ path }) => path === toFieldPath`spec.replicas`);
  return [
    ...bySystem,
    ...checkDroppedByMerge(comparison),
    ...reverted,
    ...checkBlockedByPod(next, rollout, listSuspects(objectEffect)),
    ...collectScaleBlocked(objectEffect),
    ...collectClaimFindings(objectEffect),
    ...(objectEffect.movedPods === undefined || !objectEffect.podsBefore
      ? []
      : checkOrdinalsMoved(old.stored, comparison.stored ?? old.stored, countPods(objectEffect))),
    ...collectNodesLeft(objectEffect, changeContext),
    ...(losesReplicas ? [] : collectScaleDownFindings(objectEffect, rollout, changeContext)),
  ];
}

/** Returns findings for the claims that are deleted with pruned objects. */
export function collectPrunedClaimFindings(deleted: Iterable<Manifest>, versions: Versions, context: PlanContext): Finding[] {
  return [...deleted].flatMap((object) =>
    workloadKindOf(object)
      ? checkClaimsDeletedWithSet(toStoredForm(object, versions), countPodsBefore(object, context), 'deleted')
      : (systemOf(object, context)?.deletedFindings?.(object, context) ?? []),
  );
}
