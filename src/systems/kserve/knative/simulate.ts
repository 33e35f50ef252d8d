import type { RoomDelay, RoomOutcome } from '../../../cluster/workload';
import type { RolloutDuration } from '../../../core/rollout';
import type { RevisionSimulation, RevisionWave } from '../../../core/simulations/revision';
import type { PodSeconds } from '../../../workloads/pod-seconds';
import type { RevisionScale } from './scale';
import { greatest, least } from '../../../core/extremes';

/** A row before it has its number. */
type Row = Omit<RevisionWave, 'wave' | 'total'>;

/** Seconds until the ingress knows a new Revision, at least: so long is each step of a rollout-duration. */
const INGRESS_SECONDS = 1;

/** Pods of a Revision that gets so many percent of the requests: what they need, and never fewer than min-scale. */
function podsFor(percent: number, needed: number, { minScale }: RevisionScale): number {
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
export function trafficSteps({ trafficPercent, rolloutSeconds }: RevisionScale): TrafficSteps {
  if (rolloutSeconds === 0 || trafficPercent <= 1) return { percents: [trafficPercent], seconds: 0 };
  const left = Math.max(1, rolloutSeconds - INGRESS_SECONDS);
  const count = Math.min(Math.max(1, Math.floor(left / INGRESS_SECONDS)), trafficPercent - 1);
  const size = Math.round((trafficPercent - 1) / count);
  const percents = [];
  for (let percent = 1; percent < trafficPercent; percent += size) percents.push(percent);
  return { percents: [...percents, trafficPercent], seconds: left / count };
}

/** The rows before the new Revision is ready: as it is created, and once the autoscaler has seen it. */
function rowsUntilReady({ minScale, initialScale }: RevisionScale, oldPods: number): Row[] {
  const row = (newPods: number): Row => ({ newPods, oldPods, available: oldPods, latestTrafficPercent: 0 });
  return initialScale < minScale ? [row(initialScale), row(minScale)] : [row(initialScale)];
}

/** What stands at a row, and which of the new pods were there before it, so are ready. */
function sharedRow(newPods: number, oldPods: number, before: number, latestTrafficPercent: number): Row {
  return { newPods, oldPods, available: oldPods + Math.min(newPods, before), latestTrafficPercent };
}

/** The rows from the moment at which the Revision is ready: requests move, both scale with their share, and an old one without any goes. */
function rowsOnceReady(scale: RevisionScale, needed: number): Row[] {
  const rows: Row[] = [];
  let ready = newPodsOf(scale);
  const add = (newPods: number, oldPods: number, percent: number) => {
    rows.push(sharedRow(newPods, oldPods, ready, percent));
    ready = newPods;
  };
  const [first, ...further] = trafficSteps(scale).percents;
  add(ready, needed, first!);
  for (const percent of further) {
    const old = percent < 100 ? podsFor(100 - percent, needed, scale) : rows.at(-1)!.oldPods;
    add(podsFor(percent, needed, scale), old, percent);
  }
  const { trafficPercent, leftOver } = scale;
  if (trafficPercent < 100) {
    add(podsFor(trafficPercent, needed, scale), podsFor(100 - trafficPercent, needed, scale), trafficPercent);
    return rows;
  }
  const old = rows.at(-1)!.oldPods;
  add(podsFor(100, needed, scale), old, 100);
  add(podsFor(100, needed, scale), Math.min(leftOver, old), 100);
  return rows;
}

/** Rows without those that show the pods and the requests of the one before. */
function changed(rows: readonly Row[]): Row[] {
  const areSame = (a: Row, b: Row) =>
    a.newPods === b.newPods && a.oldPods === b.oldPods && a.latestTrafficPercent === b.latestTrafficPercent;
  return rows.filter((row, index) => index === 0 || !areSame(row, rows[index - 1]!));
}

function simulationOf(scale: RevisionScale, replicas: number, rows: readonly Row[]): RevisionSimulation {
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
    peakPods: greatest(
      waves.map(({ total }) => total),
      replicas,
    ),
    minAvailable: least(
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
  return simulationOf(scale, needed, changed([...rowsUntilReady(scale, needed), ...rowsOnceReady(scale, needed)]));
}

/** The wave in which the new Revision waits for all of its pods. */
function gateOf({ minScale, initialScale }: RevisionScale): number {
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
export function revisionOutcome(
  scale: RevisionScale,
  { replicas, peakPods, waves }: RevisionSimulation,
  room: number,
  areRefused: boolean,
): RoomOutcome {
  if (room >= peakPods) return { verdict: 'fits' };
  const gate = areRefused ? newPodsOf(scale) : scale.readyAt;
  if (room - replicas < gate) return { verdict: 'deadlocks', deadlockWave: gateOf(scale) };
  const creating = waves.filter(({ newPods }, index) => newPods > (waves[index - 1]?.newPods ?? 0)).length;
  return { verdict: 'slower', iterations: creating + 1 };
}

/**
 * The rows of a rollout without room for the new Revision: none of its pods runs, and Knative takes them back after the deadline, or some do
 * and hold their places for good.
 *
 * Source: Knative 1.21, pkg/reconciler/autoscaling/kpa/scaler.go, `handleScaleToZero`; resources/pa.go, `reachability`.
 */
export function haltedRevision(
  scale: RevisionScale,
  { replicas }: RevisionSimulation,
  { podsWithRoom, podsAdmitted = Infinity }: RoomDelay,
): RevisionSimulation {
  const exist = (pods: number) => Math.max(0, Math.min(pods, podsAdmitted - replicas));
  const waiting = rowsUntilReady(scale, replicas).map((row) => ({ ...row, newPods: exist(row.newPods) }));
  const givesUp = podsWithRoom <= replicas;
  const givenUp: Row = { newPods: 0, oldPods: replicas, available: replicas, latestTrafficPercent: 0 };
  return {
    ...simulationOf({ ...scale, trafficPercent: 0 }, replicas, givesUp ? [...waiting, givenUp] : waiting),
    halted: {
      wave: waiting.length,
      reason: 'no-room',
      ...(givesUp && { afterSeconds: scale.progressDeadline + scale.graceSeconds }),
    },
  };
}

/**
 * How long it takes: until the pods are ready, for the steps of the requests, and until the old Revision has lost its pods.
 * A Revision none of whose pods gets ready is given up after its deadline and the grace period; until then it breaks its own pods alone.
 */
export function revisionDuration(
  scale: RevisionScale,
  { replicas, latestTrafficPercent }: RevisionSimulation,
  { startup }: PodSeconds,
  room?: RoomDelay,
): RolloutDuration {
  const { percents, seconds } = trafficSteps(scale);
  const leaves = latestTrafficPercent === 100 && replicas > 0 ? scale.graceSeconds : 0;
  const total = Math.round(startup + (percents.length - 1) * seconds + leaves);
  return {
    startupSeconds: startup,
    lowerBoundSeconds: total,
    expectedSeconds: room?.deadlocks ? null : total,
    abortSeconds: scale.progressDeadline + scale.graceSeconds,
    blastRadius: newPodsOf(scale),
  };
}
