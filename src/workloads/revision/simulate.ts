import type { CapacityDelay, CapacityOutcome } from '../../cluster/rollout/pod-rollout';
import type { RolloutDuration } from '../../core/document/rollout';
import type { RevisionSimulation, RevisionWave } from '../../core/simulations/revision';
import type { PodTimings } from '../pod-timings';
import type { RevisionScale } from './scale';
import { findMax, findMin } from '../../core/values/min-max';

/** A row without its number. */
export type RevisionRow = Omit<RevisionWave, 'wave' | 'total'>;

/** The minimum seconds until the ingress knows a new Revision. Each step of a rollout-duration takes at least as long. */
const INGRESS_DELAY_SECONDS = 1;

/** Returns the pods of a Revision that gets this percentage of requests: the pods that these need, and at least its min-scale. */
function computePodsForTraffic(percent: number, needed: number, minScale: number): number {
  return Math.max(minScale, Math.ceil((needed * percent) / 100));
}

/** Returns the pods of the old Revision, which gets all requests until the new one is ready. */
export function countInitialRevisionPods({ oldMinScale = 0 }: RevisionScale, needed: number): number {
  return Math.max(needed, oldMinScale);
}

/**
 * Returns the pods that the new Revision gets before it can be ready: the autoscaler immediately raises it from its initial scale to its
 * min-scale.
 */
export function countPodsUntilReady({ minScale, initialScale }: RevisionScale): number {
  return Math.max(minScale, initialScale);
}

/** The steps of a rollout-duration: their percentages, and the seconds between two steps. */
export interface TrafficSteps {
  readonly percents: readonly number[];
  readonly seconds: number;
}

/**
 * Computes how requests move to the new Revision. D is the rollout-duration in seconds, p the target percentage, and m the seconds until
 * the ingress is ready:
 *
 *     d = max(1, D - m)    n = min(max(1, d / m), p - 1)    step = round((p - 1) / n)    every d / n seconds, 1 percent immediately
 *
 * 60 s to 100%: 1, 3, 5, … 99, 100.
 *
 * Source: Knative 1.21, pkg/reconciler/route/traffic/rollout.go.
 */
export function computeTrafficSteps({ trafficPercent, rolloutSeconds }: RevisionScale): TrafficSteps {
  if (rolloutSeconds === 0 || trafficPercent <= 1) return { percents: [trafficPercent], seconds: 0 };
  const remainingSeconds = Math.max(1, rolloutSeconds - INGRESS_DELAY_SECONDS);
  const count = Math.min(Math.max(1, Math.floor(remainingSeconds / INGRESS_DELAY_SECONDS)), trafficPercent - 1);
  const size = Math.round((trafficPercent - 1) / count);
  const percents = [];
  for (let percent = 1; percent < trafficPercent; percent += size) percents.push(percent);
  return { percents: [...percents, trafficPercent], seconds: remainingSeconds / count };
}

/** Builds the rows before the new Revision is ready: as it is created, and after the autoscaler has scaled it. */
export function buildRowsUntilReady({ minScale, initialScale }: RevisionScale, oldPods: number): RevisionRow[] {
  const row = (newPods: number): RevisionRow => ({ newPods, oldPods, available: oldPods, latestTrafficPercent: 0 });
  return initialScale < minScale ? [row(initialScale), row(minScale)] : [row(initialScale)];
}

/** Builds a row with both Revisions. New pods that existed before the row are ready. */
function buildSharedRow(newPods: number, oldPods: number, before: number, latestTrafficPercent: number): RevisionRow {
  return { newPods, oldPods, available: oldPods + Math.min(newPods, before), latestTrafficPercent };
}

/**
 * Builds the rows after the Revision is ready: requests move, both Revisions scale with their share, and the old one is removed once it has
 * none.
 */
export function buildRowsAfterReady(scale: RevisionScale, needed: number): RevisionRow[] {
  const rows: RevisionRow[] = [];
  const { trafficPercent, leftoverPods, minScale, oldMinScale = minScale } = scale;
  let ready = countPodsUntilReady(scale);
  const add = (newPods: number, oldPods: number, percent: number) => {
    rows.push(buildSharedRow(newPods, oldPods, ready, percent));
    ready = newPods;
  };
  const [first, ...laterPercents] = computeTrafficSteps(scale).percents;
  const podsAt = (percent: number) => computePodsForTraffic(percent, needed, minScale);
  const oldPodsAt = (percent: number) => computePodsForTraffic(100 - percent, needed, oldMinScale);
  add(ready, countInitialRevisionPods(scale, needed), first!);
  for (const percent of laterPercents) add(podsAt(percent), percent < 100 ? oldPodsAt(percent) : rows.at(-1)!.oldPods, percent);
  if (trafficPercent < 100) {
    add(podsAt(trafficPercent), oldPodsAt(trafficPercent), trafficPercent);
    return rows;
  }
  const old = rows.at(-1)!.oldPods;
  add(podsAt(100), old, 100);
  add(podsAt(100), Math.min(leftoverPods, old), 100);
  return rows;
}

/** Drops rows with the same pods and requests as the previous row. */
export function dropUnchangedRows(rows: readonly RevisionRow[]): RevisionRow[] {
  const isSameRow = (a: RevisionRow, b: RevisionRow) =>
    a.newPods === b.newPods && a.oldPods === b.oldPods && a.latestTrafficPercent === b.latestTrafficPercent;
  return rows.filter((row, index) => index === 0 || !isSameRow(row, rows[index - 1]!));
}

export function buildRevisionSimulation(scale: RevisionScale, replicas: number, rows: readonly RevisionRow[]): RevisionSimulation {
  const waves = rows.map(({ newPods, oldPods, available, latestTrafficPercent }, index): RevisionWave => ({
    wave: index + 1,
    newPods,
    oldPods,
    total: newPods + oldPods,
    available,
    latestTrafficPercent,
  }));
  return {
    kind: 'revision',
    replicas,
    peakPods: findMax(
      waves.map(({ total }) => total),
      replicas,
    ),
    minAvailable: findMin(
      waves.map(({ available }) => available),
      replicas,
    ),
    latestTrafficPercent: scale.trafficPercent,
    waves,
  };
}

/**
 * Simulates how Knative replaces a Revision, wave by wave. The new Revision gets all of its pods next to the old one's, and requests move
 * only once they are ready. An old Revision without requests keeps its pods for some more seconds, then loses all of them at once.
 *
 * 4 pods, min-scale 4: new/old 1/4, 4/4, 4/4 with all requests, 4/0.
 *
 * Source: Knative 1.21, pkg/reconciler/revision/resources/deploy.go, pkg/reconciler/autoscaling/kpa/scaler.go, pkg/reconciler/route.
 *
 * @param needed - the pods that the requests need, before and after
 */
export function simulateRevision(scale: RevisionScale, needed: number): RevisionSimulation {
  const oldPods = countInitialRevisionPods(scale, needed);
  const rows = [...buildRowsUntilReady(scale, oldPods), ...buildRowsAfterReady(scale, needed)];
  return buildRevisionSimulation(scale, oldPods, dropUnchangedRows(rows));
}

/** Returns the wave in which the new Revision waits for all of its pods. */
function findReadyWave({ minScale, initialScale }: RevisionScale): number {
  return initialScale < minScale ? 2 : 1;
}

/**
 * Computes the outcome if at most `capacity` pods run at once.
 *
 *     old + max(needed, A) <= capacity      fits, where A is the number of pods at which the new Revision is ready
 *     capacity - old < A                    deadlocks: each Revision waits for the other, for its readiness or its capacity
 *     otherwise                             slower: the new one grows as the old one shrinks
 *
 * 4 old pods, A = 4: capacity 8 fits, capacity 7 deadlocks.
 *
 * Pods that a quota refuses keep the Revision from becoming ready, even if one ready pod would be enough.
 */
export function computeRevisionOutcome(
  scale: RevisionScale,
  { replicas, peakPods, waves }: RevisionSimulation,
  capacity: number,
  areRefused: boolean,
): CapacityOutcome {
  if (capacity >= peakPods) return { verdict: 'fits' };
  const requiredPods = areRefused ? countPodsUntilReady(scale) : scale.requiredReadyPods;
  if (capacity - replicas < requiredPods) return { verdict: 'deadlocks', deadlockWave: findReadyWave(scale) };
  const creating = waves.filter(({ newPods }, index) => newPods > (waves[index - 1]?.newPods ?? 0)).length;
  return { verdict: 'slower', iterations: creating + 1 };
}

/**
 * Computes the duration: until the pods are ready, for the traffic steps, and until the old Revision has lost its pods. A Revision without
 * a ready pod is abandoned after its deadline and the grace period; until then only its own pods are affected.
 */
export function computeRevisionDuration(
  scale: RevisionScale,
  { replicas, latestTrafficPercent }: RevisionSimulation,
  { startup }: PodTimings,
  capacity?: CapacityDelay,
): RolloutDuration {
  const { percents, seconds } = computeTrafficSteps(scale);
  const leaves = latestTrafficPercent === 100 && replicas > 0 ? scale.graceSeconds : 0;
  const total = Math.round(startup + (percents.length - 1) * seconds + leaves);
  return {
    startupSeconds: startup,
    lowerBoundSeconds: total,
    expectedSeconds: capacity?.deadlocks ? null : total,
    abortSeconds: scale.progressDeadline + scale.graceSeconds,
    blastRadius: countPodsUntilReady(scale),
  };
}
