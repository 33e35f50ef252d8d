import { createAutoscalerLookup, createScaleTargetLookup, isAutoscaler } from '../../cluster/autoscaling/autoscaler';
import { isContextObject } from '../../cluster/kinds/context-kinds';
import type { ApplyEffect } from '../../core/document/change';
import { addToGroup } from '../../core/collections/group-by';
import type { Manifest } from '../../core/manifest/manifest';
import { buildFullContext } from '../../plan/plan';
import type { PlanInput } from '../../plan/plan-input';
import { knownSystemOf } from '../../plan/registry';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';
import { collectAffectedObjects } from '../effects/affected-objects';
import { ConfigConsumers, isConfigObject } from '../effects/config-references';
import { evaluateObjectEffect } from '../effects/evaluate-object-effect';
import { callOrElse } from '../../plan/isolate-objects';
import { OwnedObjects } from '../match/live-objects';
import { compareObjects, getResultingObject } from '../compare/object-comparison';
import type { ObjectComparison } from '../compare/object-comparison';
import { buildObjectEffect } from '../effects/object-effect';
import type { ChangeContext, ObjectEffect } from '../effects/object-effect';
import { findRaisedQuotas } from '../effects/quota-increases';
import { findTemplateHolder } from '../effects/template-holder';
import type { ChangeRunOptions, ComparedSides, EvaluatedChange } from '../change-state';
import { UnknownReaders } from '../effects/unknown-readers';
import { findConfig } from '../effects/written-secrets';

const ROLLING_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['roll', 'roll-and-scale']);

/** Evaluates an object. The effect on one that fails, or whose comparison failed, is unknown. */
function evaluateSafely(comparison: ObjectComparison, context: ChangeContext, rolled: ReadonlySet<Manifest>): ObjectEffect {
  const fail = (failure: unknown) => buildObjectEffect(comparison, { effect: 'unknown', failure });
  if (comparison.failure !== undefined) return fail(comparison.failure);
  return callOrElse(() => evaluateObjectEffect(comparison, context, rolled), fail);
}

/** Evaluates an object that NEW lacks as if NEW contained it. */
export function evaluateRetained(
  object: Manifest,
  { applierOf, versions }: Pick<ComparedSides, 'applierOf' | 'versions'>,
  context: ChangeContext,
): ObjectEffect {
  const pair = { next: object, old: object };
  const { applier, ...applied } = applierOf(pair);
  // The tool does not write the object, so it is no hook of this apply.
  const { hookOf: _, ...withoutHooks } = applier;
  return evaluateSafely(compareObjects(pair, { ...applied, applier: withoutHooks }, versions), context, new Set());
}

/** Reports whether pods are replaced, so that they read their ConfigMaps and Secrets again. */
function replacesPods({ effect }: ObjectEffect): boolean {
  return effect === 'replace' || ROLLING_EFFECTS.has(effect);
}

/** Effects on the objects of NEW, in the order of the comparisons, and on the objects of OLD that the apply affects. */
interface AllEffects {
  readonly objectEffects: readonly ObjectEffect[];
  readonly affected: readonly ObjectEffect[];
}

/** Evaluates all effects, ConfigMaps and Secrets last, since workloads that roll read them again anyway. */
function evaluateAllEffects(compared: ComparedSides, context: ChangeContext, retained: readonly Manifest[]): AllEffects {
  const { comparisons, deadline } = compared;
  const byComparison = new Map<ObjectComparison, ObjectEffect>();
  const evaluate = (comparison: ObjectComparison, rolled: ReadonlySet<Manifest>): ObjectEffect => {
    deadline.check();
    const objectEffect = evaluateSafely(comparison, context, rolled);
    byComparison.set(comparison, objectEffect);
    return objectEffect;
  };
  for (const comparison of comparisons.filter(({ next }) => !findConfig(next))) evaluate(comparison, new Set());
  const affected = collectAffectedObjects(retained, context, (object) => {
    deadline.check();
    const objectEffect = evaluateRetained(object, compared, context);
    byComparison.set(objectEffect.comparison, objectEffect);
    return objectEffect;
  });
  const replaced = [...byComparison.values()].filter(replacesPods);
  const rolled = new Set(replaced.map(({ comparison }) => comparison.result));
  for (const comparison of comparisons.filter(({ next }) => findConfig(next))) evaluate(comparison, rolled);
  return { objectEffects: comparisons.map((comparison) => byComparison.get(comparison)!), affected };
}

/** Reports whether the tool gets an error for an object. An object that a controller refuses is stored. */
function isRefusedByServer({ effect, mayBeStored }: ObjectEffect): boolean {
  return effect === 'refused' && mayBeStored !== true;
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

/** Returns the options with which OLD is planned. */
function toOldOptions(options: ChangeRunOptions): ChangeRunOptions {
  return options.upgrade ? { ...options, versions: { ...options.versions, ...options.upgrade.oldVersions } } : options;
}

/** Returns the part of the context that does not depend on which objects are deleted. */
function buildChangeContext(
  compared: ComparedSides,
): Omit<ChangeContext, 'newContext' | 'consumers' | 'unknownReaders' | 'findScaleTarget' | 'changedContext' | 'raisedQuotas'> {
  const { old, next, options, versions, comparisons, changed, oldObjects, oldOnce, isOldIncomplete } = compared;
  const changedResults = changed.map(({ result }) => result);
  const isChanged = new Set(changedResults);
  const isNew = new Set<Manifest>(comparisons.filter((comparison) => comparison.old === undefined).map(({ result }) => result));
  const newConfigs = changed.filter((comparison) => comparison.old === undefined && isConfigObject(comparison.next));
  return {
    versions,
    ...(options.upgrade && { upgrade: options.upgrade }),
    oldContext: buildFullContext(oldObjects, toOldOptions(options)),
    owned: new OwnedObjects(oldOnce),
    hasChangedAutoscalers: changedResults.some(isAutoscaler),
    changedAutoscalersOf: createAutoscalerLookup(changedResults),
    isChanged: (object) => isChanged.has(object),
    newConfigs: new Set(newConfigs.map(({ result }) => result)),
    contentOf: groupContentByUnit(changed, next),
    isNew: (object) => isNew.has(object),
    isUnread: (object) => isOldIncomplete || old.isUnread?.(object) === true,
  };
}

/** Treats the objects that NEW lacks and that the apply affects all the same as objects of NEW, in the unit of the object that affects them. */
export function includeAffectedObjects(evaluated: EvaluatedChange, affected: readonly ObjectEffect[]): EvaluatedChange {
  const { next, pairs, comparisons, results, unmatched, surroundings, kept, retained, objectEffects } = evaluated;
  if (affected.length === 0) return evaluated;
  const added = affected.map(({ comparison }) => comparison);
  const causes = new Map<object, Manifest | undefined>(affected.map(({ comparison, causedBy }) => [comparison.next, causedBy[0]]));
  const isOther = (object: Manifest) => !causes.has(object);
  return {
    ...evaluated,
    next: { ...next, ...(next.textOf && { textOf: (object) => next.textOf!(causes.get(object) ?? object) }) },
    pairs: [...pairs, ...added.map((comparison) => ({ next: comparison.next, old: comparison.next }))],
    comparisons: [...comparisons, ...added],
    results: [...results, ...added.map(({ result }) => result)],
    unmatched: unmatched.filter(isOther),
    surroundings: new Set([...surroundings].filter(isOther)),
    kept: kept.filter(isOther),
    retained: retained.filter(isOther),
    objectEffects: [...objectEffects, ...affected],
  };
}

/** Evaluates what the apply does to each object. A refusal may keep the tool from deleting anything, which alters the other effects. */
export function evaluateEffects(compared: ComparedSides): EvaluatedChange {
  const { options, comparisons, unmatched, surroundings, prunable, applierOf } = compared;
  const unaffected = buildChangeContext(compared);
  const evaluateWith = (pruned: readonly Manifest[]): EvaluatedChange => {
    const deleted = new Set(pruned);
    const kept = unmatched.filter((object) => !deleted.has(object));
    const retained = [...kept, ...surroundings];
    const objects = [...comparisons.flatMap((comparison) => getResultingObject(comparison) ?? []), ...retained];
    const newContext = buildFullContext(objects, options);
    const context: ChangeContext = {
      ...unaffected,
      newContext,
      consumers: new ConfigConsumers(objects, (object) => findTemplateHolder(object, newContext)),
      unknownReaders: new UnknownReaders(objects, (object) => knownSystemOf(object, newContext) !== undefined),
      raisedQuotas: findRaisedQuotas(compared.changed, pruned),
      findScaleTarget: createScaleTargetLookup([...objects, ...pruned]),
      changedContext: [...compared.changed.map(({ result }) => result), ...pruned].filter(isContextObject),
    };
    const { objectEffects, affected } = evaluateAllEffects(compared, context, retained);
    return includeAffectedObjects({ ...compared, deleted, kept, retained, context, objectEffects }, affected);
  };
  const wished = evaluateWith(prunable);
  // The affected objects follow those of NEW. The apply does not write them, so it gets no error for them.
  if (!wished.objectEffects.slice(0, comparisons.length).some(isRefusedByServer)) return wished;
  const pruned = prunable.filter((object) => !applierOf({ next: object, old: object }).applier.keepsAllOnRefusal);
  return pruned.length === prunable.length ? wished : evaluateWith(pruned);
}
