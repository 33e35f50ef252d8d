import type { ChangeSummary, LowestAvailability, PodChange } from '../../core/document/change';
import { getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { findOperatorResourceMap } from '../../core/sources/operator-resource-map';
import type { PlannedRollout } from '../../core/document/rollout';
import { getLeastInUse } from '../../core/document/service-plan';
import type { ServicePlan } from '../../core/document/service-plan';
import type { Simulation } from '../../core/simulations/simulation';
import type { PlanContext } from '../../cluster/context/context';
import type { MaxSchedulablePods, PodsByObject } from '../../cluster/capacity/max-schedulable-pods';
import type { PodChangeInput } from '../../cluster/rollout/initial-state';
import { countPodsWithoutRollout } from '../../cluster/capacity/other-pods';
import { countDesiredPods } from '../../cluster/rollout/system-rollout';
import { listRolloutsIfPlanned } from '../../plan/isolate-objects';
import { workloadKindOf } from '../../workloads/kinds';
import { resolveDesiredReplicas } from '../../workloads/replicas';
import { isPod } from '../effects/bare-pod-effect';
import { startOfOrdinals } from '../compare/moved-ordinals';
import { isLost } from '../compare/object-comparison';
import type { ObjectEffect } from '../effects/object-effect';
import { rolloutKeyOf } from './rollout-key';

/** Pod counts of a rollout. */
interface PodCounts {
  readonly replaced: number;
  readonly peak: number;
  readonly available: number;
  readonly replicas: number;
}

type PodCounter<S extends Simulation> = (simulation: S) => PodCounts | undefined;

/**
 * Counts the replaced pods: all if the rollout finishes. A rollout that deadlocks for lack of capacity counts those replaced before:
 * with 4 desired pods and 3 old ones left, 1.
 */
function countReplacedPods<Row>(
  desired: number,
  { halted, waves }: { readonly halted?: { readonly reason: string }; readonly waves: readonly Row[] },
  oldIn: (row: Row) => number,
): number {
  if (halted?.reason !== 'insufficient-capacity') return desired;
  const last = waves.at(-1);
  return last === undefined ? 0 : Math.max(0, desired - oldIn(last));
}

/** Counters by kind of simulation. Fleet bundles have none: their waves count clusters, whose pods are not known. */
const POD_COUNTERS: { readonly [K in Simulation['kind']]: PodCounter<Extract<Simulation, { kind: K }>> } = {
  deployment: (simulation) => {
    const { replicas, peakPods, minAvailable } = simulation;
    const replaced = countReplacedPods(replicas, simulation, ({ oldReplicas }) => oldReplicas);
    return { replaced, peak: peakPods, available: minAvailable, replicas };
  },
  statefulset: ({ replicas, order, elided = 0, minAvailable, untouched }) => {
    const replaced = elided > 0 ? order.length + elided - Math.max(0, untouched.length - 100) : order.length;
    return { replaced, peak: replicas, available: minAvailable, replicas };
  },
  daemonset: (simulation) => {
    const { nodes, peakPods, minAvailable, halted } = simulation;
    const replaced =
      halted?.reason === 'nodes-down' ? nodes - halted.nodes : countReplacedPods(nodes, simulation, ({ oldPods }) => oldPods);
    return { replaced, peak: peakPods, available: minAvailable, replicas: nodes };
  },
  // Knative abandons a Revision that does not become ready, and keeps the old one.
  revision: ({ replicas, peakPods, minAvailable, halted }) => ({
    replaced: halted ? 0 : replicas,
    peak: peakPods,
    available: minAvailable,
    replicas,
  }),
  leaderworkerset: (simulation) => {
    const { replicas, size, partition, peakPods, minAvailable, halted } = simulation;
    const desired = Math.max(0, replicas - partition) - (halted && halted.reason !== 'insufficient-capacity' ? halted.groups : 0);
    const replaced = Math.min(
      desired,
      countReplacedPods(replicas, simulation, ({ oldGroups }) => oldGroups),
    );
    return { replaced: replaced * size, peak: peakPods, available: minAvailable * size, replicas: replicas * size };
  },
  argorollout: (simulation) => {
    const { replicas, peakPods, minAvailable, rolledBackPods = replicas } = simulation;
    const replaced = countReplacedPods(rolledBackPods, simulation, ({ oldPods }) => oldPods);
    return { replaced, peak: peakPods, available: minAvailable, replicas };
  },
  rollingsync: () => undefined,
  disaggregatedset: ({ roles, peakPods, minAvailable, halted, waves }) => {
    const pods = roles.reduce((sum, { replicas, size }) => sum + replicas * size, 0);
    // The role with the fewest groups limits the set: its unavailable groups are counted in pods of that role.
    const fewest = roles.reduce((least, role) => (role.replicas < least.replicas ? role : least));
    const left = halted ? (waves.at(-1)?.roles ?? roles.map(({ replicas }) => ({ oldGroups: replicas }))) : [];
    const old = left.reduce((sum, { oldGroups }, index) => sum + oldGroups * roles[index]!.size, 0);
    return {
      replaced: Math.max(0, pods - old),
      peak: peakPods,
      available: pods - (fewest.replicas - minAvailable) * fewest.size,
      replicas: pods,
    };
  },
  rayservice: () => undefined,
  fleet: () => undefined,
};

function countRolloutPods(simulation: Simulation): PodCounts | undefined {
  return (POD_COUNTERS[simulation.kind] as PodCounter<Simulation>)(simulation);
}

/** Counts the pods that have the new template before the apply, which are not replaced. A StatefulSet's order already leaves them out. */
function countUpToDatePods(start: PodChangeInput['start']): number {
  const { replicaSets = [], upToDate = 0, starting = 0, surging = 0, young = 0, canary, groups, byRevision = [] } = start ?? {};
  const updated = (groups?.runs ?? []).reduce((sum, { updated: isNew, length }) => sum + (isNew ? length : 0), 0);
  const desired = byRevision
    .flatMap(({ isWanted, roles }) => (isWanted ? roles : []))
    .reduce((sum, role) => sum + role.groups * role.size, 0);
  const canaryPods = canary?.applied === 'same' ? canary.canary.size : 0;
  return replicaSets.reduce(
    (sum, { isNew, size }) => sum + (isNew ? size : 0),
    canaryPods + upToDate + starting + surging + young + updated * (groups?.size ?? 0) + desired,
  );
}

/** Counts the pods of a RayService's second cluster: its workers and their head. If it does not fit, the running cluster keeps its pods. */
function countRayClusterPods({ simulation, workers, capacity }: PlannedRollout, before: number | undefined): PodCounts | undefined {
  if (simulation?.kind !== 'rayservice' || !workers || simulation.outcome === 'none') return undefined;
  const pods = workers.pods + 1;
  const running = before ?? pods;
  const replaced = capacity?.verdict === 'deadlocks' ? 0 : Math.min(pods, running);
  return { replaced, peak: running + workers.surgePods + 1, available: pods, replicas: pods };
}

/** Returns the pods of a RayService before and after its cluster is replaced. If the second one does not fit, the running one stays. */
function rayPodChangeOf(
  { comparison: { old } }: ObjectEffect,
  planned: readonly PlannedRollout[],
  oldContext: PlanContext,
): PodChange | undefined {
  const counts = planned.flatMap((rollout) => countRayClusterPods(rollout, undefined) ?? []);
  if (!old || counts.length === 0) return undefined;
  const before = countPodsBefore(old.manifest, oldContext);
  const isReplaced = planned.every(({ capacity }) => capacity?.verdict !== 'deadlocks');
  return { before, after: isReplaced ? counts.reduce((sum, { replicas }) => sum + replicas, 0) : before };
}

/** Counts the desired pods of an object after the apply; undefined if that is not known. */
export function countPodsAfter({ pods }: ObjectEffect): number | undefined {
  const known = [...pods.values()].flatMap(({ replicas }) => replicas ?? []);
  return known.length === pods.size && pods.size > 0 ? known.reduce((sum, replicas) => sum + replicas, 0) : undefined;
}

/** Counts the pods of an object whose rollouts are mapped to a kind; undefined for any other object. Nothing else of these pods is known. */
export function countMappedPods(object: Manifest, context: PlanContext): number | undefined {
  if (!findOperatorResourceMap(object, context.operatorResources)) return undefined;
  const counts = listRolloutsIfPlanned(object, context).flatMap(({ mapped, simulation }) =>
    mapped && simulation ? (countRolloutPods(simulation)?.replicas ?? []) : [],
  );
  return counts.length > 0 ? counts.reduce((sum, pods) => sum + pods, 0) : undefined;
}

/** Counts the pods that an object runs in a steady state; 0 if that is not known. */
export function countPodsBefore(object: Manifest, context: PlanContext): number {
  const kind = workloadKindOf(object);
  if (kind && !kind.traits.onePerNode) return resolveDesiredReplicas(kind, object, context);
  const rolloutPods = listRolloutsIfPlanned(object, context).map((rollout) => countDesiredPods(rollout) ?? 0);
  const others = countPodsWithoutRollout(object) ?? countMappedPods(object, context) ?? 0;
  return rolloutPods.reduce((sum, pods) => sum + pods, others);
}

/** Pods that only the plan knows, not the evaluation of the change: those of new objects and of clusters that grow. */
export type PodChangesByObject = ReadonlyMap<Manifest, PodChange>;

/** The input of pod counts, in addition to the effect on each object. */
export interface PodCountContext {
  readonly oldContext: PlanContext;
  readonly podsPlanned: PodChangesByObject;
  readonly limitToCapacity: MaxSchedulablePods;
  /** Services in view. For pods that a Service selects, the lowest availability is that of the Service. */
  readonly services?: readonly ServicePlan[];
}

interface ChangeTotals {
  replaced: number;
  removed: number;
  /** Pods that each object adds permanently. */
  readonly added: Map<Manifest, number>;
  /** Pods that each object adds at its peak. */
  readonly peakExtra: Map<Manifest, number>;
}

function sumPods(pods: PodsByObject): number {
  return [...pods.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns the fewest ready endpoints of a Service whose pods are replaced. A scale-down lowers the number that it should have. */
function getServiceAvailability({ resource, role, readyEndpoints, waves, mayAlsoSelect }: ServicePlan): LowestAvailability[] {
  if (role === 'canary' || role === 'preview') return [];
  const { before, after } = readyEndpoints;
  const least = getLeastInUse(readyEndpoints);
  const replicas = after === 0 ? before : Math.min(before, after);
  return mayAlsoSelect || (waves === undefined && least === replicas) ? [] : [{ resource, available: least, replicas }];
}

/**
 * Summarizes what a change does to all pods: every rollout at its peak at once, with scaled-up and new objects, limited to the pods that fit together.
 *
 * 12 pods that roll with a surge of 3 add 3. A scale from 4 to 8 that rolls with a surge of 2 adds 6. A scale from 8 to 4 that rolls adds none,
 * since old pods are deleted first. A rollout that reuses the surge of one in progress also adds none.
 */
export function summarizePods(
  objectEffects: readonly ObjectEffect[],
  rollouts: ReadonlyMap<Manifest, readonly PlannedRollout[]>,
  deleted: readonly Manifest[],
  { oldContext, podsPlanned, limitToCapacity, services = [] }: PodCountContext,
): Pick<ChangeSummary, 'podsReplaced' | 'podsAdded' | 'podsRemoved' | 'peakExtraPods' | 'lowest'> {
  const totals: ChangeTotals = { replaced: 0, removed: 0, added: new Map(), peakExtra: new Map() };
  let lowest: LowestAvailability | undefined;
  const consider = (candidate: LowestAvailability) => {
    const worse = (one: LowestAvailability) => one.available / one.replicas;
    if (candidate.replicas > 0 && (!lowest || worse(candidate) < worse(lowest))) lowest = candidate;
  };
  const served = new Set(services.flatMap(({ selects, role, mayAlsoSelect }) => (mayAlsoSelect || role ? [] : selects.map(rolloutKeyOf))));
  const considerRollout = (candidate: LowestAvailability) => {
    if (!served.has(rolloutKeyOf(candidate.resource))) consider(candidate);
  };
  for (const one of objectEffects) {
    const planned = rollouts.get(one.comparison.result) ?? [];
    const change = podChangeOf(one, podsPlanned) ?? rayPodChangeOf(one, planned, oldContext);
    addObjectTotals(one, change, planned, totals, considerRollout);
  }
  for (const service of services) for (const candidate of getServiceAvailability(service)) consider(candidate);
  for (const object of deleted) totals.removed += countPodsBefore(object, oldContext);
  return {
    podsReplaced: totals.replaced,
    podsAdded: sumPods(limitToCapacity(totals.added, 'staying')),
    podsRemoved: totals.removed,
    peakExtraPods: sumPods(limitToCapacity(totals.peakExtra, 'running')),
    ...(lowest && { lowest }),
  };
}

/** Returns the desired pods before and after; undefined for an object whose number of pods is not known. */
export function podChangeOf(one: ObjectEffect, podsPlanned: PodChangesByObject): PodChange | undefined {
  const { podsBefore: before, effect, comparison, leftNodes = 0 } = one;
  if (before === undefined) return podsPlanned.get(comparison.result);
  if (isLost(comparison)) return { before, after: 0 };
  return { before, after: effect === 'refused' ? before : (countPodsAfter(one) ?? before - leftNodes) };
}

function isHaltedByCapacity({ simulation }: PlannedRollout): boolean {
  return simulation !== null && 'halted' in simulation && simulation.halted?.reason === 'insufficient-capacity';
}

/** Returns how many pods of a rollout fit at once if they are scheduled before those of others. Rows that happen have no more than that. */
function countPodsWithCapacity({ capacity, simulation }: PlannedRollout): number {
  const showsRun = simulation?.kind === 'deployment' || simulation?.kind === 'argorollout';
  if (!capacity?.shortage || (showsRun && !capacity.hasUnlimitedRows)) return Infinity;
  return capacity.mostPodsThatFit ?? capacity.podsThatFit;
}

/** Counts the pods with other ordinals that a StatefulSet creates with the new template: nothing replaces them. */
function countCreatedPods({ movedPods = 0, podsBefore = 0, comparison }: ObjectEffect, { simulation }: PlannedRollout): number {
  if (movedPods === 0 || simulation?.kind !== 'statefulset') return 0;
  const first = startOfOrdinals(comparison.old!.stored);
  return simulation.order.filter((ordinal) => ordinal < first || ordinal >= first + podsBefore).length;
}

/** Reports whether the old pods of a StatefulSet whose ordinals move are deleted before the new ones are ready. */
function isMovedAtOnce({ movedPods = 0, comparison: { stored } }: ObjectEffect): boolean {
  return movedPods > 0 && stored !== undefined && getValueAt(stored, 'spec', 'podManagementPolicy') === 'Parallel';
}

function addObjectTotals(
  one: ObjectEffect,
  change: PodChange | undefined,
  planned: readonly PlannedRollout[],
  totals: ChangeTotals,
  consider: (candidate: LowestAvailability) => void,
): void {
  const { before, after } = change ?? {};
  const addedPods = before === undefined || after === undefined ? 0 : Math.max(0, after - before);
  const { result } = one.comparison;
  const { movedPods = 0 } = one;
  totals.added.set(result, addedPods + movedPods);
  totals.removed += movedPods;
  if (before !== undefined && after !== undefined) totals.removed += Math.max(0, before - after);
  const isInPlace = isPod(one.comparison.next) && one.effect === 'roll';
  if ((one.effect === 'replace' || isInPlace) && before !== undefined) {
    totals.replaced += Math.min(before, after ?? before);
    const [first] = planned;
    if (first) consider({ resource: first.resource, available: 0, replicas: before });
  }
  let peak = one.temporaryPods ?? 0;
  let rolling = 0;
  const others = new Map(one.pods);
  for (const rollout of planned) {
    const own = rollout.simulation ? (countRayClusterPods(rollout, before) ?? countRolloutPods(rollout.simulation)) : undefined;
    if (!own) continue;
    const component = rollout.resource.component ?? '';
    // When a rollout deadlocks for lack of capacity, the pods missing from the desired number are first of all those that never started.
    const neverStarted = planned.length === 1 && isHaltedByCapacity(rollout) ? addedPods : 0;
    const started = countUpToDatePods(one.pods.get(component)?.start) + countCreatedPods(one, rollout);
    totals.replaced += Math.max(0, own.replaced - started - neverStarted);
    peak += Math.min(own.peak, countPodsWithCapacity(rollout));
    rolling += own.replicas;
    others.delete(component);
    consider({ resource: rollout.resource, available: own.available, replicas: own.replicas });
  }
  if (isMovedAtOnce(one) && before !== undefined) {
    const replicas = Math.min(before, after ?? before);
    for (const { resource } of planned) consider({ resource, available: Math.max(0, replicas - movedPods), replicas });
  }
  if (before === undefined || after === undefined) {
    totals.peakExtra.set(result, Math.max(0, peak - rolling));
    return;
  }
  // The pods of components that do not roll are added to the peak.
  for (const { replicas = 0 } of others.values()) peak += replicas;
  totals.peakExtra.set(result, movedPods + Math.max(0, Math.max(peak, after) - (countRunningBefore(one) ?? before)));
}

/** Counts the pods that run before the apply, including the surge of a rollout in progress; undefined if that is not known. */
function countRunningBefore({ start }: ObjectEffect): number | undefined {
  if (start?.revisions.length === 0) return undefined;
  return start?.revisions.reduce((sum, { replicas }) => sum + replicas, 0);
}
