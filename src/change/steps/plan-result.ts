import type { PlanContext } from '../../cluster/context/context';
import type { MaxSchedulablePods } from '../../cluster/capacity/max-schedulable-pods';
import { countPodsWithoutRollout } from '../../cluster/capacity/other-pods';
import { findCreatingOwner } from '../../cluster/kinds/created-kinds';
import type { PodChange } from '../../core/document/change';
import type { Finding } from '../../core/findings/finding';
import { kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlannedRollout } from '../../core/document/rollout';
import { createFailureFinding } from '../../plan/isolate-failures';
import type { Failure } from '../../plan/isolate-failures';
import { findPlanningFailure } from '../../plan/isolate-objects';
import { planInput } from '../../plan/plan';
import type { AppliedChange, RolloutWithObject } from '../../plan/plan-input';
import {
  collectChangeFindings,
  dropScaleToZeroBehindService,
  findScaleChange,
  resolveChangedPods,
  toRejectedRollout,
} from '../findings/change-findings';
import { collectComparisonFindings } from '../findings/comparison-findings';
import { findNotPruned, reportAwaitedConfirmations, reportNotPruned } from '../findings/not-pruned-objects';
import { OwnedObjects } from '../match/live-objects';
import { getResultingObject, isLost } from '../compare/object-comparison';
import type { ObjectEffect } from '../effects/object-effect';
import { countMappedPods } from '../result/pod-counts';
import { createLoweredQuotaCheck } from '../findings/quota-decreases';
import { planRollback } from '../result/rollback';
import type { EvaluatedChange, PlannedResult } from '../change-state';

/** Kinds that controllers own and that use or describe nodes. They surround the rollouts of a change. */
const OWNED_KINDS: ReadonlySet<string> = new Set(['/Pod', 'apps/ReplicaSet', 'resource.k8s.io/ResourceSlice']);

/** Returns the live objects that controllers own and that use or describe nodes, except the pods of deleted objects and what NEW names. */
function listOwnedSurroundings(objects: readonly Manifest[], deleted: ReadonlySet<Manifest>, pairs: EvaluatedChange['pairs']): Manifest[] {
  const owned = new OwnedObjects(objects);
  const gone = new Set<Manifest>(pairs.flatMap(({ old }) => old ?? []));
  for (const object of deleted) {
    for (const replicaSet of owned.ownedBy(object, 'ReplicaSet')) for (const pod of owned.ownedBy(replicaSet, 'Pod')) gone.add(pod);
    for (const pod of owned.ownedBy(object, 'Pod')) gone.add(pod);
  }
  return objects.filter((object) => OWNED_KINDS.has(kindKeyOf(object)) && findCreatingOwner(object) !== undefined && !gone.has(object));
}

/** Returns the pods of new objects that have no rollout, or whose rollout has no pods in the plan: bare Pods, ReplicaSets, Jobs and mapped objects. */
function listNewPods({ comparisons, context }: EvaluatedChange): [Manifest, PodChange][] {
  return comparisons.flatMap(({ old, result, hook, refusal }) => {
    const isNew = !old && !hook && !refusal;
    const after = isNew ? (countPodsWithoutRollout(result) ?? countMappedPods(result, context.newContext)) : undefined;
    return after === undefined ? [] : [[result, { before: 0, after }]];
  });
}

/**
 * Returns the failure of an object that cannot be compared or evaluated, or whose object of OLD cannot be planned. If planning that of OLD fails, it is
 * at fault.
 */
function findFailure(
  { failure: error, effect, comparison }: ObjectEffect,
  written: Manifest | undefined,
  oldContext: PlanContext,
): Failure | undefined {
  const { next, old } = comparison;
  const ofOld = old && effect !== 'none' ? findPlanningFailure(old.manifest, oldContext) : undefined;
  if (ofOld) return { ...ofOld, object: written ?? ofOld.object };
  return error === undefined ? undefined : { object: next, error };
}

/** Returns a finding for each object on which comparing or evaluating failed, and for each of OLD whose pods cannot be planned. */
function collectFailures({ objectEffects, pairs, deleted, context, next: { locate = () => undefined } }: EvaluatedChange): Finding[] {
  const failures = [
    ...objectEffects.map((objectEffect, index) => findFailure(objectEffect, pairs[index]?.old, context.oldContext)),
    ...[...deleted].map((object) => findPlanningFailure(object, context.oldContext)),
  ];
  return failures.flatMap((failure) => (failure ? [createFailureFinding(failure, locate)] : []));
}

/** Adds to a rollout what only the change knows: the state it starts from, the way back and the findings of the apply. */
function addChange(rollout: PlannedRollout, objectEffect: ObjectEffect, { options, context }: EvaluatedChange): PlannedRollout {
  const { start: initialState, effect, comparison } = objectEffect;
  // Only the earlier version of the operator writes the old template again.
  const rollback = options.upgrade ? undefined : planRollback(comparison.result, rollout, findScaleChange(objectEffect, rollout, context));
  const full = {
    ...rollout,
    ...(initialState && { initialState }),
    ...(rollback && { rollback }),
    findings: [...rollout.findings, ...collectChangeFindings(objectEffect, rollout, context)],
  };
  return effect === 'refused' ? toRejectedRollout(full, objectEffect) : full;
}

/** Collects what the plan of the result says about each object. */
class ResultCollector {
  readonly rollouts = new Map<Manifest, Map<string, PlannedRollout>>();
  readonly retainedRollouts: RolloutWithObject[] = [];
  readonly podsPlanned: Map<Manifest, PodChange>;

  constructor(
    private readonly evaluated: EvaluatedChange,
    private readonly byResult: ReadonlyMap<Manifest, ObjectEffect>,
  ) {
    this.podsPlanned = new Map(listNewPods(evaluated));
  }

  /** Adds to a rollout what only the change knows, and counts the pods of its object. */
  addChangeInfo(object: Manifest, rollout: PlannedRollout, pods: number | undefined): PlannedRollout {
    const objectEffect = this.byResult.get(object);
    if (!objectEffect) {
      this.retainedRollouts.push({ object, rollout });
      return rollout;
    }
    const component = rollout.resource.component ?? '';
    const { running } = resolveChangedPods(objectEffect, component, this.evaluated.context);
    if (running && pods !== undefined) this.countPods(object, running, pods);
    const finished = addChange(rollout, objectEffect, this.evaluated);
    const rolloutsOfObject = this.rollouts.get(object) ?? new Map<string, PlannedRollout>();
    this.rollouts.set(object, rolloutsOfObject.set(component, finished));
    return finished;
  }

  private countPods(object: Manifest, running: readonly number[], pods: number): void {
    const { before, after } = this.podsPlanned.get(object) ?? { before: 0, after: 0 };
    this.podsPlanned.set(object, { before: before + running.reduce((sum, each) => sum + each, 0), after: after + pods });
  }
}

/** Returns what the apply does to each object, as the plan of the result reads it. */
function toAppliedChange(
  { comparisons, results, deleted, applierOf, context }: EvaluatedChange,
  byResult: ReadonlyMap<Manifest, ObjectEffect>,
): AppliedChange {
  const lost = new Map(comparisons.flatMap((one) => (isLost(one) ? [[one.result, one.old!.manifest]] : [])));
  return {
    effectOf: (object) => byResult.get(object)?.effect,
    componentEffectOf: (object, component) => byResult.get(object)?.effects.get(component),
    oldOf: (object) => {
      const objectEffect = byResult.get(object);
      return objectEffect ? objectEffect.comparison.old?.manifest : object;
    },
    deleted: [...deleted, ...lost.values()],
    isLost: (object) => lost.has(object),
    isDeletedLast: (object) => applierOf({ next: object, old: object }).applier.deletesLast?.(object, results) === true,
    oldContext: context.oldContext,
  };
}

/** Returns where the objects after the apply are in the files of NEW. One that stays because NEW is refused is where NEW has it. */
function locateResults({ comparisons, next }: EvaluatedChange): PlannedResult['located'] {
  const origin = new Map<object, Manifest>(
    comparisons.flatMap((comparison) =>
      [comparison.result, getResultingObject(comparison)].flatMap((object) => (object ? [[object, comparison.next] as const] : [])),
    ),
  );
  return {
    locate: (object, path) => next.locate?.(origin.get(object) ?? object, path),
    textOf: (object) => next.textOf?.(origin.get(object) ?? object),
  };
}

/** Plans the objects as they are after the apply, from the state before it. */
export function planResult(evaluated: EvaluatedChange): PlannedResult {
  const { next, options, deadline, inputFindings, duplicates, oldOnce, pairs, comparisons, results } = evaluated;
  const { context, objectEffects, deleted, retained } = evaluated;
  const byResult = new Map(objectEffects.map((objectEffect) => [objectEffect.comparison.result, objectEffect]));
  const createCollector = () => new ResultCollector(evaluated, byResult);
  let collector = createCollector();
  let capacityOfUnits: readonly MaxSchedulablePods[] = [];
  const located = locateResults(evaluated);
  const ownedObjects = listOwnedSurroundings(oldOnce, deleted, pairs);
  const notPruned = findNotPruned(evaluated);
  const planned = planInput(
    {
      ...next,
      ...located,
      objects: results,
      appliedFormOf: (object) => {
        const objectEffect = byResult.get(object);
        return objectEffect ? getResultingObject(objectEffect.comparison) : object;
      },
      deadline,
      findings: [
        ...inputFindings,
        ...collectFailures(evaluated),
        ...collectComparisonFindings({ objectEffects, pairs, duplicates, next }, evaluated.versions),
        ...reportNotPruned(notPruned),
        ...reportAwaitedConfirmations(evaluated),
      ],
      change: {
        unchangedObjects: [...retained, ...ownedObjects],
        lowersQuota: createLoweredQuotaCheck(comparisons),
        isChanged: context.isChanged,
        applierOf: (object) => byResult.get(object)?.comparison.applied,
        applied: toAppliedChange(evaluated, byResult),
        addChangeInfo: (object, rollout, pods) => collector.addChangeInfo(object, rollout, pods),
        onStart: () => {
          collector = createCollector();
        },
        onCapacityKnown: (units) => {
          capacityOfUnits = units;
        },
        changedPods: (object, component = '') => resolveChangedPods(byResult.get(object), component, context),
      },
    },
    options,
  );
  return {
    ...evaluated,
    planned: dropScaleToZeroBehindService(planned),
    rollouts: collector.rollouts,
    retainedRollouts: collector.retainedRollouts,
    podsPlanned: collector.podsPlanned,
    capacityOfUnits,
    located,
    ownedObjects,
    notPruned,
  };
}
