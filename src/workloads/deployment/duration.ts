import { MAX_INT32 } from '../../core/values/int-or-percent';
import type { RolloutDuration } from '../../core/document/rollout';
import type { DeploymentSimulation } from '../../core/simulations/deployment';
import type { CapacityDelay } from '../../cluster/rollout/pod-rollout';
import type { PodTimings } from '../pod-timings';

/** The settings of a Deployment, in addition to its limits, that affect how long a rollout takes. */
export interface DeploymentDurationOptions {
  readonly isRecreate: boolean;
  /** Seconds without progress after which the rollout counts as failed. The largest int32 disables this. */
  readonly progressDeadlineSeconds: number;
}

/** A dependency between new pods: each starts `seconds` after the pod that is `pods` before it. */
interface Wait {
  readonly pods: number;
  readonly seconds: number;
}

/**
 * Computes the longest chain of waits among `pods` pods: any mix of waits for readiness and waits for a slot that fits into them.
 *
 * `forReady.pods` waits for a slot span as many pods as `forSlot.pods` waits for readiness. The longest chain therefore never has
 * that many waits of the shorter kind. That leaves at most √pods + 1 cases, 46,341 for 2,147,483,647 pods.
 *
 * 10 pods, 60 s per 2 pods for readiness, 90 s per 5 pods for a slot: 5 × 60 = 300 s.
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
 * Computes the seconds until every new pod of a rolling update is available, with capacity for `slots` pods (at least the replicas).
 * A deleted pod frees its slot after its grace period.
 *
 * With R replicas, b = surge + unavailable pods in flight, f = slots - R free slots, P = start-up + minReadySeconds and G grace:
 *
 *     start(n) = the latest of 0
 *                              G                      if n > f: it uses the slot of a pod that is deleted at the start
 *                              start(n - b) + P       if n > b: only b pods are in flight
 *                              start(n - c) + P + G   if n > c = f + unavailable: it uses the slot of the old pod that is deleted when
 *                                                     pod n - c is available
 *     seconds  = start(R) + P
 *
 * 4 replicas, surge 1, unavailable 0, P 60, G 300, 5 slots: pods start at 0, 360, 720 and 1080, and the last is available after 1140 s.
 * A property test compares it with the controller's loop run against a clock (`test/workloads/deployment/clock.ts`).
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

/** The number of new pods before any of them is available. */
interface FirstPodCounts {
  readonly atStart: number;
  /** After the pods deleted at the start are gone. */
  readonly later: number;
}

function countFirstPods({ replicas, surge, unavailable }: DeploymentSimulation, slots: number): FirstPodCounts {
  const wanted = Math.min(replicas, surge + unavailable);
  const capAt = (capacity: number) => Math.max(0, Math.min(wanted, capacity));
  return { atStart: capAt(slots - replicas), later: capAt(slots - replicas + unavailable) };
}

/**
 * Computes how long a Deployment rollout takes:
 *
 *     lower bound = iterations × (start-up + minReadySeconds)
 *     expected    = including the waits for slots of old pods (`computeRollingSeconds`); for Recreate including one grace period
 *     abort       = progressDeadlineSeconds after the last progress. That is the start, or one grace period later if new pods can't be
 *                   created before: for Recreate, and if a quota counts deleted pods until they are gone. A pod that exists and waits
 *                   for a node is no progress.
 *     blast       = min(replicas, surge + unavailable), limited by capacity
 *
 * 4 replicas, surge 1, unavailable 0, start-up 60: 240 s; a broken image is detected after 600 s, with 1 pod broken.
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
  // There are never more pods than all old and all new ones.
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
