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
import { listAdmissionChanges } from '../admission-changes';
import { isUnknownKind } from '../config-only-kinds';
import { buildObjectChange, buildUnmatchedObjectChange } from '../object-change';
import type { ObjectEffect } from '../object-effect';
import { collectRemovedReferences, collectRemovedTemplates } from '../removed-references';
import { collectRemovedServices } from '../removed-services';
import { checkDeletedWith } from '../rules/garbage-collected';
import type { PlanContext } from '../../cluster/context';
import { explainNotPlanned } from '../../cluster/unplanned-kinds';
import { countPodsWithoutRollout } from '../../cluster/capacity/other-pods';
import { systemOf } from '../../plan/registry';
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

/** Counts the deleted objects that no system plans, and whose controllers delete an unknown number of pods with them. */
function countDeletedKinds({ deleted, context: { oldContext } }: PlannedResult): UnplannedKind[] {
  const uncounted = [...deleted].filter((object) => countPodsWithoutRollout(object) === undefined);
  const ofFleet = uncounted.filter(isDeletedInClusters);
  return mergeUnplannedKinds(
    countUnplannedKinds(uncounted, new Set(uncounted.filter((object) => systemOf(object, oldContext) !== undefined))),
    ofFleet.map(({ apiVersion, kind }) => ({ apiVersion, kind, count: 1, reason: DELETED_BY_FLEET })),
  );
}

/** Effects on webhooks and policies of admission by which they decide otherwise than before. */
const ADMISSION_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['create', 'replace', 'settings']);

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

/** Counts the objects of known kinds whose effect is unknown and that neither a rollout nor a warning of the change shows. */
function countUnknownEffects({ objectEffects, rollouts, deleted, context }: PlannedResult): UnplannedKind[] {
  const unknown = objectEffects.filter((objectEffect) => {
    const { effect, failure, comparison } = objectEffect;
    const { next, result } = comparison;
    return (
      effect === 'unknown' &&
      failure === undefined &&
      !isUnknownKind(next) &&
      !isKustomization(next) &&
      explainNotPlanned(next) === undefined &&
      !rollouts.has(result) &&
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

const NOT_EVALUATED = 'it may refuse or change pods and workloads in view, and what it decides is not planned';

/** Counts the admission webhooks and policies of the change that may decide about objects in view. */
function countAdmissionChanges({ objectEffects, context: { newContext } }: PlannedResult): UnplannedKind[] {
  const written = objectEffects.filter(({ effect }) => ADMISSION_EFFECTS.has(effect)).map(({ comparison: { result } }) => result);
  const runsPods = (object: Manifest) => systemOf(object, newContext) !== undefined || countPodsWithoutRollout(object) !== undefined;
  return mergeUnplannedKinds(
    [],
    listAdmissionChanges(written, newContext.objects, runsPods).map(({ apiVersion, kind }) => {
      return { apiVersion, kind, count: 1, reason: NOT_EVALUATED };
    }),
  );
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
  return addPlannedChange({ ...plan, notPlanned }, change, [
    ...collectRejectionsWithoutRollout(objectEffects, hasRollout, next, [...plan.findings, ...ofDefinitions]),
    ...collectRecreations(objectEffects, next),
    ...collectHookFindings(objectEffects, context, next),
    ...collectIgnoredObjects(objectEffects, pairs, next),
    ...collectMovedObjects(objectEffects, pairs, result, apply),
    ...collectGarbageCollected(objectEffects, result, next),
    ...checkDeletedWith(deleted, next.objects),
    ...checkDeletedSources(deleted, pairs, result),
    ...checkDeletedGitRepos(deleted, pairs, result),
    ...collectNodeEvictions(objectEffects, result),
    ...collectRemovedReferences(objectEffects, result, next),
    ...collectRemovedTemplates(objectEffects, result),
    ...collectRemovedServices(objectEffects, result),
    ...ofDefinitions,
    ...collectDroppedItems(objectEffects, hasRollout, next),
    ...collectPrunedClaimFindings(deleted, versions, context.oldContext),
  ]);
}
