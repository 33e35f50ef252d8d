import type { ApplyEffect, ApplyRejection, FieldChange } from '../../core/document/change';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanContext, RolloutSystem, SystemEffect } from '../../cluster/context/context';
import type { PodChangeInput } from '../../cluster/rollout/initial-state';
import { countDesiredPods } from '../../cluster/rollout/system-rollout';
import { knownSystemOf, systemOf } from '../../plan/registry';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';
import { workloadKindOf } from '../../workloads/kinds';
import { hasChangesBeyondMetadata } from '../compare/object-comparison';
import type { ObjectComparison } from '../compare/object-comparison';
import { pickDominantEffect } from './effect-precedence';
import { listOldTemplates, listUnaffectedPodSets, listPodCountsBefore } from '../initial-state/pods-before-apply';
import { withCanonicalPods } from '../apiserver/definition-defaults';
import { createTemplateEquality } from '../apiserver/template-defaults';
import { addWrittenDifferences } from './operator-upgrade';
import type { WrittenDifference } from './operator-upgrade';
import { buildObjectEffect, toChangedObject } from './object-effect';
import type { ObjectEffect, ChangeContext } from './object-effect';
import type { OldObject } from '../apiserver/types';
import { evaluatePlainObject } from './plain-object-effect';
import { mayBeConverted, mayKeepOtherNulls, hasNullsInRequest } from './unknown-kind-storage';

function buildRejectedEffect(comparison: ObjectComparison, refusal: ApplyRejection, mayBeStored: boolean): ObjectEffect {
  return buildObjectEffect(
    { ...comparison, refusal, differences: [] },
    { effect: 'refused', because: comparison.differences, pods: new Map(), ...(mayBeStored && { mayBeStored }) },
  );
}

/** Returns why a webhook or the controller of a system refuses an object. The system plans no rollout for it and reports an error. */
function findSystemRejection(system: RolloutSystem, object: Manifest, context: PlanContext): ApplyRejection | undefined {
  for (const { simulation, findings, rejectionCause } of system.plan(object, context)) {
    const unplannable = simulation === null ? findings.find(({ severity }) => severity === 'error') : undefined;
    const found = rejectionCause === undefined ? unplannable : rejectionCause;
    if (found) return { path: found.path, message: found.message };
  }
  return undefined;
}

/** Evaluates a new object that a webhook or the controller of its system refuses; undefined for any other object. */
export function evaluateRejectedObject(comparison: ObjectComparison, { newContext }: ChangeContext): ObjectEffect | undefined {
  const system = workloadKindOf(comparison.next) ? undefined : knownSystemOf(comparison.next, newContext);
  // Fleet stores a bundle that it deploys to no cluster.
  const rejection = system && system.name !== 'fleet' ? findSystemRejection(system, comparison.result, newContext) : undefined;
  return rejection && buildRejectedEffect(comparison, rejection, true);
}

/** Reports whether the object that lends this one its pod template differs or is new. */
function isTemplateChanged(
  { templateHolder }: RolloutSystem,
  { result }: ObjectComparison,
  { newContext, isChanged }: ChangeContext,
): boolean {
  const holder = templateHolder?.(result, newContext);
  return holder !== undefined && isChanged(holder);
}

function computeSystemEffects(
  comparison: ObjectComparison,
  { effects }: RolloutSystem,
  changeContext: ChangeContext,
): readonly SystemEffect[] {
  if (typeof effects === 'string') return [];
  const { old: before, next: after } = toChangedObject(comparison, changeContext);
  return effects(
    { ...before!, object: withCanonicalPods(before!.object), ...(comparison.old!.isLive && { live: changeContext.owned }) },
    { ...after!, object: withCanonicalPods(after!.object) },
    createTemplateEquality(changeContext.versions),
  );
}

/** Returns the fields that differ: those that an upgrade writes differently in components that exist, then those of the object. */
function collectWrittenFields(
  { differences }: ObjectComparison,
  written: readonly WrittenDifference[],
  effects: readonly SystemEffect[],
): readonly FieldChange[] {
  const components = new Set(effects.map(({ component = '' }) => component));
  return [...written.flatMap(({ component = '', because }) => (components.has(component) ? because : [])), ...differences];
}

/** Evaluates an object that a system plans, from the effects that the system computes. */
export function evaluateSystemObject(comparison: ObjectComparison, system: RolloutSystem, changeContext: ChangeContext): ObjectEffect {
  const { old, result, differences } = comparison;
  const { upgrade } = changeContext;
  const written = upgrade && old ? upgrade.compareWritten(old.manifest) : [];
  const mayBeCaused =
    upgrade !== undefined ||
    system.tracksConfigs === true ||
    changeContext.changedContext.length > 0 ||
    (isFleetYaml(result) && changeContext.contentOf(comparison.next).length > 0) ||
    isTemplateChanged(system, comparison, changeContext);
  const own = differences.length > 0 || mayBeCaused ? computeSystemEffects(comparison, system, changeContext) : [];
  const effects = addWrittenDifferences(own, written);
  const refusal = effects.find((one) => one.refusal)?.refusal;
  const rejection = refusal ?? (differences.length > 0 ? findSystemRejection(system, result, changeContext.newContext) : undefined);
  if (rejection) return buildRejectedEffect(comparison, rejection, refusal === undefined);
  if (comparison.isReplaced) return buildObjectEffect(comparison, { effect: 'replace', ...countRecreatedPods(comparison, changeContext) });
  if (typeof system.effects === 'string') return evaluatePlainObject(comparison, changeContext);
  if (differences.length === 0 && (mayBeConverted(comparison) || (hasNullsInRequest(comparison) && mayKeepOtherNulls(comparison))))
    return buildObjectEffect(comparison, { effect: 'unknown' });
  if (differences.length === 0 && !mayBeCaused) return buildObjectEffect(comparison, { effect: 'none', pods: new Map() });
  const content = isFleetYaml(result) ? changeContext.contentOf(comparison.next) : [];
  if (content.length > 0 && effects.every(({ effect }) => effect !== 'held' && effect !== 'unknown')) {
    return buildObjectEffect(comparison, { effect: 'roll', causedBy: content, pods: new Map([['', { rolls: true }]]) });
  }
  return summarizeEffects(comparison, { system, written, effects }, changeContext);
}

/** Counts the desired pods of an object by component; undefined if they are not known. */
function countDesiredPodsOf(object: Manifest, context: PlanContext): ReadonlyMap<string, number> | undefined {
  const rollouts = systemOf(object, context)?.plan(object, context) ?? [];
  const counts = rollouts.map((rollout) => [rollout.resource.component ?? '', countDesiredPods(rollout)] as const);
  const known = counts.flatMap(([component, pods]) => (pods === undefined ? [] : [[component, pods] as const]));
  return known.length === 0 || known.length < counts.length ? undefined : new Map(known);
}

/** Counts the pods of an object that is deleted and created again; they are not known if its system does not know them on both sides. */
function countRecreatedPods({ old, result }: ObjectComparison, { oldContext, newContext }: ChangeContext): Partial<ObjectEffect> {
  const [before, after] = [countDesiredPodsOf(old!.manifest, oldContext), countDesiredPodsOf(result, newContext)];
  if (!before || !after) return {};
  return {
    pods: new Map([...after].map(([component, replicas]) => [component, { rolls: false, replicas }])),
    podsBefore: [...before.values()].reduce((sum, pods) => sum + pods, 0),
  };
}

/** What a system says about the change of an object. */
interface SystemEvaluation {
  readonly system: RolloutSystem;
  readonly written: readonly WrittenDifference[];
  readonly effects: readonly SystemEffect[];
}

/** Summarizes the effects on the components of an object as the effect on the object. */
function summarizeEffects(comparison: ObjectComparison, evaluation: SystemEvaluation, changeContext: ChangeContext): ObjectEffect {
  const { written, effects } = evaluation;
  const effect = pickEffect(comparison, effects);
  const clusters = effects.flatMap((one) => one.clusters ?? []);
  const systemState = effects.find((one) => one.standing)?.standing;
  const until = effect === 'held' ? effects.find((one) => one.heldUntil !== undefined)?.heldUntil : undefined;
  const temporaryPods = effects.reduce((sum, one) => sum + (one.temporaryPods ?? 0), 0);
  const podsBefore = effects.every(({ replicas }) => replicas) ? effects.reduce((sum, { replicas }) => sum + replicas!.old, 0) : undefined;
  const movedPods = countMovedPods(effects);
  return buildObjectEffect(comparison, {
    effect,
    ...(written.length > 0 && { because: collectWrittenFields(comparison, written, effects) }),
    ...(until !== undefined && { heldUntil: until }),
    causedBy: listCauses(comparison, effect, effects, changeContext),
    ...(clusters.length > 0 && { clusters }),
    effects: new Map(effects.map((one) => [one.component ?? '', effectOf(one, comparison)])),
    findings: new Map(effects.map((one) => [one.component ?? '', one.findings ?? []])),
    pods: new Map(effects.map((one) => [one.component ?? '', buildComponentPods(one, comparison.old!, evaluation, changeContext)])),
    ...(podsBefore !== undefined && effects.length > 0 && { podsBefore }),
    ...(movedPods > 0 && { movedPods }),
    ...(temporaryPods > 0 && { temporaryPods }),
    ...(systemState && { start: systemState }),
  });
}

/** A system that is asked because of another object answers "metadata" for one that does not differ. */
function effectOf({ effect }: SystemEffect, { differences }: ObjectComparison): ApplyEffect {
  return differences.length === 0 && effect === 'metadata' ? 'none' : effect;
}

/** Returns the effect that matters most. An unknown one may be any. */
function pickEffect(comparison: ObjectComparison, effects: readonly SystemEffect[]): ApplyEffect {
  if (effects.some(({ effect }) => effect === 'unknown')) return 'unknown';
  const isSame = comparison.differences.length === 0 || effects.some((one) => one.isTakenBack);
  const ownEffect: ApplyEffect = isSame ? 'none' : hasChangesBeyondMetadata(comparison) ? 'settings' : 'metadata';
  return pickDominantEffect([ownEffect, ...effects.map((one) => effectOf(one, comparison))]);
}

/** Lists the other objects of the change that cause the effect. */
function listCauses(
  { result }: ObjectComparison,
  effect: ApplyEffect,
  effects: readonly SystemEffect[],
  changeContext: ChangeContext,
): readonly Manifest[] {
  const scalers = effect === 'scale' || effect === 'roll-and-scale' ? changeContext.changedAutoscalersOf(result) : [];
  const isCause = (object: Manifest) => changeContext.isChanged(object) || changeContext.changedContext.includes(object);
  return [...new Set([...effects.flatMap(({ causedBy = [] }) => causedBy.filter(isCause)), ...scalers])];
}

/** Builds what happens to the pods of one component. */
function buildComponentPods(
  one: SystemEffect,
  { manifest }: OldObject,
  { system, written }: SystemEvaluation,
  { oldContext }: ChangeContext,
): PodChangeInput {
  const { component = '', effect, replicas, start: initialState } = one;
  const before = { object: manifest, context: oldContext };
  const running = listPodCountsBefore(one, system, before);
  const unaffected = listUnaffectedPodSets(one, system, before);
  const oldTemplates = listOldTemplates(one, system, before);
  return {
    rolls: (effect === 'roll' || effect === 'roll-and-scale') && one.hasUnknownRows !== true,
    ...(written.some((difference) => difference.isInPlace && (difference.component ?? '') === component) && { isInPlace: true }),
    ...(replicas && { replicas: replicas.next }),
    ...(effect === 'roll' && initialState && { start: initialState }),
    ...(replicas &&
      effect === 'roll-and-scale' && { start: initialState ?? { before: replicas.old, replicaSets: [buildOldReplicaSet(replicas.old)] } }),
    ...(running && { running }),
    ...(unaffected && { goOn: unaffected }),
    ...(oldTemplates && { oldTemplates }),
  };
}

/** Counts the pods that one component of an object gains and another loses: 1 for a new canary with 1 pod that takes a pod from the predictor. */
function countMovedPods(effects: readonly SystemEffect[]): number {
  const scaled = effects.flatMap(({ effect, replicas }) => (effect === 'scale' && replicas ? [replicas.next - replicas.old] : []));
  const added = scaled.reduce((sum, difference) => sum + Math.max(0, difference), 0);
  const removed = scaled.reduce((sum, difference) => sum + Math.max(0, -difference), 0);
  return Math.min(added, removed);
}

function buildOldReplicaSet(size: number) {
  return { isNew: false, size, available: size, desired: size };
}
