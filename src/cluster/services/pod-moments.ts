import { isDeepEqual } from '../../core/collections/deep-equal';
import { getValueAt, groupOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { MAX_LISTED_ROWS, ROWS_AT_EACH_END } from '../../core/simulations/row-limit';
import type { Simulation } from '../../core/simulations/simulation';
import type { ClusterPods } from '../rollout/pod-groups';
import type { PodSet } from '../rollout/pod-set';
import { buildReadyTimeline } from './ready-pods';
import type { VersionReadiness } from './ready-pods';
import type { PodsInWave, ReadyBatch, ServicePods } from './service-plan';

function toBatch(template: Fields, { ready, total }: VersionReadiness, isNew: boolean): ReadyBatch[] {
  return total === 0 && ready === 0 ? [] : [{ template, ready, total, isNew }];
}

/** Returns ready pods of a template; no batch for none. */
export function toReadyBatch(template: Fields, pods: number, isNew: boolean): ReadyBatch[] {
  return toBatch(template, { ready: pods, total: pods }, isNew);
}

/** Returns the pods of a set in each unit of its simulation: 1, or those of a group. The unit of a RayService is a cluster. */
export function countPodsPerUnit(podSet: PodSet, simulation: Simulation): number {
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
    left -= countPodsPerUnit(podSet, simulation);
    return role;
  });
}

function multiply({ ready, total }: VersionReadiness, factor: number): VersionReadiness {
  return { ready: ready * factor, total: total * factor };
}

/** Pods of one set, before and after an apply. */
export interface SetChange {
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
export function buildRollingMoments(sets: readonly SetChange[], simulation: Simulation, isDelayed: boolean): Moments | undefined {
  const roles = rolesOf(
    sets.map(({ podSet }) => podSet),
    simulation,
  );
  const moments = sets.map(({ podSet, oldTemplate, before }, index): Moments | undefined => {
    const timeline = buildReadyTimeline(simulation, roles[index]);
    if (!timeline) return undefined;
    const factor = countPodsPerUnit(podSet, simulation);
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
export function isOrdered(object: Manifest): boolean {
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
export function buildCreatedMoments(sets: readonly SetChange[], before: readonly ReadyBatch[], ordered: boolean): Moments {
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
export function buildScaledMoments(sets: readonly SetChange[], isHeld: boolean, ordered: boolean): Moments {
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
export function buildClusterMoments(
  sets: readonly SetChange[],
  { rows, oldRows }: ClusterPods,
  simulation: Simulation,
): Moments | undefined {
  if (simulation.kind !== 'rayservice' || simulation.outcome === 'none') return undefined;
  const listed = limitWaves(simulation.steps.map((_, row) => row));
  const isDone = simulation.outcome === 'promoted';
  const toPods = ({ podSet, oldTemplate, before }: SetChange, set: number, row: number): ReadyBatch[] => {
    const newAt = (at: number) => (at < 0 ? 0 : rows[at]![set]! - oldRows[at]![set]!);
    const old = shareOf(before, oldRows[row]![set]!, oldRows[0]![set]!);
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

export type FatedMoments = Moments & Pick<ServicePods, 'fate' | 'isDeletedLast'>;

/** Returns the pods of an object that is deleted: at once, or once all rollouts are done. */
export function buildDeletedMoments(podSets: readonly PodSet[], isLast: boolean): FatedMoments {
  const before = podSets.flatMap(({ template, replicas }) => toReadyBatch(template, replicas, false));
  return { fate: 'deleted', before, waves: isLast ? [] : [{ wave: 1, pods: [] }], after: [], ...(isLast && { isDeletedLast: true }) };
}

/** Returns the pods of unknown nodes that are replaced one after another: as if one node still had the old pod. */
export function buildRollingMomentsOnUnknownNodes(sets: readonly SetChange[]): Moments {
  return mergeMoments(
    sets.map(({ podSet: { template }, oldTemplate }): Moments => {
      const old = toReadyBatch(oldTemplate, 1, false);
      return { before: old, waves: [{ wave: 1, pods: old }], after: toReadyBatch(template, 1, true) };
    }),
  );
}

/** Reports whether the controller waits until ready pods are available, so that a Service has more endpoints in between than pods that count. */
export function hasAvailabilityDelay(object: Manifest, simulation: Simulation): boolean {
  const seconds = getValueAt(object, 'spec', 'minReadySeconds');
  const isHalted = 'halted' in simulation && simulation.halted !== undefined;
  return groupOf(object) === 'apps' && typeof seconds === 'number' && seconds > 0 && !isHalted;
}

/** Returns pods that a scale removes once the pods of the first wave are ready. */
export function shrinkLater(moments: Moments): Moments {
  const count = (pods: readonly ReadyBatch[]) => pods.reduce((sum, { total }) => sum + total, 0);
  if (moments.waves.length > 0 || count(moments.after) >= count(moments.before)) return moments;
  return { ...moments, waves: [{ wave: 1, pods: moments.before }] };
}

/** Returns the pods of a component that NEW lacks. The component that takes them over counts them once the apply is done. */
export function buildRemovedMoments(podSets: readonly PodSet[], end: 'deleted' | 'kept' | 'taken-over'): FatedMoments {
  if (end === 'deleted') return buildDeletedMoments(podSets, false);
  const pods = podSets.flatMap(({ template, replicas }) => toReadyBatch(template, replicas, false));
  return end === 'kept' ? { before: pods, waves: [], after: pods } : { before: pods, waves: [{ wave: 1, pods: [] }], after: [] };
}
