import { APPLY_EFFECTS } from '../../core/change';
import type { ApplyEffect, ChangeSummary, LowestAvailability, PlannedChange } from '../../core/change';
import type { Finding } from '../../core/finding';
import { isKustomization } from '../../core/kustomization-kind';
import { getValueAt, groupOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { PlanDocument, UnplannedKind } from '../../core/plan-document';
import { addPlannedChange } from '../../core/plan-key-order';
import type { PlannedRollout } from '../../core/rollout';
import { collectDroppedItems, collectPrunedClaimFindings, collectRecreations, collectRejectionsWithoutRollout } from '../change-findings';
import { collectGarbageCollected } from '../garbage-collected-objects';
import { collectHookFindings } from '../hook-findings';
import { collectIgnoredObjects } from '../ignored-objects';
import { checkDeletedGitRepos, checkDeletedSources } from '../deleted-sources';
import { collectMovedObjects } from '../moved-objects';
import { collectNodeEvictions, findEvictionCause } from '../node-evictions';
import { ADMISSION_VERSION, listAdmissionChanges } from '../admission/admission-changes';
import type { AdmissionReason } from '../admission/admission-changes';
import { listPodRunners } from '../admission/pod-runners';
import { isUnknownKind } from '../config-only-kinds';
import { mayRollBack } from '../deprecated-rollback';
import { buildObjectChange, buildUnmatchedObjectChange } from '../object-change';
import { toChangedObject } from '../object-effect';
import type { ObjectEffect } from '../object-effect';
import { collectRemovedReferences, collectRemovedTemplates } from '../removed-references';
import { collectRemovedServices } from '../removed-services';
import { checkDeletedWith } from '../rules/garbage-collected';
import type { PlanContext } from '../../cluster/context';
import { explainNotPlanned } from '../../cluster/unplanned-kinds';
import { countPodsWithoutRollout } from '../../cluster/capacity/other-pods';
import { systemOf } from '../../plan/registry';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';
import { findGitRepo, isGitRepo } from '../../systems/fleet/git-repo';
import { countUnplannedKinds, mergeUnplannedKinds } from '../../plan/unsupported-kinds';
import { isReadByUnknown } from '../unknown-readers';
import { mayConcernUnseenPods } from '../unseen-pods';
import { summarizePods } from '../pod-counts';
import type { PodCountContext } from '../pod-counts';
import type { PlannedResult } from './plan-result';

/** Effects on objects whose controller may create, replace or delete pods. */
const WRITTEN_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['create', 'replace', 'unknown']);

/** Counts the objects by effect, and their pods. */
export function summarizeChange(
  objectEffects: readonly ObjectEffect[],
  rollouts: ReadonlyMap<Manifest, readonly PlannedRollout[]>,
  deleted: readonly Manifest[],
  kept: readonly Manifest[],
  context: PodCountContext,
): ChangeSummary {
  const counts = Object.fromEntries(APPLY_EFFECTS.map((effect) => [effect, 0])) as Record<ApplyEffect, number>;
  for (const { effect } of objectEffects) counts[effect]++;
  counts.delete += deleted.length;
  counts.none += kept.length;
  const { hook, ...others } = counts;
  const figures = summarizePods(objectEffects, rollouts, deleted, context);
  const lowest: LowestAvailability | undefined = figures.lowest;
  return { ...others, ...(hook > 0 && { hook }), kept: kept.length, ...figures, ...(lowest && { lowest }) };
}

function summarizeResult(result: PlannedResult, { services }: PlanDocument): ChangeSummary {
  const { context, objectEffects, rollouts, deleted, kept, podsPlanned, capacityOfUnits } = result;
  return summarizeChange(
    objectEffects,
    new Map([...rollouts].map(([object, byComponent]) => [object, [...byComponent.values()]])),
    [...deleted],
    kept,
    {
      ...context,
      podsPlanned,
      ...(services && { services }),
      limitToCapacity: (desired, reserved) => capacityOfUnits.reduce((found, unit) => unit(found, reserved), desired),
    },
  );
}

/** Returns what the CRDs of NEW drop, without what those of the options drop too. */
function collectDefinitionFindings({ next: { definitions } }: PlannedResult, { findings }: PlanDocument): Finding[] {
  const keyOf = ({ code, path, source }: Finding) => JSON.stringify([code, path, source?.file, source?.line]);
  const known = new Set(findings.map(keyOf));
  return (definitions?.check(true) ?? []).filter((finding) => !known.has(keyOf(finding)));
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
  const rollouts = systemOf(object, context)?.plan(object, context) ?? [];
  return rollouts.some(({ simulation }) => simulation?.kind === 'revision' && simulation.replicas === 0);
}

/** Counts the deleted objects whose controllers delete an unknown number of pods with them. */
function countDeletedKinds({ deleted, context: { oldContext } }: PlannedResult): UnplannedKind[] {
  const uncounted = [...deleted].filter((object) => countPodsWithoutRollout(object) === undefined);
  const reasonOf = (object: Manifest) => {
    if (isDeletedInClusters(object)) return DELETED_BY_FLEET;
    return isScaledByLoad(object, oldContext) ? SCALED_BY_LOAD : undefined;
  };
  return mergeUnplannedKinds(
    countUnplannedKinds(uncounted, new Set(uncounted.filter((object) => systemOf(object, oldContext) !== undefined))),
    uncounted.flatMap((object) => {
      const reason = reasonOf(object);
      return reason === undefined ? [] : [{ apiVersion: object.apiVersion, kind: object.kind, count: 1, reason }];
    }),
  );
}

/** Effects on webhooks and policies of admission, and on their parameters, by which they decide otherwise than before. */
const ADMISSION_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['create', 'replace', 'restart-needed', 'settings']);

const UNKNOWN_KIND = 'rolloutkit does not know what the controller of this kind does, and it may create or delete pods';

/** Counts the objects of unknown kinds that the apply creates, changes or deletes. Others of them change nothing. */
function countUnknownKinds({ objectEffects, deleted, context: { oldContext, newContext } }: PlannedResult): UnplannedKind[] {
  const isUnknown = (object: Manifest, context: PlanContext) => isUnknownKind(object) && systemOf(object, context) === undefined;
  const objects = [
    ...objectEffects
      .filter(({ effect, comparison: { result } }) => WRITTEN_EFFECTS.has(effect) && isUnknown(result, newContext))
      .map(({ comparison: { next } }) => next),
    ...[...deleted].filter((object) => isUnknown(object, oldContext)),
  ];
  return mergeUnplannedKinds(
    [],
    objects.map(({ apiVersion, kind }) => ({ apiVersion, kind, count: 1, reason: UNKNOWN_KIND })),
  );
}

const UNKNOWN_EFFECT = 'its effect on pods is unknown, since no object in view shows which pods it concerns';

/** Reports whether a warning names the pods that a change of a Node or a NodePool removes. One of other labels is a note only. */
function isKnownEviction({ comparison: { old, result } }: ObjectEffect): boolean {
  const cause = old && findEvictionCause(old.manifest, result);
  return cause !== undefined && cause.kind !== 'relabeled';
}

/** Lists the GitRepos of Fleet that make bundles roll, but no bundle in view. */
function listUnseenRolls({ objectEffects, context: { newContext } }: PlannedResult): ReadonlySet<ObjectEffect> {
  const rolling = objectEffects.filter(
    ({ effect, comparison: { result } }) => effect === 'roll' && (isGitRepo(result) || isFleetYaml(result)),
  );
  const seen = new Set(rolling.map(({ comparison: { result } }) => (isFleetYaml(result) ? findGitRepo(result, newContext) : undefined)));
  return new Set(rolling.filter(({ comparison: { result } }) => isGitRepo(result) && !seen.has(result)));
}

/** Counts the objects of known kinds whose effect is unknown and that neither a rollout nor a warning of the change shows completely. */
function countUnknownEffects(planned: PlannedResult): UnplannedKind[] {
  const { objectEffects, rollouts, deleted, context } = planned;
  const unseen = listUnseenRolls(planned);
  const unknown = objectEffects.filter((objectEffect) => {
    const { effect, failure, comparison } = objectEffect;
    const { next, result } = comparison;
    return (
      (effect === 'unknown' || unseen.has(objectEffect)) &&
      failure === undefined &&
      !isKustomization(next) &&
      // What no system plans is counted as such.
      (rollouts.has(result)
        ? mayRollBack(result) || mayConcernUnseenPods(toChangedObject(comparison, context))
        : !isUnknownKind(next) && explainNotPlanned(next) === undefined) &&
      !isKnownEviction(objectEffect)
    );
  });
  const objects = [
    ...unknown.map(({ comparison: { next } }) => next),
    ...[...deleted].filter(
      (object) => mayConcernUnseenPods({ old: { object, context: context.oldContext } }) || isReadByUnknown(object, context),
    ),
  ];
  return mergeUnplannedKinds(
    [],
    objects.map(({ apiVersion, kind }) => ({ apiVersion, kind, count: 1, reason: UNKNOWN_EFFECT })),
  );
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
      .map(({ comparison }) => ({ old: comparison.old?.manifest, next: comparison.result })),
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

/** Lists what is gone afterwards: what the apply deletes, and what tools delete although the plan keeps it, with their names. */
function listGoneObjects({ deleted, notPruned }: PlannedResult): ReadonlyMap<Manifest, string | undefined> {
  return new Map<Manifest, string | undefined>([...[...deleted].map((object) => [object, undefined] as const), ...notPruned]);
}

/** Adds to the plan of NEW what the apply does to each object, and the findings that belong to no rollout. */
export function describeChange(result: PlannedResult, plan: PlanDocument): PlanDocument {
  const { next, options, versions, context, pairs, objectEffects, unmatched, deleted, rollouts, podsPlanned } = result;
  const { apply, prune = false, upgrade } = options;
  const hasRollout = (object: Manifest) => rollouts.has(object);
  const change: PlannedChange = {
    apply: apply ?? 'auto',
    pruned: prune,
    admissionNotChecked: upgrade === undefined && objectEffects.some(({ effect }) => effect !== 'none'),
    summary: summarizeResult(result, plan),
    objects: [
      ...objectEffects.map((objectEffect) => buildObjectChange(objectEffect, next, podsPlanned)),
      ...unmatched.map((object) => buildUnmatchedObjectChange(object, deleted.has(object) ? 'delete' : 'none', apply ?? 'client')),
    ],
  };
  const notPlanned = mergeUnplannedKinds(plan.notPlanned, [
    ...countDeletedKinds(result),
    ...countUnknownKinds(result),
    ...countUnknownEffects(result),
    ...countAdmissionChanges(result),
  ]);
  const ofDefinitions = collectDefinitionFindings(result, plan);
  const gone = listGoneObjects(result);
  return addPlannedChange({ ...plan, notPlanned }, change, [
    ...collectRejectionsWithoutRollout(objectEffects, hasRollout, next, [...plan.findings, ...ofDefinitions]),
    ...collectRecreations(objectEffects, next),
    ...collectHookFindings(objectEffects, context, next),
    ...collectIgnoredObjects(objectEffects, pairs, next),
    ...collectMovedObjects(objectEffects, pairs, result, apply),
    ...collectGarbageCollected(objectEffects, result, next),
    ...checkDeletedWith(gone, next.objects),
    ...checkDeletedSources(gone, pairs, result),
    ...checkDeletedGitRepos(gone, pairs, result),
    ...collectNodeEvictions(objectEffects, result),
    ...collectRemovedReferences(objectEffects, result, next),
    ...collectRemovedTemplates(objectEffects, result),
    ...collectRemovedServices(objectEffects, result),
    ...ofDefinitions,
    ...collectDroppedItems(objectEffects, hasRollout, next),
    ...collectPrunedClaimFindings(deleted, versions, context.oldContext),
  ]);
}
