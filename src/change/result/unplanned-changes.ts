import type { ApplyEffect } from '../../core/document/change';
import { isKustomization } from '../../core/sources/kustomization-kind';
import { getValueAt, groupOf, kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { isNode, isNodePool } from '../../core/manifest/node-kinds';
import type { UnplannedKind } from '../../core/document/plan-document';
import { isWarnedEviction } from '../effects/node-evictions';
import { ADMISSION_VERSION, listAdmissionChanges } from '../admission/admission-changes';
import type { AdmissionReason } from '../admission/admission-changes';
import { listPodRunners } from '../admission/pod-runners';
import { isUnknownKind } from '../effects/config-only-kinds';
import { isGatewayWithoutPods } from '../effects/gateway-classes';
import { listRecreations, toChangedObject } from '../effects/object-effect';
import type { ChangeContext, ObjectEffect } from '../effects/object-effect';
import type { PlanContext } from '../../cluster/context/context';
import { explainNotPlanned } from '../../cluster/kinds/unplanned-kinds';
import { CONTEXT_KINDS, formatKindKey, isContextObject } from '../../cluster/kinds/context-kinds';
import { countPodsWithoutRollout } from '../../cluster/capacity/other-pods';
import { listRolloutsIfPlanned } from '../../plan/isolate-objects';
import { knownSystemOf, systemOf } from '../../plan/registry';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';
import { findGitRepo, isGitRepo } from '../../systems/fleet/git-repo';
import { countUnplannedKinds, mergeUnplannedKinds } from '../../plan/unsupported-kinds';
import { isReadByUnknown } from '../effects/unknown-readers';
import { mayRollOut } from '../effects/hidden-change-severity';
import { mayConcernUnseenPods } from '../effects/unseen-pods';
import { mayScaleUncountedPods } from '../effects/scale-targets';
import { listKustomizedOtherwise } from './kustomization-changes';
import type { PlannedResult } from '../change-state';

/** Counts objects by kind, each for the same reason. */
function countForReason(objects: readonly Manifest[], reason: string): UnplannedKind[] {
  return mergeUnplannedKinds(
    [],
    objects.map(({ apiVersion, kind }) => ({ apiVersion, kind, count: 1, reason })),
  );
}

/** Effects of an apply that creates an object. */
const CREATING_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['create', 'replace']);

const FLAGGER_CANARY = formatKindKey(CONTEXT_KINDS.flaggerCanary);

function isFlaggerCanary(object: Manifest): boolean {
  return kindKeyOf(object) === FLAGGER_CANARY;
}

/** Kinds of Fleet with which it deletes what it applied to clusters. */
const FLEET_KINDS: ReadonlySet<string> = new Set(['Bundle', 'GitRepo', 'HelmOp']);

const DELETED_BY_FLEET = 'Fleet deletes what it applied with it, and the pods in its clusters are not in view';

/** Reports whether Fleet deletes objects in its clusters if an object is deleted. */
function isDeletedInClusters(object: Manifest): boolean {
  return groupOf(object) === 'fleet.cattle.io' && FLEET_KINDS.has(object.kind) && getValueAt(object, 'spec', 'keepResources') !== true;
}

const SCALED_BY_LOAD = 'Knative scales its pods by load, so their number is not known';

/** Reports whether Knative runs the pods of an object and keeps none without requests. */
function isScaledByLoad(object: Manifest, context: PlanContext): boolean {
  const rollouts = listRolloutsIfPlanned(object, context);
  return rollouts.some(({ simulation }) => simulation?.kind === 'revision' && simulation.replicas === 0);
}

/** Counts the deleted objects whose controllers delete an unknown number of pods with them. */
function countDeletedKinds({ objectEffects, deleted, context: { oldContext } }: PlannedResult): UnplannedKind[] {
  const uncounted = [...deleted].filter((object) => countPodsWithoutRollout(object) === undefined);
  const reasonOf = (object: Manifest) => {
    if (isDeletedInClusters(object)) return DELETED_BY_FLEET;
    return isScaledByLoad(object, oldContext) ? SCALED_BY_LOAD : undefined;
  };
  return mergeUnplannedKinds(
    countUnplannedKinds(uncounted, new Set(uncounted.filter((object) => systemOf(object, oldContext) !== undefined))),
    // One that is created again counts in NEW if no system plans its kind.
    [...uncounted, ...listRecreations(objectEffects).map(({ comparison: { old } }) => old!.manifest)].flatMap((object) => {
      const reason = reasonOf(object);
      return reason === undefined ? [] : [{ apiVersion: object.apiVersion, kind: object.kind, count: 1, reason }];
    }),
  );
}

/** Effects on webhooks and policies of admission, and on their parameters, by which they decide otherwise than before. */
const ADMISSION_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['create', 'metadata', 'replace', 'restart-needed', 'settings']);

const UNKNOWN_KIND = 'rolloutkit does not know what the controller of this kind does, and it may create or delete pods';

/** Counts the objects of unknown kinds that the apply creates, changes or deletes. Others of them change nothing. */
function countUnknownKinds({ objectEffects, deleted, context: { oldContext, newContext } }: PlannedResult): UnplannedKind[] {
  const isUnknown = (object: Manifest, context: PlanContext) => isUnknownKind(object) && knownSystemOf(object, context) === undefined;
  const mayRunPods = (object: Manifest, context: PlanContext) => isUnknown(object, context) && !isGatewayWithoutPods(object, context);
  const isCounted = ({ effect, comparison: { result } }: ObjectEffect) =>
    effect === 'unknown' ? isUnknown(result, newContext) : CREATING_EFFECTS.has(effect) && mayRunPods(result, newContext);
  const objects = [
    ...objectEffects.filter(isCounted).map(({ comparison: { next } }) => next),
    ...[...deleted].filter((object) => mayRunPods(object, oldContext)),
  ];
  return countForReason(objects, UNKNOWN_KIND);
}

const UNKNOWN_EFFECT = 'its effect on pods is unknown: no object in view shows which pods it concerns, or what they run';

/** Reports whether a warning names the pods that a change of a Node or a NodePool removes, and it concerns no others. There is none about a hook. */
function isKnownEviction({ comparison }: ObjectEffect, { context }: PlannedResult): boolean {
  const { old, result, hook } = comparison;
  if (!old || hook || !isWarnedEviction(old.manifest, result)) return false;
  return !mayConcernUnseenPods(toChangedObject(comparison, context));
}

/** Lists the GitRepos of Fleet that make bundles roll, but no bundle in view. */
function listUnseenRolls({ objectEffects, context: { newContext } }: PlannedResult): ReadonlySet<ObjectEffect> {
  const rolling = objectEffects.filter(
    ({ effect, comparison: { result } }) => effect === 'roll' && (isGitRepo(result) || isFleetYaml(result)),
  );
  const seen = new Set(rolling.map(({ comparison: { result } }) => (isFleetYaml(result) ? findGitRepo(result, newContext) : undefined)));
  return new Set(rolling.filter(({ comparison: { result } }) => isGitRepo(result) && !seen.has(result)));
}

/** Reports whether the deletion of an object, or its creation after that, may concern pods that no object in view shows. */
function mayConcernUnseenByRecreation({ comparison, isUnknownAsUpdate = false }: ObjectEffect, context: ChangeContext): boolean {
  const { old, next } = toChangedObject(comparison, context);
  const { old: _, ...created } = comparison;
  return (
    (isUnknownAsUpdate && !isNodePool(comparison.next)) ||
    // The pods on a Node may stay or go, and Flagger deletes the primary with its Canary.
    isNode(comparison.next) ||
    isFlaggerCanary(comparison.next) ||
    [{ old: old! }, { next: next! }].some(mayConcernUnseenPods) ||
    mayScaleUncountedPods(created, context) ||
    isReadByUnknown(comparison.result, context)
  );
}

/** Counts the objects of known kinds whose effect is unknown, unless a warning of the change shows it completely. */
function countUnknownEffects(planned: PlannedResult): UnplannedKind[] {
  const { objectEffects, rollouts, deleted, context } = planned;
  const unseen = listUnseenRolls(planned);
  const recreated = new Set(listRecreations(objectEffects).filter((one) => mayConcernUnseenByRecreation(one, context)));
  const unknown = objectEffects.filter((objectEffect) => {
    const { effect, failure, comparison } = objectEffect;
    const { next, result } = comparison;
    return (
      (effect === 'unknown' || unseen.has(objectEffect) || recreated.has(objectEffect)) &&
      failure === undefined &&
      !isKustomization(next) &&
      // What no system plans is counted as such.
      ((rollouts.has(result) && knownSystemOf(result, context.newContext) !== undefined) ||
        (!isUnknownKind(next) && explainNotPlanned(next) === undefined)) &&
      (recreated.has(objectEffect) || !isKnownEviction(objectEffect, planned))
    );
  });
  const objects = [
    ...unknown.map(({ comparison: { next } }) => next),
    ...[...deleted].filter(
      (object) => mayConcernUnseenPods({ old: { object, context: context.oldContext } }) || isReadByUnknown(object, context),
    ),
  ];
  return countForReason(objects, UNKNOWN_EFFECT);
}

const BUILT_OTHERWISE = 'what kustomize builds with it is not planned, unless both sides are rendered';

/** Counts the kustomizations from which kustomize builds something else than the files show. */
function countKustomizations(planned: PlannedResult): UnplannedKind[] {
  return countForReason(listKustomizedOtherwise(planned), BUILT_OTHERWISE);
}

const ADMISSION_REASONS: Readonly<Record<AdmissionReason, string>> = {
  decides: 'it may refuse or change pods and workloads in view, and what it decides is not planned',
  unbound: 'the input has no binding of it, so whether it decides about pods and workloads in view is unknown',
};

/** Counts the admission webhooks and policies of the change that may decide about objects in view. */
function countAdmissionChanges(result: PlannedResult): UnplannedKind[] {
  const { objectEffects, deleted, old, isOldIncomplete, context } = result;
  const { oldContext, newContext } = context;
  const written = [
    ...objectEffects
      .filter(({ effect }) => ADMISSION_EFFECTS.has(effect))
      .map(({ effect, comparison }) => ({
        old: comparison.old?.manifest,
        next: comparison.result,
        isMetadataOnly: effect === 'metadata',
      })),
    ...[...deleted].map((object) => ({ old: object })),
  ];
  const changes = listAdmissionChanges(written, {
    old: oldContext.objects,
    next: newContext.objects,
    runners: () => listPodRunners(result),
    // A snapshot of a cluster has all bindings, if the user may read them.
    hasAllBindings: (kind) =>
      old.isSurrounding !== undefined && !isOldIncomplete && old.isUnread?.({ apiVersion: ADMISSION_VERSION, kind, metadata: {} }) !== true,
  });
  return mergeUnplannedKinds(
    [],
    changes.map(({ object: { apiVersion, kind }, reason }) => ({ apiVersion, kind, count: 1, reason: ADMISSION_REASONS[reason] })),
  );
}

/** Effects after which a plan of other objects is the same as before. */
const EFFECTS_ON_NOTHING: ReadonlySet<ApplyEffect> = new Set(['none', 'metadata']);

/**
 * Returns the effect of an apply that knows no hooks and no annotation that makes a tool leave an object as it is. What plans read is not planned as
 * a hook, so its effect is unknown.
 */
function toPlainEffect(objectEffect: ObjectEffect): ObjectEffect {
  const { withoutSkip, comparison } = objectEffect;
  // A finding of its own says that the rollout of such an object is not planned.
  if (withoutSkip && !mayRollOut(comparison.next)) return withoutSkip;
  if (!objectEffect.withoutHook) return objectEffect;
  const withoutHook = toPlainEffect(objectEffect.withoutHook);
  const isRead = mayRollOut(comparison.next) || isContextObject(comparison.next);
  // Its tool writes a hook in another way, so what would be refused otherwise may succeed.
  const isUnknown = withoutHook.effect === 'refused' || (isRead && !EFFECTS_ON_NOTHING.has(withoutHook.effect));
  if (!isUnknown) return withoutHook;
  return { ...withoutHook, effect: 'unknown', comparison: { ...withoutHook.comparison, hook: comparison.hook! } };
}

/**
 * Replaces the effect of each hook by that of an apply that knows no hooks: a tool that runs a hook writes it too. The tool deletes the former
 * object of one that becomes a hook. One of an unknown kind counts anyway. So does an object that its tool leaves as it is: kubectl applies it.
 */
function withPlainEffects(result: PlannedResult): PlannedResult {
  const replaced = result.objectEffects.flatMap(({ withoutHook, comparison }) =>
    withoutHook?.comparison.old && comparison.becomesHook && !isUnknownKind(comparison.next) ? [withoutHook.comparison.old.manifest] : [],
  );
  return { ...result, objectEffects: result.objectEffects.map(toPlainEffect), deleted: new Set([...result.deleted, ...replaced]) };
}

/** Counts the objects of a change whose effect on pods is not known, by kind and reason. */
export function countUnplannedChanges(planned: PlannedResult): readonly UnplannedKind[] {
  const result = withPlainEffects(planned);
  return [
    ...countDeletedKinds(result),
    ...countUnknownKinds(result),
    ...countUnknownEffects(result),
    ...countKustomizations(result),
    ...countAdmissionChanges(result),
  ];
}
