import { MAX_INT32 } from '../../core/int-or-percent';
import { valueAt } from '../../core/manifest';
import type { DeploymentSimulation, RolloutDuration, StatefulSetSimulation } from '../../core/rollout';
import { startupSecondsOf } from '../../core/startup';
import type { Workload } from '../../core/workload';
import type { JudgedRoom, LimitedRollout } from './rollout-room';
import { DEPLOYMENT_DEFAULTS } from './strategy';

/** What the API server fills in for a pod. */
const DEFAULT_GRACE_SECONDS = 30;

/** What is known of the pods that a rollout waits for. */
type TimedPods = Pick<Workload, 'template' | 'minReadySeconds' | 'progressDeadlineSeconds' | 'startsInOrder'>;

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

/**
 * A Deployment waits for its pods once an iteration:
 *
 *     lower bound = iterations × (start-up + minReadySeconds)
 *     expected    = lower bound + grace period, once an iteration where new pods need the places of old ones, once for Recreate
 *     abort       = progressDeadlineSeconds after the last progress, which is the first wave; after the old pods are gone for Recreate
 *     blast       = min(replicas, surge + unavailable), as far as there is room
 *
 * 4 replicas, surge 1, unavailable 0, start-up 60: 240 s; a broken image is noticed after 600 s, with 1 pod broken.
 */
function deploymentCourse(
  { workload, isRecreate }: TimedRollout,
  simulation: DeploymentSimulation,
  readySeconds: number,
  room?: JudgedRoom,
): Course {
  const { replicas, surge, unavailable } = simulation;
  const grace = graceSecondsOf(workload);
  const deadline = deadlineOf(workload);
  const iterations = room?.verdict.iterations ?? simulation.iterations;
  const graceWaits = isRecreate ? 1 : room?.delay.waitsForOldPods ? iterations : 0;
  const lowerBoundSeconds = iterations * readySeconds;
  const startable = room ? Math.max(0, room.delay.podsWithRoom - (replicas - unavailable)) : Infinity;
  return {
    lowerBoundSeconds,
    expectedSeconds: room?.delay.deadlocks ? null : lowerBoundSeconds + graceWaits * grace,
    abortSeconds: deadline === null ? null : deadline + (isRecreate ? grace : 0),
    blastRadius: Math.min(replicas, surge + unavailable, startable),
  };
}

/**
 * A StatefulSet waits for the pods of a batch to be gone, then for their successors: one after another in OrderedReady, together in
 * Parallel. Nothing ever notices a broken one; the set stands still.
 */
function statefulSetCourse({ workload }: TimedRollout, simulation: StatefulSetSimulation, readySeconds: number, room?: JudgedRoom): Course {
  const { replicas, partition, maxUnavailable, batches, minAvailable } = simulation;
  const updated = batches.length === 0 ? 0 : replicas - partition;
  const waves = Math.ceil(updated / maxUnavailable);
  const lowerBoundSeconds = (workload.startsInOrder ? updated : waves) * readySeconds;
  return {
    lowerBoundSeconds,
    expectedSeconds: room?.delay.deadlocks ? null : lowerBoundSeconds + waves * graceSecondsOf(workload),
    abortSeconds: null,
    blastRadius: replicas - minAvailable,
  };
}

/**
 * How long a rollout takes, and how much a broken image breaks before it is noticed; undefined where nobody says how long a pod takes to
 * become ready, and for no replicas.
 *
 * @param givenSeconds start-up seconds of the whole plan; 0 says nothing
 * @param room where quotas or capacity limit the rollout
 */
export function rolloutDuration(rollout: TimedRollout, givenSeconds: number, room?: JudgedRoom): RolloutDuration | undefined {
  const { workload, simulation } = rollout;
  const startupSeconds = startupSecondsOf(workload.template, givenSeconds);
  if (startupSeconds === undefined || simulation.replicas === 0) return undefined;
  const readySeconds = startupSeconds + (workload.minReadySeconds ?? 0);
  const course =
    simulation.kind === 'deployment'
      ? deploymentCourse(rollout, simulation, readySeconds, room)
      : statefulSetCourse(rollout, simulation, readySeconds, room);
  return { startupSeconds, ...course };
}
