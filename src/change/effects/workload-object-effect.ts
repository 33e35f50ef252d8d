import { isFieldKept } from '../../appliers/kept-fields';
import type { ApplyEffect } from '../../core/document/change';
import { isFields, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { InitialRolloutState } from '../../core/document/initial-state';
import { planCacheOf } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import { nodePoolsOf } from '../../cluster/capacity/input-nodes';
import type { PodChangeInput } from '../../cluster/rollout/initial-state';
import { getWorkloadKind } from '../../workloads/kinds';
import type { WorkloadName } from '../../workloads/kinds';
import { countNodesOnlyOf } from '../../workloads/daemonset/nodes';
import type { RolloutKind } from '../../workloads/rollout-kind';
import { clampReplicas, replicasOf, findAutoscaler, resolveDesiredReplicas } from '../../workloads/replicas';
import { compareOrdinals, countMovedPods } from '../compare/moved-ordinals';
import { hasSpecField } from '../compare/object-comparison';
import type { ObjectComparison } from '../compare/object-comparison';
import { findPodsUnblockedByQuota } from './quota-increases';
import type { WrittenDifference } from './operator-upgrade';
import { mayRollBack } from './deprecated-rollback';
import { isTemplateEqual } from '../apiserver/template-equality';
import { describeBlockedUntil, getStoredReplicas, determineWorkloadEffect } from './workload-effect';
import type { ChangedWorkload } from './workload-effect';
import type { WorkloadInitialState } from '../initial-state/workload-initial-state';
import { INITIAL_STATE_BY_KIND } from '../initial-state/initial-state-by-kind';
import { checkRecreateBlocked } from '../rules/recreate-blocked';
import { countPausedPods, findBlockingReplicas } from './unfinished-rollout';
import { buildObjectEffect } from './object-effect';
import type { ObjectEffect, ChangeContext } from './object-effect';

interface ReplicaChange {
  readonly old: number;
  readonly next: number;
  readonly causedBy: readonly Manifest[];
}

/** Resolves the desired pods before and after: from the object, the live object, and an autoscaler whose bounds exclude that number. */
function resolveReplicas(
  { old, next, result, stored, isReplaced, applied }: ObjectComparison,
  kind: RolloutKind,
  changeContext: ChangeContext,
): ReplicaChange {
  const { manifest, isLive } = old!;
  const autoscaler = findAutoscaler(kind, next, changeContext.newContext);
  const desired = isLive ? getStoredReplicas(old!.stored) : resolveDesiredReplicas(kind, manifest, changeContext.oldContext);
  // Without the autoscaler, the apply brings back the number of the manifest.
  const keepsReplicas = isFieldKept(next, ['spec', 'replicas'], applied.source?.keptFields ?? []);
  const lost = isLive || autoscaler || keepsReplicas ? undefined : findAutoscaler(kind, manifest, changeContext.oldContext);
  const before = lost ? clampReplicas(desired, lost) : desired;
  const isNamed = hasSpecField(manifest, 'replicas') || hasSpecField(next, 'replicas');
  // A deleted autoscaler leaves the number that it wrote last.
  const unnamed = isReplaced || applied.applier.method === 'replace' ? replicasOf(result, autoscaler) : before;
  const own = isNamed || isLive ? getStoredReplicas(stored ?? old!.stored) : unnamed;
  const causes = changeContext.changedAutoscalersOf(result);
  const isOwnChange = isNamed && own !== before;
  if (causes.length === 0 || !autoscaler || isOwnChange) return { old: before, next: own, causedBy: [] };
  const after = clampReplicas(before, autoscaler);
  return { old: before, next: after, causedBy: after === before ? [] : causes };
}

/** Fast path: an unchanged manifest with no changed autoscaler has effect `none`. */
function evaluateUnchangedWorkload(
  name: WorkloadName,
  comparison: ObjectComparison,
  { hasChangedAutoscalers, oldContext }: ChangeContext,
): ObjectEffect | undefined {
  const { next, old, differences, isReplaced } = comparison;
  const isSame = differences.length === 0 && !isReplaced && !old!.isLive && next === comparison.result && !hasChangedAutoscalers;
  const isPaused = getValueAt(next, 'spec', 'paused') === true;
  const replicas = getValueAt(next, 'spec', 'replicas');
  if (!isSame || isPaused || typeof replicas !== 'number' || getWorkloadKind(name).traits.onePerNode) return undefined;
  const autoscaler = findAutoscaler(getWorkloadKind(name), old!.manifest, oldContext);
  if (autoscaler && clampReplicas(replicas, autoscaler) !== replicas) return undefined;
  const revisions = replicas === 0 ? [] : [{ replicas, available: replicas }];
  return buildObjectEffect(comparison, {
    effect: 'none',
    pods: new Map([['', { rolls: false, replicas }]]),
    podsBefore: replicas,
    start: { replicas, revisions, underWay: false },
  });
}

/** A workload on both sides, and what the apply does to it. */
interface EvaluatedWorkload extends ChangedWorkload {
  readonly replicas: ReplicaChange;
  /** What another version of the operator writes so that pods are replaced. Empty unless an operator is upgraded. */
  readonly written: readonly WrittenDifference[];
  readonly effect: ApplyEffect;
  readonly rolls: boolean;
  /** Nodes that a DaemonSet leaves with its pods. */
  readonly leftNodes: number;
  /** Pods of a StatefulSet that get other ordinals. */
  readonly movedPods: number;
}

/** Counts the nodes that the new template of a DaemonSet accepts and the old one does not. */
function countAddedNodes(old: Manifest, next: Manifest, kind: RolloutKind, context: PlanContext): number {
  const [before, after] = [old, next].map((object) => ({ replicas: 0, ...buildTemplatePods(object, kind) }));
  return countNodesOnlyOf(after!, before!, nodePoolsOf(context), planCacheOf(context));
}

/** Adds nodes without a pod: the controller creates pods there at once, and deletes those on the nodes that it leaves. */
function withAddedNodes(initialState: WorkloadInitialState, addedNodes: number): WorkloadInitialState {
  if (addedNodes === 0) return initialState;
  const { startingPoint } = initialState;
  return { ...initialState, startingPoint: { ...startingPoint, missing: (startingPoint.missing ?? 0) + addedNodes } };
}

/** Compares a workload before and after an apply, and determines its effect. */
function compareWorkload(
  name: WorkloadName,
  comparison: ObjectComparison,
  written: readonly WrittenDifference[],
  changeContext: ChangeContext,
): EvaluatedWorkload {
  const { result, differences, isReplaced } = comparison;
  const { versions, owned, newContext } = changeContext;
  const { manifest, stored: old, isLive } = comparison.old!;
  const next = comparison.stored ?? old;
  const kind = getWorkloadKind(name);
  const replicas = resolveReplicas(comparison, kind, changeContext);
  const [oldTemplate, template] = [old, next].map((object) => getValueAt(object, 'spec', 'template'));
  const isSameTemplate =
    written.length === 0 &&
    (!differences.some(({ path }) => path.startsWith('spec.template')) || isTemplateEqual(name, oldTemplate, template, versions));
  const query = { name, manifest, stored: old, template, isSameTemplate, replicas: replicas.old, isLive, owned, versions };
  const nodes = kind.traits.onePerNode ? countNodes(result, kind, newContext) : undefined;
  const oldNodes = nodes === undefined || isSameTemplate ? undefined : countNodes(old, kind, newContext);
  const addedNodes = oldNodes === undefined ? 0 : countAddedNodes(old, result, kind, newContext);
  const initialState = withAddedNodes(INITIAL_STATE_BY_KIND[name](query), addedNodes);
  const changed = { kind, old, next, replicas, initialState, isLive, isSameTemplate, ...(nodes !== undefined && { nodes }) };
  const effect = isReplaced ? 'replace' : determineWorkloadEffect(changed, differences);
  const ordinals = name === 'StatefulSet' ? compareOrdinals(old, next, { before: replicas.old, after: replicas.next }) : undefined;
  return {
    ...changed,
    written,
    effect,
    rolls: effect === 'roll' || effect === 'roll-and-scale',
    leftNodes: Math.max(0, (oldNodes ?? 0) - (nodes ?? 0)),
    movedPods: ordinals ? countMovedPods(ordinals) : 0,
  };
}

/**
 * Reports whether the controller adds pods of the new template to a workload whose change is held. A paused Deployment resizes its ReplicaSets, and
 * a StatefulSet creates pods below its partition from the current revision. Sources: k/k pkg/controller/deployment/sync.go (`scale`),
 * statefulset/stateful_set_utils.go (`newVersionedStatefulSetPod`).
 */
function addsNewPodsWhileHeld({ next }: EvaluatedWorkload): boolean {
  return getValueAt(next, 'spec', 'updateStrategy', 'type') === 'OnDelete';
}

/** Describes the pods of a workload before and after an apply. */
function describeChangedPods(workload: EvaluatedWorkload): PodChangeInput {
  const { kind, old, replicas, nodes, effect, rolls, isLive, initialState } = workload;
  const { rolloutState, startingPoint } = initialState;
  const { onePerNode = false } = kind.traits;
  const oldTemplate = getValueAt(old, 'spec', 'template');
  const byStatus = onePerNode && nodes === undefined && rolloutState.replicas > 0;
  const existing = isLive ? countExistingPods(rolloutState) : replicas.old;
  return {
    rolls,
    ...(!onePerNode && { replicas: replicas.next }),
    ...(byStatus && { replicas: rolloutState.replicas }),
    ...(rolls && { start: startingPoint }),
    ...((rolls || effect === 'held') && isFields(oldTemplate) && { oldTemplates: [oldTemplate] }),
    ...(effect === 'held' && { addsNewPods: addsNewPodsWhileHeld(workload) }),
    // A rollout that has not finished has more pods than its replicas, or fewer if some were refused.
    ...((replicas.old !== replicas.next || (rolls && !onePerNode && existing !== replicas.next)) && { running: [existing] }),
  };
}

/** Lists the new ConfigMaps and Secrets that the pods of a workload read. */
function listNewConfigsOf(workload: Manifest, { consumers, newConfigs }: ChangeContext): Manifest[] {
  return [...newConfigs].filter((config) => consumers.consumersOf(config).some(({ object }) => object === workload));
}

/** Evaluates a workload: whether its pods are replaced, how many there are, and from which state the rollout starts. */
export function evaluateWorkload(name: WorkloadName, comparison: ObjectComparison, changeContext: ChangeContext): ObjectEffect {
  const written = (changeContext.upgrade?.compareWritten(comparison.old!.manifest) ?? []).filter(({ replacesPods }) => replacesPods);
  if (mayRollBack(comparison.result)) return buildObjectEffect(comparison, { effect: 'unknown' });
  const unchanged = written.length === 0 ? evaluateUnchangedWorkload(name, comparison, changeContext) : undefined;
  if (unchanged) return unchanged;
  const workload = compareWorkload(name, comparison, written, changeContext);
  return (
    evaluateQuotaBlockedWorkload(comparison, workload, changeContext) ??
    evaluateUnfinishedScale(comparison, workload) ??
    buildWorkloadEffect(comparison, workload, changeContext)
  );
}

/** Builds the effect on a workload that neither a raised quota nor an unfinished rollout decides. */
function buildWorkloadEffect(comparison: ObjectComparison, workload: EvaluatedWorkload, changeContext: ChangeContext): ObjectEffect {
  const { kind, replicas, written, effect, rolls, nodes, leftNodes, movedPods } = workload;
  const { rolloutState, waitsPerhapsFor, unreadyPods } = workload.initialState;
  const { onePerNode = false } = kind.traits;
  const newConfigs = rolls ? listNewConfigsOf(comparison.result, changeContext) : [];
  return buildObjectEffect(comparison, {
    effect: movedPods > 0 && EFFECTS_WITHOUT_PODS.has(effect) ? 'scale' : effect,
    ...(movedPods > 0 && { movedPods }),
    ...(written.length > 0 && { because: [...written.flatMap(({ because }) => because), ...comparison.differences] }),
    causedBy: [...(effect === 'scale' || effect === 'roll-and-scale' ? replicas.causedBy : []), ...newConfigs],
    pods: new Map([['', describeChangedPods(workload)]]),
    ...(leftNodes > 0 && { leftNodes }),
    podsBefore: onePerNode ? (nodes ?? rolloutState.replicas) + leftNodes : replicas.old,
    ...(effect === 'held' && { heldUntil: describeBlockedUntil(workload) }),
    ...(rolls && waitsPerhapsFor !== undefined && { waitsPerhapsFor }),
    ...(rolls && unreadyPods !== undefined && { unreadyPods }),
    start: onePerNode && rolloutState.replicas === 0 && nodes !== undefined ? buildStateAtRest(nodes) : rolloutState,
  });
}

const EFFECTS_WITHOUT_PODS: ReadonlySet<ApplyEffect> = new Set(['none', 'metadata', 'settings']);

/** Evaluates a workload that gets the pods that a quota refused until now. Returns undefined for any other workload. */
function evaluateQuotaBlockedWorkload(
  comparison: ObjectComparison,
  { kind, replicas, effect, isLive, initialState: { rolloutState } }: EvaluatedWorkload,
  { raisedQuotas, oldContext }: ChangeContext,
): ObjectEffect | undefined {
  const mayWait = isLive && !kind.traits.onePerNode && EFFECTS_WITHOUT_PODS.has(effect) && rolloutState.revisions.length <= 1;
  const waiting = mayWait ? findPodsUnblockedByQuota(comparison.old!.manifest, replicas.next, raisedQuotas, oldContext) : undefined;
  if (!waiting) return undefined;
  const { existing, causedBy } = waiting;
  // A refused pod does not exist, although the ReplicaSet desires it.
  const revisions = rolloutState.revisions.map((one) => ({ ...one, replicas: Math.min(one.replicas, existing) }));
  return buildObjectEffect(comparison, {
    effect: 'scale',
    causedBy,
    pods: new Map([['', { rolls: false, replicas: replicas.next, running: [existing] }]]),
    podsBefore: existing,
    start: { ...rolloutState, revisions },
  });
}

/** Evaluates a Deployment whose unfinished rollout decides what another number of pods does. Returns undefined for any other workload. */
function evaluateUnfinishedScale(
  comparison: ObjectComparison,
  { next, replicas, effect, rolls, isLive, initialState: { rolloutState, startingPoint } }: EvaluatedWorkload,
): ObjectEffect | undefined {
  const { replicaSets = [] } = startingPoint;
  if (!isLive || !(rolls || effect === 'scale')) return undefined;
  const blocking = findBlockingReplicas(next, replicas.next, replicaSets);
  if (blocking !== undefined) return evaluateBlockedScale(comparison, { before: blocking, after: replicas.next }, rolloutState);
  const pausedPods = effect === 'scale' ? countPausedPods(next, replicas.next, replicaSets) : undefined;
  return pausedPods === undefined ? undefined : evaluatePausedScale(comparison, pausedPods, replicas.causedBy, rolloutState);
}

/** Evaluates a Deployment whose controller does nothing until its former number of pods is restored. */
function evaluateBlockedScale(
  comparison: ObjectComparison,
  numbers: { readonly before: number; readonly after: number },
  initialState: InitialRolloutState,
): ObjectEffect {
  const existing = countExistingPods(initialState);
  return buildObjectEffect(comparison, {
    effect: 'held',
    heldUntil: `spec.replicas is ${numbers.before} again`,
    findings: new Map([['', [checkRecreateBlocked(numbers)]]]),
    pods: new Map([['', { rolls: false, replicas: existing }]]),
    podsBefore: existing,
    start: initialState,
  });
}

/** Evaluates a paused Deployment that is scaled in the middle of a rollout, which keeps the surge. */
function evaluatePausedScale(
  comparison: ObjectComparison,
  pods: number,
  causedBy: readonly Manifest[],
  initialState: InitialRolloutState,
): ObjectEffect {
  const existing = countExistingPods(initialState);
  return buildObjectEffect(comparison, {
    effect: 'scale',
    causedBy,
    pods: new Map([['', { rolls: false, replicas: pods, running: [existing] }]]),
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

/** Counts the nodes that the pods of a DaemonSet can be scheduled on; undefined if the nodes are not known. */
export function countNodes(object: Manifest, kind: RolloutKind, context: PlanContext): number | undefined {
  const pods = { name: nameOf(object), kind: object.kind, replicas: 0, ...buildTemplatePods(object, kind) };
  return kind.count(object, pods, context).initialState?.replicas;
}

function buildTemplatePods(object: Manifest, kind: RolloutKind) {
  const template = (object.spec as { template?: Record<string, unknown> } | undefined)?.template ?? {};
  const namespace = namespaceOf(object);
  return { template: kind.podTemplate(template), ...(namespace !== undefined && { namespace }) };
}
