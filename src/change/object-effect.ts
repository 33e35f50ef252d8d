import type { ApplyEffect, FieldChange, ApplyRejection, RestartNeeded } from '../core/change';
import type { Finding } from '../core/finding';
import { isFields, nameOf, namespaceOf, getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { toResourceRef } from '../core/rollout';
import type { ResourceRef } from '../core/rollout';
import type { InitialRolloutState } from '../core/initial-state';
import type { Versions } from '../core/versions';
import type { PlanContext, RolloutSystem, SystemEffect } from '../cluster/context';
import { countPodsWithoutRollout } from '../cluster/capacity/other-pods';
import { isContextObject } from '../cluster/context-kinds';
import type { PodChangeInput } from '../cluster/initial-state';
import { explainNotPlanned } from '../cluster/unplanned-kinds';
import { isClaimed } from '../plan/claim-objects';
import { SYSTEMS, systemOf } from '../plan/registry';
import { bundleNameOf, isFleetYaml } from '../systems/fleet/fleet-yaml';
import { getWorkloadKind, workloadKindOf, workloadNameOf } from '../workloads/kinds';
import type { WorkloadName } from '../workloads/kinds';
import type { RolloutKind } from '../workloads/rollout-kind';
import { replicasOf, findAutoscaler, resolveDesiredReplicas } from '../workloads/replicas';
import { determineBarePodEffect, isPod, mayStartOrStopJobPods, isNeverReplacingPods, hasContainerRestart } from './bare-pod-effect';
import { countMovedPods } from './rules/ordinals-moved';
import { hasChangesBeyondMetadata, hasSpecField } from './object-comparison';
import type { ObjectComparison } from './object-comparison';
import { isWatchedByReloader, ConfigConsumers, isConfigObject } from './config-references';
import { pickDominantEffect } from './effect-precedence';
import type { OwnedObjects } from './live-objects';
import { findPodsUnblockedByQuota } from './quota-increases';
import type { RaisedQuotas, QuotaBlockedPods } from './quota-increases';
import { listOldTemplates, listUnaffectedPodSets, listPodCountsBefore } from './pods-before-apply';
import { isConfigOnlyKind } from './config-only-kinds';
import { withCanonicalPods } from './apiserver/definition-defaults';
import { createTemplateEquality } from './apiserver/template-defaults';
import { isTemplateEqual } from './apiserver/template-equality';
import { sortDecisiveFirst, describeBlockedUntil, getStoredReplicas, determineWorkloadEffect } from './workload-effect';
import { INITIAL_STATE_BY_KIND } from './initial-state-by-kind';

/** What an apply does to one object and to each of its rollouts. */
export interface ObjectEffect {
  readonly comparison: ObjectComparison;
  readonly effect: ApplyEffect;
  readonly because: readonly FieldChange[];
  readonly causedBy: readonly Manifest[];
  readonly restarts: readonly RestartNeeded[];
  /** The clusters that a bundle's change reaches, if not all. */
  readonly clusters?: readonly string[];
  /** Changes of pods by component; `''` for an object that is one rollout. */
  readonly pods: ReadonlyMap<string, PodChangeInput>;
  /** Effects by component; `''` for an object that is one rollout. */
  readonly effects: ReadonlyMap<string, ApplyEffect>;
  /** Findings of the object's system about the change, by component. */
  readonly findings?: ReadonlyMap<string, readonly Finding[]>;
  /** Pods that exist only during the rollouts. @default 0 */
  readonly temporaryPods?: number;
  /** Pods before the apply, if the object is one rollout with a known number of pods. */
  readonly podsBefore?: number;
  /** Pods that are deleted and created again under other names, because the ordinals of a StatefulSet move. */
  readonly movedPods?: number;
  readonly start?: InitialRolloutState;
  /** What must happen before pods change, if the effect is `held`. */
  readonly heldUntil?: string;
  /** The ordinal of a pod that may not be ready, for a StatefulSet that rolls. */
  readonly waitsPerhapsFor?: number;
}

/** The context in which the effect on one object is evaluated. */
export interface ChangeContext {
  readonly versions: Versions;
  readonly oldContext: PlanContext;
  readonly newContext: PlanContext;
  readonly owned: OwnedObjects;
  /** Workloads by the configuration that their pods read after the apply. */
  readonly consumers: ConfigConsumers;
  /** Whether an autoscaler differs or is new. */
  readonly hasChangedAutoscalers: boolean;
  /** Returns the autoscalers of a workload that differ or are new. */
  readonly changedAutoscalersOf: (workload: Manifest) => readonly Manifest[];
  readonly raisedQuotas: RaisedQuotas;
  /** Objects that differ and that systems read to plan others. */
  readonly changedContext: readonly Manifest[];
  /** Reports whether an object of NEW is accepted by the server and differs from that of OLD or is new. */
  readonly isChanged: (object: Manifest) => boolean;
  /** ConfigMaps and Secrets that are new. */
  readonly newConfigs: ReadonlySet<Manifest>;
  /** Returns the objects that differ and that Fleet deploys from the folder of a fleet.yaml. */
  readonly contentOf: (fleetYaml: Manifest) => readonly Manifest[];
  /** Reports whether an object of NEW is created or recreated, so that `restarts` can leave it out. */
  readonly isNew: (object: Manifest) => boolean;
  /** Reports whether an object may exist although OLD does not contain it. */
  readonly isUnread: (object: Manifest) => boolean;
}

export function resourceRefOf(object: Manifest): ResourceRef {
  if (isFleetYaml(object)) return toResourceRef({ apiVersion: object.apiVersion, kind: 'Bundle' }, bundleNameOf(object));
  return toResourceRef(object, nameOf(object), namespaceOf(object));
}

const NO_POD_CHANGE = { rolls: false } as const;

type ObjectEffectParts = Pick<ObjectEffect, 'effect'> & Partial<Omit<ObjectEffect, 'comparison'>>;

function buildObjectEffect(comparison: ObjectComparison, { effect, ...parts }: ObjectEffectParts): ObjectEffect {
  return {
    comparison,
    effect,
    because: sortDecisiveFirst(effect, comparison.differences),
    causedBy: [],
    restarts: [],
    pods: new Map([['', NO_POD_CHANGE]]),
    effects: new Map([['', effect]]),
    ...parts,
  };
}

interface ReplicaChange {
  readonly old: number;
  readonly next: number;
  readonly causedBy: readonly Manifest[];
}

function clampReplicas(replicas: number, { minimum, maximum }: { readonly minimum: number; readonly maximum: number }): number {
  return Math.min(maximum, Math.max(minimum, replicas));
}

/** Resolves the desired pods before and after: from the object, the live object, and an autoscaler whose bounds exclude that number. */
function resolveReplicas({ old, next, result, stored }: ObjectComparison, kind: RolloutKind, changeContext: ChangeContext): ReplicaChange {
  const { manifest, isLive } = old!;
  const before = isLive ? getStoredReplicas(old!.stored) : resolveDesiredReplicas(kind, manifest, changeContext.oldContext);
  const autoscaler = findAutoscaler(kind, next, changeContext.newContext);
  const isNamed = hasSpecField(manifest, 'replicas') || hasSpecField(next, 'replicas');
  const own = isNamed || isLive ? getStoredReplicas(stored ?? old!.stored) : replicasOf(result, autoscaler);
  const causes = changeContext.changedAutoscalersOf(result);
  const isOwnChange = isNamed && own !== before;
  if (causes.length === 0 || !autoscaler || isOwnChange) return { old: before, next: own, causedBy: [] };
  const after = before === 0 && !autoscaler.startsFromZero ? 0 : clampReplicas(before, autoscaler);
  return { old: before, next: after, causedBy: after === before ? [] : causes };
}

/** Fast path: an unchanged manifest with no changed autoscaler has effect `none`. */
function evaluateUnchangedWorkload(
  name: WorkloadName,
  comparison: ObjectComparison,
  { hasChangedAutoscalers }: ChangeContext,
): ObjectEffect | undefined {
  const { next, old, differences, isReplaced } = comparison;
  const isSame = differences.length === 0 && !isReplaced && !old!.isLive && next === comparison.result && !hasChangedAutoscalers;
  const isPaused = getValueAt(next, 'spec', 'paused') === true;
  const replicas = getValueAt(next, 'spec', 'replicas');
  if (!isSame || isPaused || typeof replicas !== 'number' || getWorkloadKind(name).traits.onePerNode) return undefined;
  const revisions = replicas === 0 ? [] : [{ replicas, available: replicas }];
  return buildObjectEffect(comparison, {
    effect: 'none',
    pods: new Map([['', { rolls: false, replicas }]]),
    podsBefore: replicas,
    start: { replicas, revisions, underWay: false },
  });
}

function evaluateWorkload(name: WorkloadName, comparison: ObjectComparison, changeContext: ChangeContext): ObjectEffect {
  const unchanged = evaluateUnchangedWorkload(name, comparison, changeContext);
  if (unchanged) return unchanged;
  const { next, old, result } = comparison;
  const { versions, owned, consumers, newConfigs } = changeContext;
  const stored = comparison.stored ?? old!.stored;
  const kind = getWorkloadKind(name);
  const replicas = resolveReplicas(comparison, kind, changeContext);
  const [before, template] = [old!.stored, stored].map((object) => getValueAt(object, 'spec', 'template'));
  const isSameTemplate =
    !comparison.differences.some(({ path }) => path.startsWith('spec.template')) || isTemplateEqual(name, before, template, versions);
  const isLive = old!.isLive;
  const query = {
    name,
    manifest: old!.manifest,
    stored: old!.stored,
    template,
    isSameTemplate,
    replicas: replicas.old,
    isLive,
    owned,
    versions,
  };
  const initialState = INITIAL_STATE_BY_KIND[name](query);
  const { onePerNode = false } = kind.traits;
  const pods = { name: nameOf(next), kind: next.kind, replicas: 0, ...buildTemplatePods(result, kind) };
  const nodes = onePerNode ? kind.count(result, pods, changeContext.newContext).initialState?.replicas : undefined;
  const effect = comparison.isReplaced
    ? 'replace'
    : determineWorkloadEffect(
        { kind, old: old!.stored, next: stored, replicas, initialState, isLive, isSameTemplate, ...(nodes !== undefined && { nodes }) },
        comparison.differences,
      );
  const waiting =
    isLive && !onePerNode && EFFECTS_WITHOUT_PODS.has(effect) && initialState.rolloutState.revisions.length <= 1
      ? findPodsUnblockedByQuota(old!.manifest, replicas.next, changeContext.raisedQuotas, changeContext.oldContext)
      : undefined;
  if (waiting) return evaluateQuotaBlockedWorkload(comparison, waiting, replicas.next, initialState.rolloutState);
  const movedPods = name === 'StatefulSet' ? countMovedPods(old!.stored, stored, Math.min(replicas.old, replicas.next)) : 0;
  const rolls = effect === 'roll' || effect === 'roll-and-scale';
  const byStatus = onePerNode && nodes === undefined && initialState.rolloutState.replicas > 0;
  const changed: PodChangeInput = {
    rolls,
    ...(!onePerNode && { replicas: replicas.next }),
    ...(byStatus && { replicas: initialState.rolloutState.replicas }),
    ...(rolls && { start: initialState.startingPoint, ...(isFields(before) && { oldTemplates: [before] }) }),
    ...(replicas.old !== replicas.next && { running: [isLive ? countExistingPods(initialState.rolloutState) : replicas.old] }),
  };
  const newConfigsRead = rolls
    ? [...newConfigs].filter((config) => consumers.consumersOf(config).some(({ object }) => object === result))
    : [];
  return buildObjectEffect(comparison, {
    effect: movedPods > 0 && EFFECTS_WITHOUT_PODS.has(effect) ? 'scale' : effect,
    ...(movedPods > 0 && { movedPods }),
    causedBy: [...(effect === 'scale' || effect === 'roll-and-scale' ? replicas.causedBy : []), ...newConfigsRead],
    pods: new Map([['', changed]]),
    podsBefore: onePerNode ? (nodes ?? initialState.rolloutState.replicas) : replicas.old,
    ...(effect === 'held' && { heldUntil: describeBlockedUntil({ kind, next: stored, replicas, ...(nodes !== undefined && { nodes }) }) }),
    ...(rolls && initialState.waitsPerhapsFor !== undefined && { waitsPerhapsFor: initialState.waitsPerhapsFor }),
    start:
      onePerNode && initialState.rolloutState.replicas === 0 && nodes !== undefined ? buildStateAtRest(nodes) : initialState.rolloutState,
  });
}

const EFFECTS_WITHOUT_PODS: ReadonlySet<ApplyEffect> = new Set(['none', 'metadata', 'settings']);

/** Evaluates a workload that gets the pods that a quota refused until now. */
function evaluateQuotaBlockedWorkload(
  comparison: ObjectComparison,
  { existing, causedBy }: QuotaBlockedPods,
  desired: number,
  initialState: InitialRolloutState,
): ObjectEffect {
  return buildObjectEffect(comparison, {
    effect: 'scale',
    causedBy,
    pods: new Map([['', { rolls: false, replicas: desired, running: [existing] }]]),
    podsBefore: existing,
    start: initialState,
  });
}

/** Counts the pods that exist, available or not. Pods that a quota refused do not exist. */
function countExistingPods({ revisions }: InitialRolloutState): number {
  return revisions.reduce((sum, { replicas }) => sum + replicas, 0);
}

function buildStateAtRest(nodes: number): InitialRolloutState {
  return { replicas: nodes, revisions: nodes === 0 ? [] : [{ replicas: nodes, available: nodes }], underWay: false };
}

function buildTemplatePods(object: Manifest, kind: RolloutKind) {
  const template = (object.spec as { template?: Record<string, unknown> } | undefined)?.template ?? {};
  const namespace = namespaceOf(object);
  return { template: kind.podTemplate(template), ...(namespace !== undefined && { namespace }) };
}

/** Evaluates a ConfigMap or Secret whose data changed in place: which pods keep the old values, and how they read them. */
function evaluateConfig(comparison: ObjectComparison, changeContext: ChangeContext, rolled: ReadonlySet<Manifest>): ObjectEffect {
  if (!hasChangesBeyondMetadata(comparison)) return evaluatePlainObject(comparison, changeContext);
  const consumers = changeContext.consumers
    .consumersOf(comparison.result)
    .filter(({ object }) => !rolled.has(object) && !changeContext.isNew(object));
  const restarts = consumers.map(({ object, reads }): RestartNeeded => {
    return {
      ...resourceRefOf(object),
      reads: [...reads],
      ...(isWatchedByReloader(object, comparison.result) && { watchedByReloader: true }),
    };
  });
  return buildObjectEffect(comparison, { effect: restarts.length > 0 ? 'restart-needed' : 'settings', restarts });
}

function evaluatePlainObject(comparison: ObjectComparison, changeContext: ChangeContext): ObjectEffect {
  const { differences, next } = comparison;
  if (comparison.isReplaced) return buildObjectEffect(comparison, { effect: 'replace' });
  if (differences.length === 0) return buildObjectEffect(comparison, { effect: 'none' });
  if (!hasChangesBeyondMetadata(comparison)) return buildObjectEffect(comparison, { effect: 'metadata' });
  if (isPod(next)) return evaluatePod(comparison);
  if (mayStartOrStopJobPods(comparison.old!.manifest, comparison.differences)) return evaluateJob(comparison);
  if (isNeverReplacingPods(next)) return evaluateBarePods(comparison, changeContext);
  const contextEffect = findContextEffect(comparison, changeContext);
  if (contextEffect) {
    const { effect, clusters, heldUntil: until } = contextEffect;
    return buildObjectEffect(comparison, { effect, ...(clusters && { clusters }), ...(until !== undefined && { heldUntil: until }) });
  }
  const isKnown = isContextObject(next) || isConfigOnlyKind(next);
  return buildObjectEffect(comparison, { effect: isKnown && explainNotPlanned(next) === undefined ? 'settings' : 'unknown' });
}

/** Evaluates a bare Pod. The API server refuses all relevant changes except the image; the kubelet restarts containers with a new image. */
function evaluatePod(comparison: ObjectComparison): ObjectEffect {
  const pods = new Map([['', { rolls: false, replicas: 1 }]]);
  return buildObjectEffect(comparison, { effect: hasContainerRestart(comparison.differences) ? 'roll' : 'settings', pods, podsBefore: 1 });
}

/**
 * Evaluates a Job that may start or stop pods. Their number is not known, but the stored objects limit how many may run at once,
 * which determines the capacity that they need.
 */
function evaluateJob(comparison: ObjectComparison): ObjectEffect {
  const { manifest, stored } = comparison.old!;
  const [before = 0, after = 0] = [stored, comparison.stored ?? stored].map(({ spec }) => countPodsWithoutRollout({ ...manifest, spec }));
  const changed = before === after ? {} : { running: [before] };
  return buildObjectEffect(comparison, { effect: 'unknown', pods: new Map([['', { rolls: false, ...changed }]]) });
}

/** Evaluates a bare ReplicaSet: its pods stay, whatever its template sets. */
function evaluateBarePods(comparison: ObjectComparison, { versions }: ChangeContext): ObjectEffect {
  const { old, stored } = comparison;
  const { effect = 'settings', heldUntil: until, replicas } = determineBarePodEffect(old!.stored, stored ?? old!.stored, versions);
  const running = replicas.old === replicas.next ? {} : { running: [replicas.old] };
  return buildObjectEffect(comparison, {
    effect,
    ...(until !== undefined && { heldUntil: until }),
    pods: new Map([['', { rolls: false, replicas: replicas.next, ...running }]]),
    podsBefore: replicas.old,
  });
}

/** Returns the effect of an object that a system reads to plan others. */
function findContextEffect({ old, result }: ObjectComparison, { oldContext, newContext }: ChangeContext): SystemEffect | undefined {
  const sides = [
    { object: old!.manifest, context: oldContext },
    { object: result, context: newContext },
  ] as const;
  for (const system of SYSTEMS) {
    const effect = system.contextEffect?.(...sides);
    if (effect) return effect;
  }
  return undefined;
}

function buildRejectedEffect(comparison: ObjectComparison, refusal: ApplyRejection): ObjectEffect {
  return buildObjectEffect(
    { ...comparison, refusal, differences: [] },
    { effect: 'refused', because: comparison.differences, pods: new Map() },
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
  { old, result }: ObjectComparison,
  { effects }: RolloutSystem,
  changeContext: ChangeContext,
): readonly SystemEffect[] {
  if (typeof effects === 'string') return [];
  return effects(
    { object: withCanonicalPods(old!.manifest), context: changeContext.oldContext, ...(old!.isLive && { live: changeContext.owned }) },
    { object: withCanonicalPods(result), context: changeContext.newContext },
    createTemplateEquality(changeContext.versions),
  );
}

function evaluateSystemObject(comparison: ObjectComparison, system: RolloutSystem, changeContext: ChangeContext): ObjectEffect {
  const { old, result, differences } = comparison;
  const mayBeCaused =
    changeContext.changedContext.length > 0 ||
    (isFleetYaml(result) && changeContext.contentOf(comparison.next).length > 0) ||
    isTemplateChanged(system, comparison, changeContext);
  const effects = differences.length > 0 || mayBeCaused ? computeSystemEffects(comparison, system, changeContext) : [];
  const refusal = effects.find((one) => one.refusal)?.refusal;
  const rejection = refusal ?? (differences.length > 0 ? findSystemRejection(system, result, changeContext.newContext) : undefined);
  if (rejection) return buildRejectedEffect(comparison, rejection);
  if (comparison.isReplaced) return buildObjectEffect(comparison, { effect: 'replace' });
  if (typeof system.effects === 'string') return evaluatePlainObject(comparison, changeContext);
  if (differences.length === 0 && !mayBeCaused) return buildObjectEffect(comparison, { effect: 'none', pods: new Map() });
  const content = isFleetYaml(result) ? changeContext.contentOf(comparison.next) : [];
  if (content.length > 0 && effects.every((one) => one.effect !== 'held')) {
    return buildObjectEffect(comparison, { effect: 'roll', causedBy: content, pods: new Map([['', { rolls: true }]]) });
  }
  const clusters = effects.flatMap((one) => one.clusters ?? []);
  const isSame = differences.length === 0 || effects.some((one) => one.isTakenBack);
  const own: ApplyEffect = isSame ? 'none' : hasChangesBeyondMetadata(comparison) ? 'settings' : 'metadata';
  const isUnknown = effects.some((one) => one.effect === 'unknown');
  const effect = isUnknown ? 'unknown' : pickDominantEffect([own, ...effects.map((one) => one.effect)]);
  const causes = new Set(effects.flatMap(({ causedBy = [] }) => causedBy.filter(changeContext.isChanged)));
  const systemState = effects.find((one) => one.standing)?.standing;
  const until = effect === 'held' ? effects.find((one) => one.heldUntil !== undefined)?.heldUntil : undefined;
  const temporaryPods = effects.reduce((sum, one) => sum + (one.temporaryPods ?? 0), 0);
  const podsBefore = effects.every(({ replicas }) => replicas) ? effects.reduce((sum, { replicas }) => sum + replicas!.old, 0) : undefined;
  return buildObjectEffect(comparison, {
    effect,
    ...(until !== undefined && { heldUntil: until }),
    causedBy: [...causes],
    ...(clusters.length > 0 && { clusters }),
    effects: new Map(effects.map((one) => [one.component ?? '', one.effect])),
    findings: new Map(effects.map((one) => [one.component ?? '', one.findings ?? []])),
    pods: new Map(
      effects.map((one) => {
        const { component = '', effect: each, replicas, start: initialState } = one;
        const before = { object: old!.manifest, context: changeContext.oldContext };
        const running = listPodCountsBefore(one, system, before);
        const unaffected = listUnaffectedPodSets(one, system, before);
        const oldTemplates = listOldTemplates(one, system, before);
        return [
          component,
          {
            rolls: (each === 'roll' || each === 'roll-and-scale') && one.hasUnknownRows !== true,
            ...(replicas && { replicas: replicas.next }),
            ...(each === 'roll' && initialState && { start: initialState }),
            ...(replicas &&
              each === 'roll-and-scale' && {
                start: initialState ?? { before: replicas.old, replicaSets: [buildOldReplicaSet(replicas.old)] },
              }),
            ...(running && { running }),
            ...(unaffected && { goOn: unaffected }),
            ...(oldTemplates && { oldTemplates }),
          },
        ];
      }),
    ),
    ...(podsBefore !== undefined && effects.length > 0 && { podsBefore }),
    ...(temporaryPods > 0 && { temporaryPods }),
    ...(systemState && { start: systemState }),
  });
}

function buildOldReplicaSet(size: number) {
  return { isNew: false, size, available: size, desired: size };
}

/** Evaluates what an apply does to an object. Evaluate ConfigMaps and Secrets last: a workload that rolls needs no restart. */
export function evaluateObjectEffect(
  comparison: ObjectComparison,
  changeContext: ChangeContext,
  rolled: ReadonlySet<Manifest>,
): ObjectEffect {
  const { next, old, refusal, hook } = comparison;
  if (hook && !refusal) return buildObjectEffect(comparison, { effect: 'hook' });
  if (!old) {
    const effect = changeContext.isUnread(next) ? 'unknown' : 'create';
    return buildObjectEffect(comparison, refusal ? { effect: 'refused', because: [], pods: new Map() } : { effect });
  }
  if (refusal)
    return buildObjectEffect(comparison, {
      effect: 'refused',
      because: comparison.rejectedChanges ?? [],
      ...getUnchangedPods(comparison, changeContext),
    });
  const name = workloadNameOf(next);
  if (name && !isClaimed(next, changeContext.newContext, SYSTEMS)) return evaluateWorkload(name, comparison, changeContext);
  if (isConfigObject(next)) return evaluateConfig(comparison, changeContext, rolled);
  const system = systemOf(next, changeContext.newContext);
  return system ? evaluateSystemObject(comparison, system, changeContext) : evaluatePlainObject(comparison, changeContext);
}

/** Returns the unchanged pods of a refused workload. */
function getUnchangedPods({ old, next }: ObjectComparison, changeContext: ChangeContext): Partial<ObjectEffect> {
  const kind = workloadKindOf(next);
  if (!kind || kind.traits.onePerNode) return {};
  const { manifest, isLive, stored } = old!;
  const replicas = isLive ? getStoredReplicas(stored) : resolveDesiredReplicas(kind, manifest, changeContext.oldContext);
  return { pods: new Map([['', { rolls: false, replicas }]]), podsBefore: replicas };
}
