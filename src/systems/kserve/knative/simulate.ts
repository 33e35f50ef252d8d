import type { CapacityDelay, CapacityOutcome } from '../../../cluster/workload';
import type { RolloutDuration } from '../../../core/rollout';
import type { RevisionSimulation, RevisionWave } from '../../../core/simulations/revision';
import type { PodTimings } from '../../../workloads/pod-timings';
import type { RevisionScale } from './scale';
import { findMax, findMin } from '../../../core/min-max';

/** A row before it has its number. */
type Row = Omit<RevisionWave, 'wave' | 'total'>;

/** Seconds until the ingress knows a new Revision, at least: so long is each step of a rollout-duration. */
const INGRESS_DELAY_SECONDS = 1;

/** Pods of a Revision that gets so many percent of the requests: what they need, and never fewer than min-scale. */
function computePodsForTraffic(percent: number, needed: number, { minScale }: RevisionScale): number {
  return Math.max(minScale, Math.ceil((needed * percent) / 100));
}

/** Pods that the new Revision gets before it may be ready: the autoscaler raises it from its initial scale to its min-scale at once. */
function newPodsOf({ minScale, initialScale }: RevisionScale): number {
  return Math.max(minScale, initialScale);
}

/** The steps of a rollout-duration: their percentages, and the seconds between two. */
export interface TrafficSteps {
  readonly percents: readonly number[];
  readonly seconds: number;
}

/**
 * How the requests move to the new Revision. With a duration D of some seconds, to a target of p percent, where the ingress is ready after m:
 *
 *     d = max(1, D - m)    n = min(max(1, d / m), p - 1)    step = round((p - 1) / n)    each d / n seconds, 1 percent at once
 *
 * 60 s to 100 %: 1, 3, 5, … 99, 100.
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

/** The rows before the new Revision is ready: as it is created, and once the autoscaler has seen it. */
function buildRowsUntilReady({ minScale, initialScale }: RevisionScale, oldPods: number): Row[] {
  const row = (newPods: number): Row => ({ newPods, oldPods, available: oldPods, latestTrafficPercent: 0 });
  return initialScale < minScale ? [row(initialScale), row(minScale)] : [row(initialScale)];
}

/** What stands at a row, and which of the new pods were there before it, so are ready. */
function buildSharedRow(newPods: number, oldPods: number, before: number, latestTrafficPercent: number): Row {
  return { newPods, oldPods, available: oldPods + Math.min(newPods, before), latestTrafficPercent };
}

/** The rows from the moment at which the Revision is ready: requests move, both scale with their share, and an old one without any goes. */
function buildRowsAfterReady(scale: RevisionScale, needed: number): Row[] {
  const rows: Row[] = [];
  let ready = newPodsOf(scale);
  const add = (newPods: number, oldPods: number, percent: number) => {
    rows.push(buildSharedRow(newPods, oldPods, ready, percent));
    ready = newPods;
  };
  const [first, ...further] = computeTrafficSteps(scale).percents;
  add(ready, needed, first!);
  for (const percent of further) {
    const old = percent < 100 ? computePodsForTraffic(100 - percent, needed, scale) : rows.at(-1)!.oldPods;
    add(computePodsForTraffic(percent, needed, scale), old, percent);
  }
  const { trafficPercent, leftoverPods } = scale;
  if (trafficPercent < 100) {
    add(computePodsForTraffic(trafficPercent, needed, scale), computePodsForTraffic(100 - trafficPercent, needed, scale), trafficPercent);
    return rows;
  }
  const old = rows.at(-1)!.oldPods;
  add(computePodsForTraffic(100, needed, scale), old, 100);
  add(computePodsForTraffic(100, needed, scale), Math.min(leftoverPods, old), 100);
  return rows;
}

/** Rows without those that show the pods and the requests of the one before. */
function dropUnchangedRows(rows: readonly Row[]): Row[] {
  const isSameRow = (a: Row, b: Row) =>
    a.newPods === b.newPods && a.oldPods === b.oldPods && a.latestTrafficPercent === b.latestTrafficPercent;
  return rows.filter((row, index) => index === 0 || !isSameRow(row, rows[index - 1]!));
}

function buildSimulation(scale: RevisionScale, replicas: number, rows: readonly Row[]): RevisionSimulation {
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
 * How Knative replaces a Revision, wave by wave: the new one gets all of its pods beside the old one's,
 * and only once they are ready requests move. An old Revision that gets none keeps its pods for some seconds more,
 * then loses them all at once.
 *
 * 4 pods, min-scale 4: new/old 1/4, 4/4, 4/4 with all requests, 4/0.
 *
 * Source: Knative 1.21, pkg/reconciler/revision/resources/deploy.go, pkg/reconciler/autoscaling/kpa/scaler.go, pkg/reconciler/route.
 *
 * @param needed pods that run before, and that the requests go on needing
 */
export function simulateRevision(scale: RevisionScale, needed: number): RevisionSimulation {
  return buildSimulation(scale, needed, dropUnchangedRows([...buildRowsUntilReady(scale, needed), ...buildRowsAfterReady(scale, needed)]));
}

/** The wave in which the new Revision waits for all of its pods. */
function findReadyWave({ minScale, initialScale }: RevisionScale): number {
  return initialScale < minScale ? 2 : 1;
}

/**
 * What becomes of it while at most `room` pods run at once.
 *
 *     old + max(needed, A) <= room      fits, where A are the pods at which the new Revision is ready
 *     room - old < A                    deadlock: the old one waits for the new one, and the new one for the old one's places
 *     else                              slower: the new one grows as the old one goes
 *
 * Pods that a quota refuses keep the Revision from being ready, also where one ready pod would do.
 */
export function computeRevisionOutcome(
  scale: RevisionScale,
  { replicas, peakPods, waves }: RevisionSimulation,
  capacity: number,
  areRefused: boolean,
): CapacityOutcome {
  if (capacity >= peakPods) return { verdict: 'fits' };
  const requiredPods = areRefused ? newPodsOf(scale) : scale.requiredReadyPods;
  if (capacity - replicas < requiredPods) return { verdict: 'deadlocks', deadlockWave: findReadyWave(scale) };
  const creating = waves.filter(({ newPods }, index) => newPods > (waves[index - 1]?.newPods ?? 0)).length;
  return { verdict: 'slower', iterations: creating + 1 };
}

/**
 * The rows of a rollout without room for the new Revision: none of its pods runs, and Knative takes them back after the deadline, or some do
 * and hold their places for good.
 *
 * Source: Knative 1.21, pkg/reconciler/autoscaling/kpa/scaler.go, `handleScaleToZero`; resources/pa.go, `reachability`.
 */
export function simulateHaltedRevision(
  scale: RevisionScale,
  { replicas }: RevisionSimulation,
  { podsWithRoom, podsAdmitted = Infinity }: CapacityDelay,
): RevisionSimulation {
  const countExisting = (pods: number) => Math.max(0, Math.min(pods, podsAdmitted - replicas));
  const waiting = buildRowsUntilReady(scale, replicas).map((row) => ({ ...row, newPods: countExisting(row.newPods) }));
  const givesUp = podsWithRoom <= replicas;
  const abandonedRow: Row = { newPods: 0, oldPods: replicas, available: replicas, latestTrafficPercent: 0 };
  return {
    ...buildSimulation({ ...scale, trafficPercent: 0 }, replicas, givesUp ? [...waiting, abandonedRow] : waiting),
    halted: {
      wave: waiting.length,
      reason: 'insufficient-capacity',
      ...(givesUp && { afterSeconds: scale.progressDeadline + scale.graceSeconds }),
    },
  };
}

/**
 * How long it takes: until the pods are ready, for the steps of the requests, and until the old Revision has lost its pods.
 * A Revision none of whose pods gets ready is given up after its deadline and the grace period; until then it breaks its own pods alone.
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
    blastRadius: newPodsOf(scale),
  };
}
