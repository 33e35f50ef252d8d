import { MAX_INT32 } from '../core/int-or-percent';
import { valueAt } from '../core/manifest';
import type { DeploymentSimulation, RolloutDuration, StatefulSetSimulation } from '../core/rollout';
import { startupSecondsOf } from '../core/startup';
import type { Workload } from '../cluster/workload';
import type { JudgedRoom, LimitedRollout } from '../cluster/room/rollout-room';
import { DEPLOYMENT_DEFAULTS } from './strategy';

/** What the API server fills in for a pod. */
const DEFAULT_GRACE_SECONDS = 30;

/** What is known of the pods that a rollout waits for. */
type TimedPods = Pick<Workload, 'template' | 'minReadySeconds' | 'progressDeadlineSeconds' | 'startsInOrder' | 'ignoresMinReady'>;

/** A rollout to time. */
export type TimedRollout = Pick<LimitedRollout, 'simulation' | 'isRecreate'> & { readonly workload: TimedPods };

function graceSecondsOf({ template }: TimedPods): number {
  const seconds = valueAt(template, 'spec', 'terminationGracePeriodSeconds');
  return typeof seconds === 'number' && seconds >= 0 ? seconds : DEFAULT_GRACE_SECONDS;
}

/** When a Deployment without progress counts as failed; null where its deadline is the largest number, which switches it off. */
function deadlineOf({ progressDeadlineSeconds = DEPLOYMENT_DEFAULTS.progressDeadlineSeconds }: TimedPods): number | null {
  return progressDeadlineSeconds === MAX_INT32 ? null : progressDeadlineSeconds;
}

type Course = Omit<RolloutDuration, 'startupSeconds'>;

/** Seconds that a pod needs: to be ready, then to be available, and to be gone once it is deleted. */
interface PodSeconds {
  readonly startup: number;
  readonly minReady: number;
  readonly grace: number;
}

/** A new pod starts `seconds` after the one that is so many `pods` before it. */
interface Wait {
  readonly pods: number;
  readonly seconds: number;
}

/**
 * The longest that the waits of `pods` pods for each other add up to: as many of both kinds, in any order, as fit into them.
 *
 * `forReady.pods` waits for a place span as many pods as `forPlace.pods` waits for readiness: of the kind that lasts less long, so many
 * are never needed. That leaves at most √pods + 1 cases, 46,341 for 2,147,483,647 pods.
 */
function longestWait(pods: number, forReady: Wait, forPlace: Wait): number {
  const most = Math.floor(pods / forPlace.pods);
  if (forPlace.pods <= forReady.pods) return most * forPlace.seconds;
  const placesTakeLonger = forPlace.seconds * forReady.pods >= forReady.seconds * forPlace.pods;
  const first = placesTakeLonger ? Math.max(0, most - forReady.pods) : 0;
  const last = placesTakeLonger ? most : Math.min(most, forReady.pods);
  let longest = 0;
  for (let places = first; places <= last; places++) {
    const others = Math.floor((pods - places * forPlace.pods) / forReady.pods);
    longest = Math.max(longest, places * forPlace.seconds + others * forReady.seconds);
  }
  return longest;
}

/**
 * Seconds until every new pod of a rolling update is available, with places for `places` pods (at least the replicas), where a deleted
 * pod gives its place back after its grace period.
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
function rollingSeconds({ replicas, surge, unavailable }: DeploymentSimulation, places: number, seconds: PodSeconds): number {
  const { grace } = seconds;
  const ready = seconds.startup + seconds.minReady;
  const free = places - replicas;
  const forReady = { pods: surge + unavailable, seconds: ready };
  const forPlace = { pods: free + unavailable, seconds: ready + grace };
  const fromStart = longestWait(replicas - 1, forReady, forPlace);
  const fromFirstPlace = free < replicas ? grace + longestWait(replicas - 1 - free, forReady, forPlace) : 0;
  return Math.max(fromStart, fromFirstPlace) + ready;
}

/** Pods of the new version before any of them is available. */
interface FirstPods {
  readonly atStart: number;
  /** Once the pods deleted at the start are gone. */
  readonly later: number;
}

function firstPods({ replicas, surge, unavailable }: DeploymentSimulation, places: number): FirstPods {
  const wanted = Math.min(replicas, surge + unavailable);
  const within = (room: number) => Math.max(0, Math.min(wanted, room));
  return { atStart: within(places - replicas), later: within(places - replicas + unavailable) };
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
function deploymentCourse(
  { workload, isRecreate }: TimedRollout,
  simulation: DeploymentSimulation,
  seconds: PodSeconds,
  room?: JudgedRoom,
): Course {
  const deadline = deadlineOf(workload);
  const { deadlocks = false, podsWithRoom = Infinity, podsAdmitted = Infinity } = room?.delay ?? {};
  // More than all old and all new ones never exist.
  const places = Math.min(podsWithRoom, 2 * simulation.replicas);
  const readySeconds = seconds.startup + seconds.minReady;
  const expected = isRecreate ? seconds.grace + readySeconds : rollingSeconds(simulation, places, seconds);
  const admitted = firstPods(simulation, podsAdmitted);
  const isCreatedLate = isRecreate || admitted.later > admitted.atStart;
  return {
    lowerBoundSeconds: (room?.verdict.iterations ?? simulation.iterations) * readySeconds,
    expectedSeconds: deadlocks ? null : expected,
    abortSeconds: deadline === null ? null : deadline + (isCreatedLate ? seconds.grace : 0),
    blastRadius: firstPods(simulation, places).later,
  };
}

/**
 * A StatefulSet waits for the pods of a batch to be gone, then for their successors: one after another in OrderedReady, together in
 * Parallel. Nothing ever notices a broken one; the set stands still with the pods of a batch down, of which OrderedReady starts one.
 */
function statefulSetCourse({ workload }: TimedRollout, simulation: StatefulSetSimulation, seconds: PodSeconds, room?: JudgedRoom): Course {
  const { replicas, partition, maxUnavailable, minAvailable } = simulation;
  const { startup, minReady, grace } = seconds;
  const updated = replicas - partition;
  const batches = Math.ceil(updated / maxUnavailable);
  const starts = workload.startsInOrder ? updated : batches;
  const lowerBoundSeconds = workload.ignoresMinReady ? starts * startup + minReady : starts * (startup + minReady);
  return {
    lowerBoundSeconds,
    expectedSeconds: room?.delay.deadlocks ? null : lowerBoundSeconds + batches * grace,
    abortSeconds: null,
    blastRadius: replicas - minAvailable,
  };
}

/** Does the change reach no pod by itself, as with OnDelete and a partition above all of them? */
function updatesNothing(simulation: DeploymentSimulation | StatefulSetSimulation): boolean {
  return simulation.replicas === 0 || (simulation.kind === 'statefulset' && simulation.order.length === 0);
}

/**
 * How long a rollout takes, until the last pod of the new version is available, and how much a broken image breaks before it is noticed;
 * undefined where nobody says how long a pod takes to become ready, and where no pod is replaced.
 *
 * Every pod is taken to start and to stop in the same seconds, and the controllers to act at once, though a ReplicaSet that a quota refused
 * may try again only after up to 1,000 s (k/k#98656).
 *
 * @param givenSeconds start-up seconds of the whole plan; 0 says nothing
 * @param room where quotas or capacity limit the rollout
 */
export function rolloutDuration(rollout: TimedRollout, givenSeconds: number, room?: JudgedRoom): RolloutDuration | undefined {
  const { workload, simulation } = rollout;
  const startupSeconds = startupSecondsOf(workload.template, givenSeconds);
  if (startupSeconds === undefined || updatesNothing(simulation)) return undefined;
  const seconds = { startup: startupSeconds, minReady: workload.minReadySeconds ?? 0, grace: graceSecondsOf(workload) };
  const course =
    simulation.kind === 'deployment'
      ? deploymentCourse(rollout, simulation, seconds, room)
      : statefulSetCourse(rollout, simulation, seconds, room);
  return { startupSeconds, ...course };
}
