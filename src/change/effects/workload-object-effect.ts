import { isFieldKept } from '../../appliers/kept-fields';
import type { ApplyEffect } from '../../core/document/change';
import { isFields, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { InitialRolloutState } from '../../core/document/initial-state';
import type { PlanContext } from '../../cluster/context/context';
import type { PodChangeInput } from '../../cluster/rollout/initial-state';
import { getWorkloadKind } from '../../workloads/kinds';
import type { WorkloadName } from '../../workloads/kinds';
import type { RolloutKind } from '../../workloads/rollout-kind';
import { clampReplicas, replicasOf, findAutoscaler, resolveDesiredReplicas } from '../../workloads/replicas';
import { compareOrdinals, countMovedPods } from '../compare/moved-ordinals';
import { hasSpecField } from '../compare/object-comparison';
import type { ObjectComparison } from '../compare/object-comparison';
import { findPodsUnblockedByQuota } from './quota-increases';
import type { QuotaBlockedPods } from './quota-increases';
import { mayRollBack } from './deprecated-rollback';
import { isTemplateEqual } from '../apiserver/template-equality';
import { describeBlockedUntil, getStoredReplicas, determineWorkloadEffect } from './workload-effect';
import { INITIAL_STATE_BY_KIND } from '../initial-state/initial-state-by-kind';
import type { WorkloadInitialState } from '../initial-state/workload-initial-state';
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

/** What decides how the pods of a workload change. */
interface ChangedWorkload {
  readonly replicas: ReplicaChange;
  readonly onePerNode: boolean;
  /** Number of nodes with a pod of a DaemonSet. @default - it is not known */
  readonly nodes: number | undefined;
  readonly rolls: boolean;
  readonly isLive: boolean;
  readonly initialState: WorkloadInitialState;
  readonly oldTemplate: unknown;
}

/** Describes the pods of a workload before and after an apply. */
function describeChangedPods({ replicas, onePerNode, nodes, rolls, isLive, initialState, oldTemplate }: ChangedWorkload): PodChangeInput {
  const { rolloutState, startingPoint } = initialState;
  const byStatus = onePerNode && nodes === undefined && rolloutState.replicas > 0;
  const existing = isLive ? countExistingPods(rolloutState) : replicas.old;
  return {
    rolls,
    ...(!onePerNode && { replicas: replicas.next }),
    ...(byStatus && { replicas: rolloutState.replicas }),
    ...(rolls && { start: startingPoint, ...(isFields(oldTemplate) && { oldTemplates: [oldTemplate] }) }),
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
  const { old, result } = comparison;
  const { versions, owned, upgrade } = changeContext;
  const written = (upgrade?.compareWritten(old!.manifest) ?? []).filter(({ replacesPods }) => replacesPods);
  if (mayRollBack(comparison.result)) return buildObjectEffect(comparison, { effect: 'unknown' });
  const unchanged = written.length === 0 ? evaluateUnchangedWorkload(name, comparison, changeContext) : undefined;
  if (unchanged) return unchanged;
  const stored = comparison.stored ?? old!.stored;
  const kind = getWorkloadKind(name);
  const replicas = resolveReplicas(comparison, kind, changeContext);
  const [before, template] = [old!.stored, stored].map((object) => getValueAt(object, 'spec', 'template'));
  const isSameTemplate =
    written.length === 0 &&
    (!comparison.differences.some(({ path }) => path.startsWith('spec.template')) || isTemplateEqual(name, before, template, versions));
  const { manifest, stored: oldStored, isLive } = old!;
  const query = { name, manifest, stored: oldStored, template, isSameTemplate, replicas: replicas.old, isLive, owned, versions };
  const initialState = INITIAL_STATE_BY_KIND[name](query);
  const { onePerNode = false } = kind.traits;
  const nodes = onePerNode ? countNodes(result, kind, changeContext.newContext) : undefined;
  const oldNodes = nodes === undefined || isSameTemplate ? undefined : countNodes(old!.stored, kind, changeContext.newContext);
  const leftNodes = Math.max(0, (oldNodes ?? 0) - (nodes ?? 0));
  const effect = comparison.isReplaced
    ? 'replace'
    : determineWorkloadEffect(
        { kind, old: old!.stored, next: stored, replicas, initialState, isLive, isSameTemplate, ...(nodes !== undefined && { nodes }) },
        comparison.differences,
      );
  const mayWait = isLive && !onePerNode && EFFECTS_WITHOUT_PODS.has(effect) && initialState.rolloutState.revisions.length <= 1;
  const waiting = mayWait
    ? findPodsUnblockedByQuota(old!.manifest, replicas.next, changeContext.raisedQuotas, changeContext.oldContext)
    : undefined;
  if (waiting) return evaluateQuotaBlockedWorkload(comparison, waiting, replicas.next, initialState.rolloutState);
  const ordinals =
    name === 'StatefulSet' ? compareOrdinals(old!.stored, stored, { before: replicas.old, after: replicas.next }) : undefined;
  const movedPods = ordinals ? countMovedPods(ordinals) : 0;
  const rolls = effect === 'roll' || effect === 'roll-and-scale';
  const { replicaSets = [] } = initialState.startingPoint;
  if (isLive && (rolls || effect === 'scale')) {
    const blocking = findBlockingReplicas(stored, replicas.next, replicaSets);
    if (blocking !== undefined)
      return evaluateBlockedScale(comparison, { before: blocking, after: replicas.next }, initialState.rolloutState);
    const pausedPods = effect === 'scale' ? countPausedPods(stored, replicas.next, replicaSets) : undefined;
    if (pausedPods !== undefined) return evaluatePausedScale(comparison, pausedPods, replicas.causedBy, initialState.rolloutState);
  }
  const changed = describeChangedPods({ replicas, onePerNode, nodes, rolls, isLive, initialState, oldTemplate: before });
  const newConfigs = rolls ? listNewConfigsOf(result, changeContext) : [];
  return buildObjectEffect(comparison, {
    effect: movedPods > 0 && EFFECTS_WITHOUT_PODS.has(effect) ? 'scale' : effect,
    ...(movedPods > 0 && { movedPods }),
    ...(written.length > 0 && { because: [...written.flatMap(({ because }) => because), ...comparison.differences] }),
    causedBy: [...(effect === 'scale' || effect === 'roll-and-scale' ? replicas.causedBy : []), ...newConfigs],
    pods: new Map([['', changed]]),
    ...(leftNodes > 0 && { leftNodes }),
    podsBefore: onePerNode ? (nodes ?? initialState.rolloutState.replicas) + leftNodes : replicas.old,
    ...(effect === 'held' && { heldUntil: describeBlockedUntil({ kind, next: stored, replicas, ...(nodes !== undefined && { nodes }) }) }),
    ...(rolls && initialState.waitsPerhapsFor !== undefined && { waitsPerhapsFor: initialState.waitsPerhapsFor }),
    ...(rolls && initialState.unreadyPods !== undefined && { unreadyPods: initialState.unreadyPods }),
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
  // A refused pod does not exist, although the ReplicaSet desires it.
  const revisions = initialState.revisions.map((one) => ({ ...one, replicas: Math.min(one.replicas, existing) }));
  return buildObjectEffect(comparison, {
    effect: 'scale',
    causedBy,
    pods: new Map([['', { rolls: false, replicas: desired, running: [existing] }]]),
    podsBefore: existing,
    start: { ...initialState, revisions },
  });
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
