import { APPLY_EFFECTS } from '../../core/document/change';
import type { ApplyEffect, ChangeSummary, LowestAvailability, PlannedChange } from '../../core/document/change';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanDocument } from '../../core/document/plan-document';
import { addPlannedChange } from '../../core/document/plan-key-order';
import type { PlannedRollout } from '../../core/document/rollout';
import {
  collectDroppedItems,
  collectPrunedClaimFindings,
  collectRecreations,
  collectRejectionsWithoutRollout,
} from '../findings/change-findings';
import { collectDroppedFields } from '../findings/dropped-fields';
import { collectGarbageCollected } from '../removed/garbage-collected-objects';
import { collectHookFindings } from '../findings/hook-findings';
import { collectIgnoredObjects } from '../removed/ignored-objects';
import { checkDeletedGitRepos, checkDeletedSources } from '../removed/deleted-sources';
import { collectMovedObjects } from '../removed/moved-objects';
import { collectNodeEvictions } from '../effects/node-evictions';
import { buildObjectChange, buildUnmatchedObjectChange } from '../result/object-change';
import { listRecreations } from '../effects/object-effect';
import type { ObjectEffect } from '../effects/object-effect';
import { collectRemovedReferences, collectRemovedTemplates } from '../removed/removed-references';
import { collectRemovedServices } from '../removed/removed-services';
import { checkDeletedWith } from '../rules/garbage-collected';
import type { Deletion } from '../rules/garbage-collected';
import { workloadKindOf } from '../../workloads/kinds';
import { mergeUnplannedKinds } from '../../plan/unsupported-kinds';
import { summarizePods } from '../result/pod-counts';
import type { PodCountContext } from '../result/pod-counts';
import { countUnplannedChanges } from '../result/unplanned-changes';
import type { PlannedResult } from '../change-state';

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

/** Lists what the apply deletes, what it deletes and creates again, and what tools delete although the plan keeps it. */
function listGoneObjects({ deleted, notPruned, objectEffects, pairs }: PlannedResult): ReadonlyMap<Manifest, Deletion> {
  const pairOf = new Map(objectEffects.map((objectEffect, index) => [objectEffect, pairs[index]]));
  const recreated = listRecreations(objectEffects).flatMap((objectEffect) => {
    const deletion: Deletion = { deletedBy: objectEffect.comparison.applied.applier.title, isRecreated: true };
    const { old, next } = pairOf.get(objectEffect) ?? {};
    return [old, next].flatMap((object) => (object ? [[object, deletion] as const] : []));
  });
  return new Map<Manifest, Deletion>([
    ...[...deleted].map((object) => [object, {}] as const),
    ...[...notPruned].map(([object, deletedBy]) => [object, { deletedBy }] as const),
    ...recreated,
  ]);
}

/** Lists the custom resources that are created again. A StatefulSet reports its claims in its own rollout. */
function listRecreatedResources(objectEffects: readonly ObjectEffect[]): Manifest[] {
  return listRecreations(objectEffects)
    .map(({ comparison: { old } }) => old!.manifest)
    .filter((object) => workloadKindOf(object) === undefined);
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
  const notPlanned = mergeUnplannedKinds(plan.notPlanned, countUnplannedChanges(result));
  const ofDefinitions = next.definitions?.check(true, plan.findings) ?? [];
  const gone = listGoneObjects(result);
  return addPlannedChange({ ...plan, notPlanned }, change, [
    ...collectRejectionsWithoutRollout(objectEffects, hasRollout, next, [...plan.findings, ...ofDefinitions], plan),
    ...collectDroppedFields(objectEffects, versions, next),
    ...collectRecreations(objectEffects, hasRollout, next),
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
    ...collectPrunedClaimFindings([...deleted, ...listRecreatedResources(objectEffects)], versions, context.oldContext),
  ]);
}
