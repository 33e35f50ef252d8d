import { MAX_INT32 } from '../../core/int-or-percent';
import type { RolloutDuration } from '../../core/rollout';
import type { DeploymentSimulation } from '../../core/simulations/deployment';
import type { CapacityDelay } from '../../cluster/workload';
import type { PodTimings } from '../pod-timings';

/** How a Deployment goes about its rollout, besides its limits. */
export interface DeploymentDurationOptions {
  readonly isRecreate: boolean;
  /** Seconds without progress after which it counts as failed; the largest int32 switches that off. */
  readonly progressDeadlineSeconds: number;
}

/** A new pod starts `seconds` after the one that is so many `pods` before it. */
interface Wait {
  readonly pods: number;
  readonly seconds: number;
}

/**
 * The longest that the waits of `pods` pods for each other add up to: as many of both kinds, in any order, as fit into them.
 *
 * `forReady.pods` waits for a place span as many pods as `forPlace.pods` waits for readiness: of the kind that lasts less long,
 * so many are never needed. That leaves at most √pods + 1 cases, 46,341 for 2,147,483,647 pods.
 */
function computeLongestWait(pods: number, forReady: Wait, forSlot: Wait): number {
  const maxSlotWaits = Math.floor(pods / forSlot.pods);
  if (forSlot.pods <= forReady.pods) return maxSlotWaits * forSlot.seconds;
  const slotsTakeLonger = forSlot.seconds * forReady.pods >= forReady.seconds * forSlot.pods;
  const first = slotsTakeLonger ? Math.max(0, maxSlotWaits - forReady.pods) : 0;
  const last = slotsTakeLonger ? maxSlotWaits : Math.min(maxSlotWaits, forReady.pods);
  let longest = 0;
  for (let slots = first; slots <= last; slots++) {
    const others = Math.floor((pods - slots * forSlot.pods) / forReady.pods);
    longest = Math.max(longest, slots * forSlot.seconds + others * forReady.seconds);
  }
  return longest;
}

/**
 * Seconds until every new pod of a rolling update is available, with places for `places` pods (at least the replicas),
 * where a deleted pod gives its place back after its grace period.
 *
 * With R replicas, b = surge + unavailable pods in flight, f = places - R free places, P = start-up + minReadySeconds and G grace:
 *
 *     start(n) = the latest of 0
 *                              G                      if n > f: it takes the place of a pod that is deleted at the start
 *                              start(n - b) + P       if n > b: only b pods are in flight
 *                              start(n - c) + P + G   if n > c = f + unavailable: it takes the place of the old pod that is deleted when
 *                                                     pod n - c is available
 *     seconds  = start(R) + P
 *
 * 4 replicas, surge 1, unavailable 0, P 60, G 300, 5 places: pods start at 0, 360, 720 and 1080, and the last is available after 1140 s.
 * Held to the controller's loop against a clock (`rollout-clock.ts`) by a property test.
 */
function computeRollingSeconds({ replicas, surge, unavailable }: DeploymentSimulation, slots: number, seconds: PodTimings): number {
  const { grace } = seconds;
  const ready = seconds.startup + seconds.minReady;
  const free = slots - replicas;
  const forReady = { pods: surge + unavailable, seconds: ready };
  const forSlot = { pods: free + unavailable, seconds: ready + grace };
  const fromBeginning = computeLongestWait(replicas - 1, forReady, forSlot);
  const fromFirstSlot = free < replicas ? grace + computeLongestWait(replicas - 1 - free, forReady, forSlot) : 0;
  return Math.max(fromBeginning, fromFirstSlot) + ready;
}

/** Pods of the new version before any of them is available. */
interface FirstPodCounts {
  readonly atStart: number;
  /** Once the pods deleted at the start are gone. */
  readonly later: number;
}

function countFirstPods({ replicas, surge, unavailable }: DeploymentSimulation, slots: number): FirstPodCounts {
  const wanted = Math.min(replicas, surge + unavailable);
  const capAt = (capacity: number) => Math.max(0, Math.min(wanted, capacity));
  return { atStart: capAt(slots - replicas), later: capAt(slots - replicas + unavailable) };
}

/**
 * How long a Deployment takes:
 *
 *     lower bound = iterations × (start-up + minReadySeconds)
 *     expected    = with the waits for the places of old pods (`rollingSeconds`); for Recreate with one grace period
 *     abort       = progressDeadlineSeconds after the last progress: the start, or one grace period later where new pods can only then be
 *                   created, because a quota counts the deleted ones until they are gone, or for Recreate. A pod that exists and waits
 *                   for a node is no progress.
 *     blast       = min(replicas, surge + unavailable), as far as there is room
 *
 * 4 replicas, surge 1, unavailable 0, start-up 60: 240 s; a broken image is noticed after 600 s, with 1 pod broken.
 *
 * What counts as progress: k/k pkg/controller/deployment/util/deployment_util.go, `DeploymentProgressing`.
 */
export function computeDeploymentDuration(
  simulation: DeploymentSimulation,
  seconds: PodTimings,
  { isRecreate, progressDeadlineSeconds }: DeploymentDurationOptions,
  capacity?: CapacityDelay,
): RolloutDuration | undefined {
  if (simulation.replicas === 0) return undefined;
  const { deadlocks = false, podsWithRoom = Infinity, podsAdmitted = Infinity, iterations = simulation.iterations } = capacity ?? {};
  // More than all old and all new ones never exist.
  const slots = Math.min(podsWithRoom, 2 * simulation.replicas);
  const readySeconds = seconds.startup + seconds.minReady;
  const expected = isRecreate ? seconds.grace + readySeconds : computeRollingSeconds(simulation, slots, seconds);
  const admitted = countFirstPods(simulation, podsAdmitted);
  const isCreatedLate = isRecreate || admitted.later > admitted.atStart;
  const isSwitchedOff = progressDeadlineSeconds === MAX_INT32;
  return {
    startupSeconds: seconds.startup,
    lowerBoundSeconds: iterations * readySeconds,
    expectedSeconds: deadlocks ? null : expected,
    abortSeconds: isSwitchedOff ? null : progressDeadlineSeconds + (isCreatedLate ? seconds.grace : 0),
    blastRadius: countFirstPods(simulation, slots).later,
  };
}
