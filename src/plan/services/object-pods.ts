import { nodePoolsOf } from '../../cluster/capacity/input-nodes';
import { listOtherPods } from '../../cluster/capacity/other-pods';
import type { PlanContext } from '../../cluster/context/context';
import {
  buildClusterMoments,
  buildCreatedMoments,
  buildDeletedMoments,
  buildRemovedMoments,
  buildRollingMoments,
  buildRollingMomentsOnUnknownNodes,
  buildScaledMoments,
  isOrdered,
  countPodsPerUnit,
  shrinkLater,
  toReadyBatch,
  hasAvailabilityDelay,
} from '../../cluster/services/pod-moments';
import type { FatedMoments, SetChange } from '../../cluster/services/pod-moments';
import type { ServiceMember } from '../../cluster/services/service-members';
import type { ServicePods } from '../../cluster/services/service-plan';
import { podSetsOf } from '../../cluster/rollout/system-rollout';
import type { PodSet } from '../../cluster/rollout/pod-set';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import { nameOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { PlannedRollout, ResourceRef } from '../../core/document/rollout';
import { REVISION } from '../../workloads/revision/kind';
import type { Simulation } from '../../core/simulations/simulation';
import type { AppliedChange, RolloutWithObject } from '../plan-input';
import type { UnitRollout } from '../plan-objects';
import { listRolloutsIfPlanned } from '../isolate-objects';
import { resourceOf } from '../resource-refs';

/** Pods of an object over time, and what is not known of them. */
export interface ObjectPods extends ServicePods {
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
  return pods?.kind === 'workload' && pods.workload.replicas === 0 && pods.workload.revisionLabel === REVISION.revisionLabel;
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
  const planned = old && listRolloutsIfPlanned(old, oldContext);
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

/** What the pods of an object over time depend on, besides its rollout. */
interface MomentsInput {
  readonly podSets: readonly PodSet[];
  readonly change: AppliedChange | undefined;
  readonly isOnUnknownNodes: boolean;
  /** Whether its controller removes pods only once pods of another component, which the apply adds, are ready. */
  readonly shrinksLater: boolean;
}

function buildMoments(
  planned: SystemRollout,
  evaluated: PlannedRollout,
  object: Manifest,
  { podSets, change, isOnUnknownNodes, shrinksLater }: MomentsInput,
): FatedMoments {
  const effect = change?.effectOf(object);
  const clusters = planned.pods?.kind === 'clusters' ? planned.pods.clusters : undefined;
  // The sets of two clusters are paired by name, and say what the running one has.
  const isPaired = clusters !== undefined && ROLLING_EFFECTS.has(effect);
  const old = change && !UNCHANGED_EFFECTS.has(effect) && !isPaired ? listOldPodSets(object, planned.resource, change) : undefined;
  const { simulation } = evaluated;
  const sets = podSets.map((podSet, index): SetChange => {
    const oldSet = old?.[index];
    const perUnit = countPodsPerUnit(podSet, planned.simulation ?? ({ kind: 'deployment' } as Simulation));
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
    if (change!.isLost(object)) return { before: [], waves: [], after: [], fate: 'refused' };
    const running = (old ?? []).flatMap(({ template, replicas }) => toReadyBatch(template, replicas, false));
    return { before: running, waves: [], after: running, fate: 'refused' };
  }
  if (isOnUnknownNodes && ROLLING_EFFECTS.has(effect)) return buildRollingMomentsOnUnknownNodes(sets);
  if (planned.keepsPodsUntilReplaced) return { before, waves: [], after: [], isDeletedLast: true };
  const rolling =
    simulation &&
    (clusters
      ? buildClusterMoments(sets, clusters, simulation)
      : buildRollingMoments(sets, simulation, hasAvailabilityDelay(object, simulation)));
  const scaled = rolling ?? buildScaledMoments(sets, effect === 'held', ordered);
  const moments = shrinksLater ? shrinkLater(scaled) : scaled;
  const isScaledToZero = moments.before.length > 0 && podSets.every(({ replicas }) => replicas === 0) && !isUncounted(podSets);
  return { ...moments, ...(isScaledToZero && { fate: 'scaled-to-zero' as const }) };
}

/** Lists the objects that get a canary which has pods of its own. Their controller removes pods of the stable version once the canary is ready. */
export function listObjectsWithNewCanary(planned: readonly UnitRollout[], change: AppliedChange): ReadonlySet<Manifest> {
  const isNewCanary = ({ object, rollout }: UnitRollout) =>
    rollout.routedService?.role === 'canary' && listOldPodSets(object, rollout.resource, change) === null;
  return new Set(planned.filter(isNewCanary).map(({ object }) => object));
}

/** Reports whether the controller of an object has a Service of a name before an apply. Without an apply, it has the same as afterwards. */
export function hasClusterService(object: Manifest, name: string, change: AppliedChange | undefined): boolean {
  const old = change?.oldOf(object);
  if (!change || !old) return true;
  return listRolloutsIfPlanned(old, change.oldContext).some(({ clusterServices = [] }) =>
    clusterServices.some(({ service }) => nameOf(service) === name),
  );
}

export function buildObjectPods(
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

export function listDeletedPods({ deleted, oldContext, isDeletedLast }: AppliedChange): ObjectPods[] {
  return deleted.flatMap((object) => listOldPods(object, oldContext, (podSets) => buildDeletedMoments(podSets, isDeletedLast(object))));
}

/** Returns the pods that an object has in OLD, with what becomes of them. */
function listOldPods(object: Manifest, oldContext: PlanContext, build: (podSets: readonly PodSet[]) => FatedMoments): ObjectPods[] {
  return listRolloutsIfPlanned(object, oldContext).map((rollout) => buildOldPods(rollout, oldContext, build));
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

/**
 * Returns the pods that only OLD has of objects that stay: those of a stopped service, and those of removed components. Another component may take
 * over a workload by its name.
 */
export function listRemovedPods(
  planned: readonly UnitRollout[],
  { effectOf, componentEffectOf, oldOf, oldContext }: AppliedChange,
): ObjectPods[] {
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
    return listRolloutsIfPlanned(old, oldContext).flatMap((rollout) => {
      const { component } = rollout.resource;
      if (component === undefined || components.has(component)) return [];
      const isTakenOver = rollout.creates?.some(({ name }) => names.has(name)) === true;
      const end = isTakenOver ? 'taken-over' : componentEffectOf(object, component) === 'scale' ? 'deleted' : 'kept';
      return [buildOldPods(rollout, oldContext, (podSets) => buildRemovedMoments(podSets, end))];
    });
  });
}

/** Returns the pods that no rollout replaces. Those of a Job end, so their number is not known. */
export function listSteadyPods(context: PlanContext): ObjectPods[] {
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
