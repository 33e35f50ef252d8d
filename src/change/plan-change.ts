import { addToGroup } from '../core/group-by';
import { APPLY_EFFECTS } from '../core/change';
import type { ChangeSummary, ApplyEffect, LowestAvailability, PlannedChange, PodChange } from '../core/change';
import { groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { Deadline, DeadlineError } from '../core/deadline';
import type { PlanDocument } from '../core/plan-document';
import { createApplierLookup, isKeptByApplier } from '../plan/appliers-in-view';
import { addPlannedChange } from '../core/plan-key-order';
import type { PlannedRollout } from '../core/rollout';
import { resolveVersions } from '../core/versions';
import { countPodsWithoutRollout } from '../cluster/capacity/other-pods';
import { findControllingOwner } from '../cluster/ownership';
import { createAutoscalerLookup, isAutoscaler } from '../cluster/autoscaler';
import { isContextObject } from '../cluster/context-kinds';
import { normalizeObjects } from '../input/normalize-objects';
import type { PlanBudget } from '../input/read-budget';
import { wrapAsOptionError, validateOptions, PLAN_OPTIONS } from '../plan/validate-options';
import { resolvePlanBudget, createTimeoutFinding } from '../plan/plan-budget';
import { planInput, buildFullContext } from '../plan/plan';
import type { AppliedChange, PlanInput } from '../plan/plan-input';
import { isFleetYaml } from '../systems/fleet/fleet-yaml';
import { compareObjects } from './object-comparison';
import type { AdmissionCheck, ObjectComparison } from './object-comparison';
import { ConfigConsumers, isConfigObject } from './config-references';
import { findDuplicateOldObjects } from './duplicate-old-objects';
import { evaluateObjectEffect } from './evaluate-object-effect';
import type { ObjectEffect, ChangeContext } from './object-effect';
import { OwnedObjects } from './live-objects';
import { createLoweredQuotaCheck } from './quota-decreases';
import { matchObjects } from './match-objects';
import type { VersionUpgrade } from './operator-upgrade';
import { addNextRolloutFindings, mayAlterNextRollout } from './next-rollout';
import type { NextRolloutPlans } from './next-rollout';
import { raiseNewOutages } from './new-outages';
import { summarizePods } from './pod-counts';
import type { PodCountContext } from './pod-counts';
import type { MaxSchedulablePods } from '../cluster/capacity/max-schedulable-pods';
import { findRaisedQuotas } from './quota-increases';
import { collectComparisonFindings, collectInputFindings, isIncomplete } from './comparison-findings';
import { planRollback } from './rollback';
import { APPLY_OPTIONS, assertKnownApplyMode } from './change-options';
import type { ChangeOptions } from './change-options';
import {
  resolveChangedPods,
  collectChangeFindings,
  collectPrunedClaimFindings,
  collectDroppedItems,
  collectRecreations,
  dropScaleToZeroBehindService,
  collectRejectionsWithoutRollout,
  toRejectedRollout,
  findScaleChange,
} from './change-findings';
import { collectHookFindings } from './hook-findings';
import { buildObjectChange, buildUnmatchedObjectChange } from './object-change';

/** Returns the objects of a side without those that controllers created for others. */
function excludeControlled(objects: readonly Manifest[]): Manifest[] {
  return objects.filter((object) => findControllingOwner(object) === undefined);
}

/** Kinds that controllers own and that use or describe nodes. They surround the rollouts of a change. */
const OWNED_KINDS: ReadonlySet<string> = new Set(['/Pod', 'apps/ReplicaSet', 'resource.k8s.io/ResourceSlice']);

/** Returns the live objects that controllers own and that use or describe nodes, except the pods of deleted objects. */
function listOwnedSurroundings(objects: readonly Manifest[], deleted: ReadonlySet<Manifest>): Manifest[] {
  const owned = new OwnedObjects(objects);
  const gone = new Set<Manifest>();
  for (const object of deleted) {
    for (const replicaSet of owned.ownedBy(object, 'ReplicaSet')) for (const pod of owned.ownedBy(replicaSet, 'Pod')) gone.add(pod);
    for (const pod of owned.ownedBy(object, 'Pod')) gone.add(pod);
  }
  return objects.filter(
    (object) => OWNED_KINDS.has(`${groupOf(object)}/${object.kind}`) && findControllingOwner(object) !== undefined && !gone.has(object),
  );
}

const ROLLING_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['roll', 'roll-and-scale']);

/** Evaluates all effects, ConfigMaps and Secrets last, since workloads that roll read them again anyway. */
function evaluateAllEffects(comparisons: readonly ObjectComparison[], context: ChangeContext, deadline: Deadline): ObjectEffect[] {
  const byObject = new Map<ObjectComparison, ObjectEffect>();
  const rolled = new Set<Manifest>();
  for (const comparison of comparisons.filter(({ next }) => !isConfigObject(next))) {
    deadline.check();
    const objectEffect = evaluateObjectEffect(comparison, context, rolled);
    byObject.set(comparison, objectEffect);
    if (ROLLING_EFFECTS.has(objectEffect.effect) || objectEffect.effect === 'replace') rolled.add(comparison.result);
  }
  for (const comparison of comparisons.filter(({ next }) => isConfigObject(next)))
    byObject.set(comparison, evaluateObjectEffect(comparison, context, rolled));
  return comparisons.map((comparison) => byObject.get(comparison)!);
}

function hasChanges({ differences, old, refusal, hook }: ObjectComparison): boolean {
  return refusal === undefined && hook === undefined && (old === undefined || differences.length > 0);
}

/** Reports whether the tool gets an error for an object. An object that a controller refuses is stored. */
function isRefusedByServer({ effect, mayBeStored }: ObjectEffect): boolean {
  return effect === 'refused' && mayBeStored !== true;
}

/** Returns the object as it is after NEW is applied: a refused object stays as it was. */
function resultingObjectOf({ refusal, old, result }: ObjectComparison): Manifest {
  return refusal && old ? old.manifest : result;
}

/** Returns the objects as they are after NEW is applied, without new objects that are refused. */
function listResultingObjects(objectEffects: readonly ObjectEffect[]): Manifest[] {
  return objectEffects.flatMap(({ effect, comparison: { old, result } }) => (effect === 'refused' ? (old?.manifest ?? []) : result));
}

/** Groups the objects that differ by their unit, without the fleet.yaml itself. */
function groupContentByUnit(changed: readonly ObjectComparison[], next: PlanInput): ChangeContext['contentOf'] {
  const byUnit = new Map<string, Manifest[]>();
  for (const comparison of changed) {
    const unit = next.textOf?.(comparison.next)?.unit;
    if (!unit?.hasMarkerFile || isFleetYaml(comparison.next)) continue;
    addToGroup(byUnit, unit.id, comparison.next);
  }
  return (fleetYaml) => byUnit.get(next.textOf?.(fleetYaml)?.unit?.id ?? '') ?? [];
}

/** Returns the pods of new objects that have no rollout: bare Pods, ReplicaSets and Jobs. */
function listNewPods(comparisons: readonly ObjectComparison[]): [Manifest, PodChange][] {
  return comparisons.flatMap(({ old, result, hook }) => {
    const after = old || hook ? undefined : countPodsWithoutRollout(result);
    return after === undefined ? [] : [[result, { before: 0, after }]];
  });
}

/** Returns the options of a plan that is compared and not written, so that no rollout is missing from it. */
function withUnlimitedOutput(options: ChangeRunOptions): ChangeRunOptions {
  return { ...options, budget: { ...options.budget, 'output-megabytes': Infinity } };
}

/** Options of a run, which may include more about the cluster than the options of a program. */
export interface ChangeRunOptions extends ChangeOptions {
  readonly admission?: AdmissionCheck | undefined;
  /** Upgrade of an operator. The versions of the options are those after it. @default - the versions stay */
  readonly upgrade?: VersionUpgrade;
}

/** Returns the options with which OLD is planned. */
function toOldOptions(options: ChangeRunOptions): ChangeRunOptions {
  return options.upgrade ? { ...options, versions: { ...options.versions, ...options.upgrade.oldVersions } } : options;
}

/** Builds the plan of a change that timed out before any result was available. */
function buildTimedOutPlan(old: PlanInput, next: PlanInput, options: ChangeRunOptions, budget: PlanBudget): PlanDocument {
  const findings = [...(next.findings ?? []), ...(old.findings ?? []), createTimeoutFinding(budget)];
  const plan = planInput({ ...next, objects: [], findings }, options);
  const context: PodCountContext = {
    oldContext: buildFullContext([], options),
    podsPlanned: new Map(),
    limitToCapacity: (desired) => desired,
  };
  const summary = summarizeChange([], new Map(), [], [], context);
  return addPlannedChange(
    plan,
    { apply: options.apply ?? 'auto', pruned: options.prune ?? false, admissionNotChecked: true, summary, objects: [] },
    [],
  );
}

/** OLD of a change. */
export interface OldInput extends PlanInput {
  /** Reports whether an object is only context if NEW does not name it, as in a snapshot of a cluster. @default - none is */
  readonly isSurrounding?: (object: Manifest) => boolean;
  /** Reports whether OLD may contain an object that the user may not read. @default - OLD is complete */
  readonly isUnread?: (object: Manifest) => boolean;
}

/** Plans a change of objects that are already read. */
export function planChangedInput(old: OldInput, next: PlanInput, options: ChangeRunOptions = {}): PlanDocument {
  const budget = resolvePlanBudget(options.budget);
  try {
    return planChangedInputUntil(new Deadline(budget.seconds), old, next, options);
  } catch (error) {
    if (error instanceof DeadlineError) return buildTimedOutPlan(old, next, options, budget);
    throw error;
  }
}

/** @throws DeadlineError if comparing takes longer than the budget allows */
function planChangedInputUntil(deadline: Deadline, old: OldInput, next: PlanInput, options: ChangeRunOptions): PlanDocument {
  const versions = resolveVersions(options.versions);
  const { findings: inputFindings, isOldIncomplete } = collectInputFindings(old, next);
  const { apply, prune = false, admission } = options;
  const duplicates = findDuplicateOldObjects(old, next);
  const oldOnce = duplicates.size === 0 ? old.objects : old.objects.filter((object) => !duplicates.has(object));
  const oldObjects = excludeControlled(oldOnce);
  const { pairs, unmatched: unnamed } = matchObjects({ objects: oldObjects, textOf: old.textOf }, next);
  const surroundings = new Set(old.isSurrounding ? unnamed.filter(old.isSurrounding) : []);
  const unmatched = surroundings.size === 0 ? unnamed : unnamed.filter((object) => !surroundings.has(object));
  const applierOf = createApplierLookup(apply, oldOnce, next, versions);
  const comparisons = pairs.map((pair) => {
    deadline.check();
    return compareObjects(pair, applierOf(pair), versions, admission);
  });
  // What could not be read is not gone.
  const canPrune = prune && !isIncomplete(next.findings ?? []);
  const prunable = canPrune ? unmatched.filter((object) => !isKeptByApplier(object, applierOf({ next: object, old: object }))) : [];
  const results = comparisons.map(({ result }) => result);
  const changed = comparisons.filter(hasChanges);
  const changedResults = new Set(changed.map(({ result }) => result));
  const deletedOrNew = new Set<Manifest>(comparisons.filter((comparison) => comparison.old === undefined).map(({ result }) => result));
  const unaffected = {
    versions,
    ...(options.upgrade && { upgrade: options.upgrade }),
    oldContext: buildFullContext(oldObjects, toOldOptions(options)),
    owned: new OwnedObjects(oldOnce),
    hasChangedAutoscalers: changed.some(({ result }) => isAutoscaler(result)),
    changedAutoscalersOf: createAutoscalerLookup(changed.map(({ result }) => result)),
    raisedQuotas: findRaisedQuotas(changed),
    changedContext: changed.map(({ result }) => result).filter(isContextObject),
    isChanged: (object: Manifest) => changedResults.has(object),
    newConfigs: new Set(
      changed.filter((comparison) => comparison.old === undefined && isConfigObject(comparison.next)).map(({ result }) => result),
    ),
    contentOf: groupContentByUnit(changed, next),
    isNew: (object: Manifest) => deletedOrNew.has(object),
    isUnread: (object: Manifest) => isOldIncomplete || old.isUnread?.(object) === true,
  };
  const evaluateWith = (pruned: readonly Manifest[]) => {
    const deleted = new Set(pruned);
    const kept = unmatched.filter((object) => !deleted.has(object));
    const retained = [...kept, ...surroundings];
    const context: ChangeContext = {
      ...unaffected,
      newContext: buildFullContext([...comparisons.map(resultingObjectOf), ...retained], options),
      consumers: new ConfigConsumers([...results, ...retained]),
    };
    return { deleted, kept, retained, context, objectEffects: evaluateAllEffects(comparisons, context, deadline) };
  };
  const wished = evaluateWith(prunable);
  const prunedDespiteRefusal = wished.objectEffects.some(isRefusedByServer)
    ? prunable.filter((object) => !applierOf({ next: object, old: object }).applier.keepsAllOnRefusal)
    : prunable;
  const { deleted, kept, retained, context, objectEffects } =
    prunedDespiteRefusal.length === prunable.length ? wished : evaluateWith(prunedDespiteRefusal);
  const byResult = new Map(objectEffects.map((objectEffect) => [objectEffect.comparison.result, objectEffect]));
  const origin = new Map(comparisons.map(({ result, next: object }) => [result as object, object]));
  const plannedRollouts = new Map<Manifest, Map<string, PlannedRollout>>();
  const podsPlanned = new Map(listNewPods(comparisons));
  let capacityOfUnits: readonly MaxSchedulablePods[] = [];
  const finishRollout = (object: Manifest, rollout: PlannedRollout, pods: number | undefined): PlannedRollout => {
    const objectEffect = byResult.get(object);
    if (!objectEffect) return rollout;
    const { running } = resolveChangedPods(objectEffect, rollout.resource.component ?? '', context);
    if (running && pods !== undefined) {
      const { before, after } = podsPlanned.get(object) ?? { before: 0, after: 0 };
      podsPlanned.set(object, { before: before + running.reduce((sum, each) => sum + each, 0), after: after + pods });
    }
    const { start: initialState } = objectEffect;
    // Only the earlier version of the operator writes the old template again.
    const rollback = options.upgrade ? undefined : planRollback(object, rollout, findScaleChange(objectEffect, rollout, context));
    const full = {
      ...rollout,
      ...(initialState && { initialState }),
      ...(rollback && { rollback }),
      findings: [...rollout.findings, ...collectChangeFindings(objectEffect, rollout, context)],
    };
    const finished = objectEffect.effect === 'refused' ? toRejectedRollout(full, objectEffect) : full;
    const rolloutsOfObject = plannedRollouts.get(object) ?? new Map<string, PlannedRollout>();
    plannedRollouts.set(object, rolloutsOfObject.set(rollout.resource.component ?? '', finished));
    return finished;
  };
  const applied: AppliedChange = {
    effectOf: (object) => byResult.get(object)?.effect,
    componentEffectOf: (object, component) => byResult.get(object)?.effects.get(component),
    oldOf: (object) => {
      const objectEffect = byResult.get(object);
      return objectEffect ? objectEffect.comparison.old?.manifest : object;
    },
    deleted: [...deleted],
    isDeletedLast: (object) => applierOf({ next: object, old: object }).applier.deletesLast?.(object, results) === true,
    oldContext: context.oldContext,
  };
  const located = {
    locate: (object: object, path: string) => next.locate?.(origin.get(object) ?? object, path),
    textOf: (object: object) => next.textOf?.(origin.get(object) ?? object),
  };
  const ownedObjects = listOwnedSurroundings(oldOnce, deleted);
  const planned = dropScaleToZeroBehindService(
    planInput(
      {
        ...next,
        ...located,
        objects: results,
        deadline,
        findings: [
          ...inputFindings,
          ...collectComparisonFindings({ objectEffects, pairs, duplicates: excludeControlled([...duplicates]) }),
        ],
        change: {
          unchangedObjects: [...retained, ...ownedObjects],
          lowersQuota: createLoweredQuotaCheck(comparisons),
          isChanged: context.isChanged,
          applierOf: (object) => byResult.get(object)?.comparison.applied,
          applied,
          addChangeInfo: finishRollout,
          onCapacityKnown: (units) => {
            capacityOfUnits = units;
          },
          changedPods: (object, component = '') => resolveChangedPods(byResult.get(object), component, context),
        },
      },
      options,
    ),
  );
  const changes = [
    ...objectEffects.map(({ effect, comparison: { next: object } }) => ({ object, effect })),
    ...[...deleted].map((object) => ({ object, effect: 'delete' as const })),
  ];
  const planSide = (side: PlanInput, objects: readonly Manifest[]) => {
    const plan = planInput({ ...side, objects, findings: [], deadline }, withUnlimitedOutput(options));
    // A plan that ran out of time has no rollouts, and the problems of OLD would look new.
    deadline.check();
    return plan;
  };
  let oldPlan: PlanDocument | undefined;
  const planOld = () => (oldPlan ??= planSide(old, oldOnce));
  const planNextRollouts = (): NextRolloutPlans => ({
    old: planOld(),
    next: planSide({ ...next, ...located }, [...listResultingObjects(objectEffects), ...retained, ...ownedObjects]),
  });
  const plan = raiseNewOutages(
    mayAlterNextRollout(planned, changes) ? addNextRolloutFindings(planned, planNextRollouts()) : planned,
    planOld,
  );
  const change: PlannedChange = {
    apply: apply ?? 'auto',
    pruned: prune,
    admissionNotChecked: options.upgrade === undefined && objectEffects.some(({ effect }) => effect !== 'none'),
    summary: summarizeChange(
      objectEffects,
      new Map([...plannedRollouts].map(([object, byComponent]) => [object, [...byComponent.values()]])),
      [...deleted],
      kept,
      {
        ...context,
        podsPlanned,
        ...(plan.services && { services: plan.services }),
        limitToCapacity: (desired, reserved) => capacityOfUnits.reduce((found, unit) => unit(found, reserved), desired),
      },
    ),
    objects: [
      ...objectEffects.map((objectEffect) => buildObjectChange(objectEffect, next, podsPlanned)),
      ...unmatched.map((object) => buildUnmatchedObjectChange(object, deleted.has(object) ? 'delete' : 'none', apply ?? 'client')),
    ],
  };
  return addPlannedChange(plan, change, [
    ...collectRejectionsWithoutRollout(objectEffects, (object) => plannedRollouts.has(object), next, plan.findings),
    ...collectRecreations(objectEffects, next),
    ...collectHookFindings(objectEffects, context, next),
    ...collectDroppedItems(objectEffects, (object) => plannedRollouts.has(object), next),
    ...collectPrunedClaimFindings(deleted, versions, context.oldContext),
  ]);
}

function summarizeChange(
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

/**
 * Plans a change of Kubernetes objects as plain data: what happens to each object and its pods if NEW is applied over OLD.
 *
 * OLD may contain manifests as written, and live objects with those that their controllers created (ReplicaSets, ControllerRevisions, Pods):
 * the plan then starts from the state of the cluster. No object makes it throw; what cannot be planned is a finding.
 *
 * @throws VersionError for an unknown product or a version that is none
 * @throws InventoryError for clusters that cannot be read
 * @throws CapacityError for a capacity that cannot be read
 *
 * @example
 * const { change } = planChange([before], [after]);
 * change.objects[0].effect; // 'roll'
 */
export function planChange(
  old: readonly unknown[],
  next: readonly unknown[],
  options: ChangeOptions = {},
): PlanDocument & { readonly change: PlannedChange } {
  const resolved = validateOptions(options, { ...PLAN_OPTIONS, ...APPLY_OPTIONS });
  assertKnownApplyMode(resolved.apply);
  return wrapAsOptionError(() => planChangedInput(normalizeObjects(old), normalizeObjects(next), resolved)) as PlanDocument & {
    readonly change: PlannedChange;
  };
}
