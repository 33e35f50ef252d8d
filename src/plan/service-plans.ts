import { isDeepEqual } from '../core/deep-equal';
import { getValueAt, groupOf, nameOf, namespaceOf } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import type { Finding } from '../core/finding';
import type { PlannedRollout, ResourceRef } from '../core/rollout';
import type { ServicePlan } from '../core/service-plan';
import { MAX_LISTED_ROWS, ROWS_AT_EACH_END } from '../core/simulations/row-limit';
import type { Simulation } from '../core/simulations/simulation';
import { nodePoolsOf } from '../cluster/capacity/input-nodes';
import { listOtherPods } from '../cluster/capacity/other-pods';
import { memoizePerRun } from '../cluster/context';
import type { PlanContext } from '../cluster/context';
import { CONTEXT_KINDS } from '../cluster/context-kinds';
import { labelsOf, selectorOf } from '../cluster/services/endpoints';
import { findLostEndpoints, findPendingLoss, selectsPodsOf } from '../cluster/services/lost-endpoints';
import { hasNoPodsOfItsOwn } from '../cluster/services/kinds-without-pods';
import { isOpenLabel, mayBeSelected, mayOwnSelectedPods, toSearchableObject } from '../cluster/services/open-labels';
import type { SearchableObject } from '../cluster/services/open-labels';
import { buildReadyTimeline } from '../cluster/services/ready-pods';
import type { VersionReadiness } from '../cluster/services/ready-pods';
import { reportServiceFrozen } from '../cluster/services/rules/service-frozen';
import { checkTargetPortAhead } from '../cluster/services/rules/target-port-ahead';
import { markGrowingObjects, selectPodsOfBothVersions, selectPodsOfRole } from '../cluster/services/service-role';
import { reportPendingLoss, reportServiceWithoutEndpoints } from '../cluster/services/rules/service-without-endpoints';
import { buildServiceTimeline, isTemplateSelected } from '../cluster/services/service-plan';
import type { ServiceMember } from '../cluster/services/service-members';
import type { PodsInWave, ServicePods, ReadyBatch, ServiceVersions } from '../cluster/services/service-plan';
import { explainNotPlanned } from '../cluster/unplanned-kinds';
import { podSetsOf } from '../cluster/workload';
import type { ClusterPods, PodSet, SystemRollout } from '../cluster/workload';
import type { AppliedChange, RolloutWithObject } from './plan-input';
import type { UnitRollout } from './plan-objects';
import { systemOf } from './registry';
import { deduplicateResources, resourceOf } from './resource-refs';
import { addRoutes, checkBackends, groupBackends, listCreatedServices, listRoutes, serviceKeyOf, versionsOf } from './route-backends';
import { planRoutedServices } from './routed-services';
import { checkService } from './service-checks';

/** Pods of an object over time, and what is not known of them. */
interface ObjectPods extends ServicePods {
  /** Whether its controller adds labels that no manifest shows. */
  readonly isOpen: boolean;
  /** Whether the number of its pods is not known, and no pod may be running. */
  readonly isUncounted: boolean;
  /** Its pods after the apply, also those of a template without replicas. */
  readonly members: readonly ServiceMember[];
  /** Services whose selector its controller restricts to one version. @default - none */
  readonly serviceRoles?: SystemRollout['serviceRoles'];
}

/** Systems whose pods have the labels of their template and those that `open-labels.ts` lists. The controllers of others add further ones. */
const SYSTEMS_WITH_TEMPLATE_LABELS: ReadonlySet<string> = new Set(['kubernetes', 'argo-rollouts', 'lws']);

/** Systems whose objects show neither the template nor the labels of their pods. */
const SYSTEMS_WITHOUT_TEMPLATES: ReadonlySet<string> = new Set(['baw']);

function toBatch(template: Fields, { ready, total }: VersionReadiness, isNew: boolean): ReadyBatch[] {
  return total === 0 && ready === 0 ? [] : [{ template, ready, total, isNew }];
}

function toReadyBatch(template: Fields, pods: number, isNew: boolean): ReadyBatch[] {
  return toBatch(template, { ready: pods, total: pods }, isNew);
}

/** Returns the pods of a set in each unit of its simulation: 1, or those of a group. The unit of a RayService is a cluster. */
function podsPerUnit(podSet: PodSet, simulation: Simulation): number {
  if (simulation.kind === 'rayservice') return podSet.replicas;
  const perGroup = getValueAt(podSet, 'perGroup');
  return typeof perGroup === 'number' ? perGroup : 1;
}

/** Returns the role of each pod set. Only the sets of a DisaggregatedSet belong to several: each role has the sets of one group. */
function rolesOf(podSets: readonly PodSet[], simulation: Simulation): number[] {
  if (simulation.kind !== 'disaggregatedset') return podSets.map(() => 0);
  let role = 0;
  let left = simulation.roles[0]?.size ?? 0;
  return podSets.map((podSet) => {
    if (left <= 0) left = simulation.roles[++role]?.size ?? Infinity;
    left -= podsPerUnit(podSet, simulation);
    return role;
  });
}

function multiply({ ready, total }: VersionReadiness, factor: number): VersionReadiness {
  return { ready: ready * factor, total: total * factor };
}

/** Pods of one set, before and after an apply. */
interface SetChange {
  readonly podSet: PodSet;
  readonly oldTemplate: Fields;
  readonly before: number;
}

type Moments = Pick<ServicePods, 'before' | 'waves' | 'after'>;

function mergeMoments(all: readonly Moments[]): Moments {
  const [first] = all;
  if (first && all.length === 1) return first;
  const longest = all.reduce<readonly PodsInWave[]>((most, { waves }) => (waves.length > most.length ? waves : most), []);
  return {
    before: all.flatMap(({ before }) => before),
    waves: longest.map((wave, index) => ({ ...wave, pods: all.flatMap(({ waves, after }) => waves[index]?.pods ?? after) })),
    after: all.flatMap(({ after }) => after),
  };
}

/** Returns the pods of sets whose template a rollout replaces; undefined if nothing rolls out. */
function buildRollingMoments(sets: readonly SetChange[], simulation: Simulation, isDelayed: boolean): Moments | undefined {
  const roles = rolesOf(
    sets.map(({ podSet }) => podSet),
    simulation,
  );
  const moments = sets.map(({ podSet, oldTemplate, before }, index): Moments | undefined => {
    const timeline = buildReadyTimeline(simulation, roles[index]);
    if (!timeline) return undefined;
    const factor = podsPerUnit(podSet, simulation);
    const toPods = (pods: { readonly old: VersionReadiness; readonly new: VersionReadiness }) => [
      ...toBatch(oldTemplate, multiply(pods.old, factor), false),
      ...toBatch(podSet.template, multiply(pods.new, factor), true),
    ];
    return {
      before: toReadyBatch(oldTemplate, before, false),
      waves: timeline.waves.flatMap((wave): PodsInWave[] => {
        const { old, new: fresh } = wave;
        const row = { wave: wave.wave, pods: toPods(wave), ...(wave.routedShare !== undefined && { routedShare: wave.routedShare }) };
        if (!isDelayed || fresh.ready === fresh.total) return [row];
        const ready = toPods({ old, new: { ready: fresh.total, total: fresh.total } });
        return [row, { wave: wave.wave, pods: ready, isBeforeAvailable: true }];
      }),
      after: toPods(timeline.after),
    };
  });
  return moments.some((one) => one === undefined) ? undefined : mergeMoments(moments as readonly Moments[]);
}

/** Reports whether a controller starts the pods of an object one after another. */
function isOrdered(object: Manifest): boolean {
  const isStatefulSet = object.kind === 'StatefulSet' && groupOf(object) === 'apps';
  return isStatefulSet && getValueAt(object, 'spec', 'podManagementPolicy') !== 'Parallel';
}

/** Returns the waves in which pods become ready, in order: `[3, 4]` for the pods from 3 to 5 of a StatefulSet, `[3]` of a Deployment. */
function listReadyCounts(from: number, to: number, ordered: boolean): number[] {
  if (!ordered || to - from <= 1) return [from];
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** Keeps the first and last waves of many. */
function limitWaves<T>(waves: readonly T[]): T[] {
  return waves.length <= MAX_LISTED_ROWS ? [...waves] : [...waves.slice(0, ROWS_AT_EACH_END), ...waves.slice(-ROWS_AT_EACH_END)];
}

/**
 * Returns the waves in which pods are added to an object. Those of a wave are ready in the next one.
 *
 * 3 pods of a new StatefulSet are 1, 2 and 3 pods, and 0, 1 and 2 of them are ready.
 */
function buildAddedWaves(template: Fields, { from, to, isNew, ordered }: AddedPods): PodsInWave[] {
  const waves = listReadyCounts(from, to, ordered).map((ready, index) => ({
    wave: index + 1,
    pods: toBatch(template, { ready, total: ordered ? Math.min(to, ready + 1) : to }, isNew),
  }));
  return limitWaves(waves);
}

/** Adds the moment at which all pods that were added are ready. */
function withLastWave(waves: readonly PodsInWave[], after: readonly ReadyBatch[]): PodsInWave[] {
  return [...waves, { wave: (waves.at(-1)?.wave ?? 0) + 1, pods: after }];
}

/** Pods that are added without replacing others. */
interface AddedPods {
  readonly from: number;
  readonly to: number;
  readonly isNew: boolean;
  /** Whether they start one after another. */
  readonly ordered: boolean;
}

/** Returns the pods of an object that is new, or deleted and created again: none is ready in the first wave. */
function buildCreatedMoments(sets: readonly SetChange[], before: readonly ReadyBatch[], ordered: boolean): Moments {
  const moments = sets.map(({ podSet: { template, replicas } }): Moments => {
    const after = toReadyBatch(template, replicas, true);
    return { before: [], waves: withLastWave(buildAddedWaves(template, { from: 0, to: replicas, isNew: true, ordered }), after), after };
  });
  return { ...mergeMoments(moments), before };
}

/**
 * Returns the pods of an object whose pods are not replaced. Pods that are added are not ready in the first wave, and those that are removed
 * go at once. Only an object without pods gets those of its new template.
 */
function buildScaledMoments(sets: readonly SetChange[], isHeld: boolean, ordered: boolean): Moments {
  return mergeMoments(
    sets.map(({ podSet, oldTemplate, before }): Moments => {
      const isNew = before === 0 && !isHeld && !isDeepEqual(podSet.template, oldTemplate);
      const template = isNew ? podSet.template : oldTemplate;
      const { replicas } = podSet;
      const emptied = before > 0 && replicas === 0 ? [{ wave: 1, pods: [] }] : [];
      const after = toReadyBatch(template, replicas, isNew);
      return {
        before: toReadyBatch(oldTemplate, before, false),
        waves: replicas > before ? withLastWave(buildAddedWaves(template, { from: before, to: replicas, isNew, ordered }), after) : emptied,
        after,
      };
    }),
  );
}

/** Returns the ready pods of one of two clusters: a share of those before, rounded up. */
function shareOf(before: number, part: number, whole: number): number {
  return whole === 0 ? 0 : Math.ceil((before * part) / whole);
}

/**
 * Returns the pods of a cluster that a second one replaces, for each row of the upgrade and for the last moment, when the old cluster is deleted.
 * Pods that a row adds are ready in the next one.
 *
 * A capacity of 50 percent leaves 1 head and 2 workers of a cluster with 1 head and 4 workers.
 */
function buildClusterMoments(sets: readonly SetChange[], { rows, oldRows }: ClusterPods, simulation: Simulation): Moments | undefined {
  if (simulation.kind !== 'rayservice' || simulation.outcome === 'none') return undefined;
  const listed = limitWaves(simulation.steps.map((_, row) => row));
  const isDone = simulation.outcome === 'promoted';
  const toPods = ({ podSet, oldTemplate, before }: SetChange, set: number, row: number): ReadyBatch[] => {
    const newAt = (at: number) => (at < 0 ? 0 : rows[at]![set]! - oldRows[at]![set]!);
    const old = shareOf(before, oldRows[row]![set]!, podSet.replicas);
    const total = newAt(row);
    return [...toReadyBatch(oldTemplate, old, false), ...toBatch(podSet.template, { ready: Math.min(newAt(row - 1), total), total }, true)];
  };
  const podsAt = (row: number) => sets.flatMap((set, index) => toPods(set, index, row));
  const promoted = sets.flatMap(({ podSet }) => toReadyBatch(podSet.template, podSet.replicas, true));
  const last = simulation.steps.length - 1;
  return {
    before: sets.flatMap(({ oldTemplate, before }) => toReadyBatch(oldTemplate, before, false)),
    waves: [
      ...listed.map((row) => ({ wave: row + 1, pods: podsAt(row), routedShare: simulation.steps[row]!.pendingTraffic / 100 })),
      ...(isDone ? [{ wave: last + 2, pods: promoted, routedShare: 1 }] : []),
    ],
    after: isDone ? promoted : podsAt(last),
  };
}

type FatedMoments = Moments & Pick<ServicePods, 'fate' | 'isDeletedLast'>;

/** Returns the pods of an object that is deleted: at once, or once all rollouts are done. */
function buildDeletedMoments(podSets: readonly PodSet[], isLast: boolean): FatedMoments {
  const before = podSets.flatMap(({ template, replicas }) => toReadyBatch(template, replicas, false));
  return { fate: 'deleted', before, waves: isLast ? [] : [{ wave: 1, pods: [] }], after: [], ...(isLast && { isDeletedLast: true }) };
}

/** Reports whether the pods of a set are those of nodes that are not known. */
function hasUnknownNodes({ onePerNode, replicas }: PodSet, context: PlanContext): boolean {
  return onePerNode === true && replicas === 0 && nodePoolsOf(context).length === 0;
}

/** Returns pod sets with one pod for those of unknown nodes, so that labels and ports of the pods count although their number is not known. */
function withPodsOfUnknownNodes(podSets: readonly PodSet[], context: PlanContext): readonly PodSet[] {
  return podSets.map((podSet) => (hasUnknownNodes(podSet, context) ? { ...podSet, replicas: 1 } : podSet));
}

/** Reports whether the load decides the number of pods and may have started some: those of Knative, which scales to 0. */
function isScaledByLoad({ pods }: SystemRollout): boolean {
  return pods?.kind === 'workload' && pods.workload.replicas === 0 && pods.workload.rollout?.simulation.kind === 'revision';
}

function isUncounted(podSets: readonly PodSet[]): boolean {
  return podSets.some(({ countOnly, onePerNode, replicas }) => countOnly || (onePerNode && replicas === 0));
}

/**
 * Returns the pod sets of a rollout before an apply: those that its object had in OLD. It is null if the apply adds the component to an object,
 * such as a canary, and undefined if it is not known.
 */
function listOldPodSets(
  object: Manifest,
  { component }: ResourceRef,
  { oldOf, oldContext }: AppliedChange,
): readonly PodSet[] | null | undefined {
  const old = oldOf(object);
  const planned = old && systemOf(old, oldContext)?.plan(old, oldContext);
  const rollout = planned?.find(({ resource }) => resource.component === component);
  if (rollout) return withPodsOfUnknownNodes(podSetsOf(rollout), oldContext);
  const isComponentOf = planned?.some(({ resource, pods }) => resource.component !== undefined && pods !== undefined);
  return component !== undefined && isComponentOf ? null : undefined;
}

/** Counts the ready pods of a set before an apply, from the cluster if its state is known. */
function countBefore({ initialState }: PlannedRollout, podSet: PodSet, old: PodSet | undefined, perUnit: number): number {
  const { revisions = [] } = initialState ?? {};
  if (revisions.length > 0) return revisions.reduce((sum, { available }) => sum + available, 0) * perUnit;
  return old?.replicas ?? podSet.running ?? podSet.replicas;
}

const UNCHANGED_EFFECTS: ReadonlySet<string | undefined> = new Set([undefined, 'none', 'metadata']);

/** Effects with which an object keeps all of its pods as they are. An object that is created has none yet. */
const KEEPING_EFFECTS: ReadonlySet<string | undefined> = new Set([...UNCHANGED_EFFECTS, 'create', 'refused', 'hook', 'replace']);

/** Effects with which a controller replaces pods. */
const ROLLING_EFFECTS: ReadonlySet<string | undefined> = new Set(['roll', 'roll-and-scale']);

/** Returns the pods of unknown nodes that are replaced one after another: as if one node still had the old pod. */
function buildRollingMomentsOnUnknownNodes(sets: readonly SetChange[]): Moments {
  return mergeMoments(
    sets.map(({ podSet: { template }, oldTemplate }): Moments => {
      const old = toReadyBatch(oldTemplate, 1, false);
      return { before: old, waves: [{ wave: 1, pods: old }], after: toReadyBatch(template, 1, true) };
    }),
  );
}

/** Reports whether the controller waits until ready pods are available, so that a Service has more endpoints in between than pods that count. */
function waitsForAvailable(object: Manifest, simulation: Simulation): boolean {
  const seconds = getValueAt(object, 'spec', 'minReadySeconds');
  const isHalted = 'halted' in simulation && simulation.halted !== undefined;
  return groupOf(object) === 'apps' && typeof seconds === 'number' && seconds > 0 && !isHalted;
}

/** What the pods of an object over time depend on, besides its rollout. */
interface MomentsInput {
  readonly podSets: readonly PodSet[];
  readonly change: AppliedChange | undefined;
  readonly isOnUnknownNodes: boolean;
  /** Whether its controller removes pods only once pods of another component, which the apply adds, are ready. */
  readonly shrinksLater: boolean;
}

/** Returns pods that a scale removes once the pods of the first wave are ready. */
function shrinkLater(moments: Moments): Moments {
  const count = (pods: readonly ReadyBatch[]) => pods.reduce((sum, { total }) => sum + total, 0);
  if (moments.waves.length > 0 || count(moments.after) >= count(moments.before)) return moments;
  return { ...moments, waves: [{ wave: 1, pods: moments.before }] };
}

function buildMoments(
  planned: SystemRollout,
  evaluated: PlannedRollout,
  object: Manifest,
  { podSets, change, isOnUnknownNodes, shrinksLater }: MomentsInput,
): FatedMoments {
  const effect = change?.effectOf(object);
  const old = change && !UNCHANGED_EFFECTS.has(effect) ? listOldPodSets(object, planned.resource, change) : undefined;
  const { simulation } = evaluated;
  const sets = podSets.map((podSet, index): SetChange => {
    const oldSet = old?.[index];
    const perUnit = podsPerUnit(podSet, planned.simulation ?? ({ kind: 'deployment' } as Simulation));
    return {
      podSet,
      oldTemplate: oldSet?.template ?? podSet.oldTemplate ?? podSet.template,
      before: change ? countBefore(evaluated, podSet, oldSet, perUnit) : podSet.replicas,
    };
  });
  const ordered = isOrdered(object);
  if (effect === 'create' || (old === null && effect !== 'refused' && effect !== 'held')) return buildCreatedMoments(sets, [], ordered);
  const before = sets.flatMap(({ oldTemplate, before: ready }) => toReadyBatch(oldTemplate, ready, false));
  // The pods of a hook run in a phase of their own, and end.
  if (effect === 'hook') return { before: [], waves: [], after: [] };
  if (effect === 'replace') return { ...buildCreatedMoments(sets, before, ordered), fate: 'replaced' };
  if (effect === 'refused') {
    const running = (old ?? []).flatMap(({ template, replicas }) => toReadyBatch(template, replicas, false));
    return { before: running, waves: [], after: running, fate: 'refused' };
  }
  if (isOnUnknownNodes && ROLLING_EFFECTS.has(effect)) return buildRollingMomentsOnUnknownNodes(sets);
  if (planned.keepsPodsUntilReplaced) return { before, waves: [], after: [], isDeletedLast: true };
  const clusters = planned.pods?.kind === 'clusters' ? planned.pods.clusters : undefined;
  const rolling =
    simulation &&
    (clusters
      ? buildClusterMoments(sets, clusters, simulation)
      : buildRollingMoments(sets, simulation, waitsForAvailable(object, simulation)));
  const scaled = rolling ?? buildScaledMoments(sets, effect === 'held', ordered);
  const moments = shrinksLater ? shrinkLater(scaled) : scaled;
  const isScaledToZero = moments.before.length > 0 && podSets.every(({ replicas }) => replicas === 0) && !isUncounted(podSets);
  return { ...moments, ...(isScaledToZero && { fate: 'scaled-to-zero' as const }) };
}

/** Lists the objects that get a canary which has pods of its own. Their controller removes pods of the stable version once the canary is ready. */
function listObjectsWithNewCanary(planned: readonly UnitRollout[], change: AppliedChange): ReadonlySet<Manifest> {
  const isNewCanary = ({ object, rollout }: UnitRollout) =>
    rollout.routedService?.role === 'canary' && listOldPodSets(object, rollout.resource, change) === null;
  return new Set(planned.filter(isNewCanary).map(({ object }) => object));
}

/** Reports whether the controller of an object has a Service of a name before an apply. Without an apply, it has the same as afterwards. */
function hasClusterService(object: Manifest, name: string, change: AppliedChange | undefined): boolean {
  const old = change?.oldOf(object);
  if (!change || !old) return true;
  const rollouts = systemOf(old, change.oldContext)?.plan(old, change.oldContext) ?? [];
  return rollouts.some(({ clusterServices = [] }) => clusterServices.some(({ service }) => nameOf(service) === name));
}

function buildObjectPods(
  { object, rollout }: UnitRollout,
  { rollout: evaluated }: RolloutWithObject,
  change: AppliedChange | undefined,
  context: PlanContext,
  shrinksLater: boolean,
): ObjectPods {
  const written = podSetsOf(rollout);
  const isOnUnknownNodes = written.some((podSet) => hasUnknownNodes(podSet, context));
  const podSets = isOnUnknownNodes ? withPodsOfUnknownNodes(written, context) : written;
  const namespace = podSets[0]?.namespace;
  const { resource } = evaluated;
  const isOpen = !SYSTEMS_WITH_TEMPLATE_LABELS.has(rollout.system);
  const moments = buildMoments(rollout, evaluated, object, { podSets, change, isOnUnknownNodes, shrinksLater });
  const toMember = (template: Fields, pods: number, isOnePerNode = false) => ({ resource, template, pods, isOpen, isOnePerNode });
  const isApplied = moments.fate !== 'refused' && change?.effectOf(object) !== 'hook';
  return {
    resource,
    ...(namespace !== undefined && { namespace }),
    isOpen,
    isUncounted: isUncounted(podSets) || isScaledByLoad(rollout),
    members: isApplied
      ? written.map(({ template, replicas, onePerNode }) => toMember(template, replicas, onePerNode))
      : moments.after.map(({ template, total }) => toMember(template, total)),
    ...(rollout.serviceRoles && { serviceRoles: rollout.serviceRoles }),
    ...(isOnUnknownNodes && { isOnUnknownNodes }),
    ...moments,
  };
}

function listDeletedPods({ deleted, oldContext, isDeletedLast }: AppliedChange): ObjectPods[] {
  return deleted.flatMap((object) => listOldPods(object, oldContext, (podSets) => buildDeletedMoments(podSets, isDeletedLast(object))));
}

/** Returns the pods that an object has in OLD, with what becomes of them. */
function listOldPods(object: Manifest, oldContext: PlanContext, build: (podSets: readonly PodSet[]) => FatedMoments): ObjectPods[] {
  return (systemOf(object, oldContext)?.plan(object, oldContext) ?? []).map((rollout) => buildOldPods(rollout, oldContext, build));
}

function buildOldPods(rollout: SystemRollout, oldContext: PlanContext, build: (podSets: readonly PodSet[]) => FatedMoments): ObjectPods {
  const written = podSetsOf(rollout);
  const isOnUnknownNodes = written.some((podSet) => hasUnknownNodes(podSet, oldContext));
  const podSets = isOnUnknownNodes ? withPodsOfUnknownNodes(written, oldContext) : written;
  const namespace = podSets[0]?.namespace;
  return {
    resource: rollout.resource,
    ...(namespace !== undefined && { namespace }),
    isOpen: !SYSTEMS_WITH_TEMPLATE_LABELS.has(rollout.system),
    isUncounted: isUncounted(podSets),
    members: [],
    ...(isOnUnknownNodes && { isOnUnknownNodes }),
    ...build(podSets),
  };
}

/** Lists the names of the workloads that the controller of a rollout creates. */
function listCreatedNames(rollouts: readonly SystemRollout[]): ReadonlySet<string> {
  return new Set(rollouts.flatMap(({ creates = [] }) => creates.map(({ name }) => name)));
}

/** Returns the pods of a component that NEW lacks. The component that takes them over counts them once the apply is done. */
function buildRemovedMoments(podSets: readonly PodSet[], end: 'deleted' | 'kept' | 'taken-over'): FatedMoments {
  if (end === 'deleted') return buildDeletedMoments(podSets, false);
  const pods = podSets.flatMap(({ template, replicas }) => toReadyBatch(template, replicas, false));
  return end === 'kept' ? { before: pods, waves: [], after: pods } : { before: pods, waves: [{ wave: 1, pods: [] }], after: [] };
}

/**
 * Returns the pods that only OLD has of objects that stay: those of a stopped service, and those of removed components. Another component may take
 * over a workload by its name.
 */
function listRemovedPods(planned: readonly UnitRollout[], { effectOf, componentEffectOf, oldOf, oldContext }: AppliedChange): ObjectPods[] {
  const running = new Map<Manifest, SystemRollout[]>();
  for (const { object, rollout } of planned) {
    const rollouts = running.get(object) ?? [];
    if (rollout.pods) rollouts.push(rollout);
    running.set(object, rollouts);
  }
  return [...running].flatMap(([object, rollouts]) => {
    const old = KEEPING_EFFECTS.has(effectOf(object)) ? undefined : oldOf(object);
    if (!old) return [];
    if (rollouts.length === 0) {
      if (effectOf(object) !== 'scale') return [];
      return listOldPods(old, oldContext, (podSets) => ({ ...buildDeletedMoments(podSets, false), fate: 'scaled-to-zero' }));
    }
    const components = new Set(rollouts.map(({ resource }) => resource.component));
    const names = listCreatedNames(rollouts);
    return (systemOf(old, oldContext)?.plan(old, oldContext) ?? []).flatMap((rollout) => {
      const { component } = rollout.resource;
      if (component === undefined || components.has(component)) return [];
      const isTakenOver = rollout.creates?.some(({ name }) => names.has(name)) === true;
      const end = isTakenOver ? 'taken-over' : componentEffectOf(object, component) === 'scale' ? 'deleted' : 'kept';
      return [buildOldPods(rollout, oldContext, (podSets) => buildRemovedMoments(podSets, end))];
    });
  });
}

/** Returns the pods that no rollout replaces. Those of a Job end, so their number is not known. */
function listSteadyPods(context: PlanContext): ObjectPods[] {
  return listOtherPods(context).map(({ object, podSet, runsToCompletion }): ObjectPods => {
    const { namespace, template, replicas, running = replicas } = podSet;
    const resource = resourceOf(object);
    return {
      resource,
      ...(namespace !== undefined && { namespace }),
      isOpen: false,
      isUncounted: runsToCompletion,
      members: runsToCompletion ? [] : [{ resource, template, pods: replicas, isOpen: false, isOnePerNode: false }],
      before: toReadyBatch(template, running, false),
      waves: [],
      after: toReadyBatch(template, replicas, false),
    };
  });
}

/** Objects of the input that are not planned and may create pods, by namespace. */
const getUnplannedObjects = memoizePerRun((context) => {
  const byNamespace = new Map<string, SearchableObject[]>();
  for (const object of context.input) {
    const isUnknown = explainNotPlanned(object) !== undefined || !hasNoPodsOfItsOwn(object);
    const system = systemOf(object, context)?.name;
    const isPlanned = system !== undefined && !SYSTEMS_WITHOUT_TEMPLATES.has(system);
    if (object.kind === 'Pod' || object.kind === 'ReplicaSet' || !isUnknown || isPlanned) continue;
    const namespace = namespaceOf(object) ?? '';
    const known = byNamespace.get(namespace);
    const searchable = toSearchableObject(object);
    if (known) known.push(searchable);
    else byNamespace.set(namespace, [searchable]);
  }
  return byNamespace;
});

/** Lists the objects that are not planned and that may have pods that a selector selects. */
function listPossibleOwners(namespace: string, selectors: readonly Fields[], context: PlanContext): ResourceRef[] {
  const objects = getUnplannedObjects(context).get(namespace) ?? [];
  return objects
    .filter((object) => selectors.some((selector) => mayOwnSelectedPods(object, selector)))
    .map(({ object }) => resourceOf(object));
}

function formatLabelKey(namespace: string, [key, value]: readonly [string, unknown]): string {
  return JSON.stringify([namespace, key, value]);
}

function addToGroup(groups: Map<string, ObjectPods[]>, key: string, pods: ObjectPods): void {
  const group = groups.get(key);
  if (group) group.push(pods);
  else groups.set(key, [pods]);
}

/** Pods of a unit, so that a Service only looks at those with one of its labels. */
class PodIndex {
  private readonly byLabel = new Map<string, Set<ObjectPods>>();
  private readonly byNamespace = new Map<string, ObjectPods[]>();
  /** The pods of each namespace whose number is not known. */
  private readonly uncounted = new Map<string, ObjectPods[]>();
  private readonly order = new Map<ObjectPods, number>();

  constructor(all: readonly ObjectPods[]) {
    for (const pods of all) {
      this.order.set(pods, this.order.size);
      const namespace = pods.namespace ?? '';
      addToGroup(this.byNamespace, namespace, pods);
      if (pods.isUncounted) addToGroup(this.uncounted, namespace, pods);
      const batches = [...pods.before, ...pods.waves.flatMap((wave) => wave.pods), ...pods.after, ...pods.members];
      const templates = new Set(batches.map(({ template }) => template));
      for (const template of templates) {
        for (const label of Object.entries(labelsOf(template))) {
          const key = formatLabelKey(namespace, label);
          const known = this.byLabel.get(key) ?? new Set();
          this.byLabel.set(key, known.add(pods));
        }
      }
    }
  }

  /** Lists the pods that one of the selectors selects or may select, in the order of their objects. */
  findCandidates(namespace: string, selectors: readonly Fields[]): { readonly selected: ObjectPods[]; readonly possible: ObjectPods[] } {
    const found = new Set<ObjectPods>();
    for (const selector of selectors) {
      const sets = Object.entries(selector).map((label) => this.byLabel.get(formatLabelKey(namespace, label)));
      const smallest = sets.reduce((one, other) => ((other?.size ?? 0) < (one?.size ?? 0) ? other : one), sets[0]);
      for (const pods of smallest ?? []) found.add(pods);
    }
    const hasOpenLabel = selectors.some((selector) => Object.keys(selector).some(isOpenLabel));
    const others = (hasOpenLabel ? this.byNamespace : this.uncounted).get(namespace) ?? [];
    const possible = others.filter((pods) => selectors.some((selector) => maySelect(pods, selector)));
    return { selected: [...found].toSorted((a, b) => this.order.get(a)! - this.order.get(b)!), possible };
  }
}

function maySelect(pods: ObjectPods, selector: Fields): boolean {
  const isCertain = ({ template }: { readonly template: Fields }) =>
    Object.entries(selector).every(([key, value]) => labelsOf(template)[key] === value);
  const batches: readonly { readonly template: Fields }[] = [...pods.before, ...pods.after, ...(pods.isUncounted ? pods.members : [])];
  if (pods.isUncounted) return batches.some(isCertain) || batches.some(({ template }) => mayBeSelected(template, selector, pods.isOpen));
  return batches.some(({ template }) => mayBeSelected(template, selector, pods.isOpen));
}

/** A Service with its plan, and the finding if it loses its endpoints. */
interface EvaluatedService {
  readonly service: Manifest;
  /** Whether its unit has pods that it selects, or may select, after the apply. Otherwise another unit that sees it may have them. */
  readonly hasPods: boolean;
  readonly plan?: ServicePlan;
  readonly findings: readonly Finding[];
}

/** Labels and annotations of endpoints that the controllers of Kubernetes write, which leave a Service without a selector alone. */
const CONTROLLER_MARKS: readonly (readonly [place: 'labels' | 'annotations', key: string, value?: string])[] = [
  ['labels', 'endpointslice.kubernetes.io/managed-by', 'endpointslice-controller.k8s.io'],
  ['labels', 'endpoints.kubernetes.io/managed-by', 'endpoint-controller'],
  ['annotations', 'endpoints.kubernetes.io/last-change-trigger-time'],
];

function isWrittenByController(object: Manifest): boolean {
  return CONTROLLER_MARKS.some(([place, key, value]) => {
    const mark = getValueAt(object, 'metadata', place, key);
    return mark !== undefined && (value === undefined || mark === value);
  });
}

/** Reports whether endpoints of a Service that a user writes are in view. */
function hasOwnEndpoints(service: Manifest, { input }: PlanContext): boolean {
  return input.some((object) => {
    if (namespaceOf(object) !== namespaceOf(service) || isWrittenByController(object)) return false;
    if (object.kind === 'EndpointSlice') return getValueAt(object, 'metadata', 'labels', 'kubernetes.io/service-name') === nameOf(service);
    return object.kind === 'Endpoints' && nameOf(object) === nameOf(service);
  });
}

/** Reports whether the object of pods exists after the apply. All units see the pods of deleted objects. */
function isKept({ fate }: ObjectPods): boolean {
  return fate !== 'deleted';
}

/** Evaluates a Service without a selector, and reports one that loses it. */
function evaluateWithoutSelector(
  service: Manifest,
  { old, next }: ServiceVersions,
  index: PodIndex,
  context: PlanContext,
): EvaluatedService {
  const selector = old && selectorOf(old);
  if (!selector) return { service, hasPods: false, findings: [] };
  const { selected } = index.findCandidates(namespaceOf(old) ?? '', [selector]);
  const { before } = buildServiceTimeline({ old, next: old }, selected).readyEndpoints;
  const hasPods = selected.some(isKept);
  if (before === 0 || hasOwnEndpoints(next, context)) return { service, hasPods, findings: [] };
  const isKnown = selected.every(({ isOnUnknownNodes }) => !isOnUnknownNodes);
  const locate = (object: object, path: string) => context.locate(object, path);
  return { service, hasPods, findings: [reportServiceFrozen(next, isKnown ? before : undefined, locate)] };
}

/** A Service, and whether it is part of what is planned: a change leaves further Services of the cluster as they are. */
interface PlannedService extends ServiceVersions {
  readonly isApplied: boolean;
}

function evaluateService(service: Manifest, versions: PlannedService, index: PodIndex, context: PlanContext): EvaluatedService {
  const { isApplied } = versions;
  if (selectorOf(versions.next) === undefined) return evaluateWithoutSelector(service, versions, index, context);
  const namespace = namespaceOf(versions.next) ?? '';
  const selectors = [versions.old, versions.next].flatMap((one): Fields[] => {
    const selector = one && selectorOf(one);
    return selector ? [selector] : [];
  });
  const { selected, possible } = index.findCandidates(namespace, selectors);
  const all = selected.filter((one) => !one.isUncounted && selectsPodsOf(versions, one));
  const owner = all.find(({ serviceRoles }) => serviceRoles?.has(nameOf(service)));
  const role = owner?.serviceRoles?.get(nameOf(service));
  const pods: readonly ServicePods[] =
    owner && role ? [selectPodsOfRole(owner, role)] : markGrowingObjects(versions, all.map(selectPodsOfBothVersions));
  const counted = pods.filter(({ isOnUnknownNodes }) => !isOnUnknownNodes);
  const mayHaveMore = deduplicateResources([
    ...possible.filter((one) => !all.includes(one)).map(({ resource }) => resource),
    ...listPossibleOwners(namespace, selectors, context),
  ]);
  const members = selected.flatMap((one) => one.members).filter(({ template }) => isTemplateSelected(template, versions.next));
  const check = (isReported: boolean) =>
    isApplied
      ? checkService(versions.next, { members, mayHaveOthers: mayHaveMore.length > 0 || possible.length > 0, isReported }, context)
      : [];
  const hasPods = possible.length > 0 || selected.some(isKept);
  if (pods.length === 0) return { service, hasPods, findings: check(false) };
  const { readyEndpoints, waves } = buildServiceTimeline(versions, counted, { hasRole: role !== undefined, isSplit: role === 'stable' });
  const locate = (object: object, path: string) => context.locate(object, path);
  const loss = mayHaveMore.length === 0 && possible.length === 0 ? findLostEndpoints(versions, pods) : undefined;
  const pending = loss === undefined && mayHaveMore.length === 0 && possible.length === 0 ? findPendingLoss(versions, all) : undefined;
  // A canary or preview Service has no endpoints until the first new pod is ready, and gets no requests before.
  const isReported = role !== 'canary' && role !== 'preview';
  const mayAlsoSelect = deduplicateResources([
    ...mayHaveMore,
    ...pods.filter((one) => !counted.includes(one)).map(({ resource }) => resource),
  ]);
  // With pods that are not counted, the share of the new version is not known.
  const countedWaves = counted.length === pods.length ? waves : waves.map(({ wave, ready }) => ({ wave, ready }));
  const plan: ServicePlan = {
    resource: resourceOf(versions.next),
    selects: deduplicateResources(counted.map(({ resource }) => resource)),
    ...(role && { role }),
    readyEndpoints,
    ...(waves.length > 0 && { waves: countedWaves }),
    ...(mayAlsoSelect.length > 0 && { mayAlsoSelect }),
  };
  return {
    service,
    hasPods,
    ...(counted.length > 0 && { plan }),
    findings: [
      ...(loss && isReported ? [reportServiceWithoutEndpoints(service, loss, locate)] : []),
      ...(pending && isReported ? [reportPendingLoss(service, pending, locate)] : []),
      ...checkTargetPortAhead(versions, pods, locate),
      ...check(loss !== undefined || pending !== undefined),
    ],
  };
}

/** What the plans of Services are made from. */
export interface ServicePlansInput {
  readonly contexts: readonly PlanContext[];
  /** Rollouts of each unit, with their pods. */
  readonly planned: readonly (readonly UnitRollout[])[];
  /** Rollouts of each unit, evaluated in their cluster. */
  readonly evaluated: readonly (readonly RolloutWithObject[])[];
  readonly change?: AppliedChange;
}

/** Plans of Services by their object, or by the object whose controller creates them, and the findings about them. */
export interface ServicePlans {
  readonly services: ReadonlyMap<Manifest, readonly ServicePlan[]>;
  readonly findings: readonly Finding[];
}

/** Plans the Services of all units: who answers their requests while the rollouts run. */
export function planServices({ contexts, planned, evaluated, change }: ServicePlansInput): ServicePlans {
  const services = new Map<Manifest, readonly ServicePlan[]>();
  const routeFindings: Finding[] = [];
  // Several units may see a Service. The unit with its pods decides, so that another one does not say that it selects nothing.
  const decided = new Set<Manifest>();
  const findings = new Map<Manifest, readonly Finding[]>();
  let deleted: readonly ObjectPods[] | undefined;
  contexts.forEach((context, unit) => {
    const visible = context.all(CONTEXT_KINDS.service).filter((service) => !decided.has(service));
    const hasRoutes = planned[unit]!.some(({ rollout }) => rollout.routedService ?? rollout.clusterServices);
    if (visible.length === 0 && !change && !hasRoutes) return;
    const backends = groupBackends(context, change);
    if (change) {
      const created = listCreatedServices(planned[unit]!);
      for (const finding of checkBackends(backends, visible, created, change, context)) routeFindings.push(finding);
    }
    if (visible.length === 0 && !hasRoutes) return;
    const growing = change ? listObjectsWithNewCanary(planned[unit]!, change) : new Set<Manifest>();
    const own = planned[unit]!.map((one, index) => {
      const shrinksLater = one.rollout.routedService?.role === 'stable' && growing.has(one.object);
      return buildObjectPods(one, evaluated[unit]![index]!, change, context, shrinksLater);
    });
    const isOldService = (object: Manifest, name: string) => hasClusterService(object, name, change);
    for (const [object, plans] of planRoutedServices(planned[unit]!, own, isOldService)) {
      services.set(
        object,
        plans.map((plan) => addRoutes(plan, backends)),
      );
    }
    if (visible.length === 0) return;
    deleted ??= change ? listDeletedPods(change) : [];
    const removed = change ? listRemovedPods(planned[unit]!, change) : [];
    const index = new PodIndex([...own, ...removed, ...deleted, ...listSteadyPods(context)]);
    for (const service of visible) {
      context.deadline?.check();
      const versions = versionsOf(service, change);
      if (!versions) continue;
      const isApplied = !change || change.effectOf(service) !== undefined;
      const result = evaluateService(service, { ...versions, isApplied }, index, context);
      const usedBy = listRoutes(backends.get(serviceKeyOf(namespaceOf(service) ?? '', nameOf(service))));
      if (result.hasPods) decided.add(service);
      if (!result.hasPods && findings.has(service)) continue;
      services.delete(service);
      if (result.plan) services.set(service, [{ ...result.plan, ...(usedBy.length > 0 && { usedBy }) }]);
      findings.set(service, result.findings);
    }
  });
  return { services, findings: [...routeFindings, ...[...findings.values()].flat()] };
}
