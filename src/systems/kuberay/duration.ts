import type { RolloutDuration } from '../../core/document/rollout';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import type { CapacityDelay } from '../../cluster/rollout/pod-rollout';
import { simulateUpgradeSteps } from './simulate';
import type { RayStartup } from './simulate';
import type { UpgradePace } from './upgrade-loop';
import { countPodsAt } from './worker-groups';
import type { WorkerGroup } from './worker-groups';

/** Seconds after which the operator reconciles again. Source: KubeRay v1.7.0 `rayservice_controller.go`, ServiceDefaultRequeueDuration. */
const REQUEUE_SECONDS = 2;

/** Inputs for the duration of an upgrade. */
export interface UpgradeTiming {
  /** Pace of an incremental upgrade. */
  readonly pace?: UpgradePace;
  readonly groups: readonly WorkerGroup[];
  readonly simulation: RayServiceSimulation;
  readonly startup: RayStartup;
  /** Seconds after which a worker without replicas is removed. */
  readonly idle: number;
}

/** Computes the seconds until a new cluster is ready. Every worker waits for the head, so the two start-up times add up. */
function computeNewClusterSeconds({ headSeconds, workerSeconds }: RayStartup): number {
  return Math.ceil((headSeconds + workerSeconds) / REQUEUE_SECONDS) * REQUEUE_SECONDS;
}

function computeExpectedSeconds({ pace, simulation, startup, idle }: UpgradeTiming, waitsForOldPods: boolean): number {
  if (simulation.type === 'NewCluster' || !pace) return computeNewClusterSeconds(startup);
  const delays = { requeueSeconds: REQUEUE_SECONDS, oldPodSeconds: waitsForOldPods ? idle : 0 };
  return simulateUpgradeSteps(pace, startup, delays).at(-1)!.elapsedSeconds;
}

function countPods(groups: readonly WorkerGroup[], capacity: number): number {
  return groups.reduce((pods, group) => pods + countPodsAt(group, capacity), 1);
}

/**
 * Counts the pods of the new cluster before any traffic moves, limited by capacity: its head and the workers of the first capacity
 * increase.
 */
function countFirstPods({ groups, simulation: { type, steps } }: UpgradeTiming, delay: CapacityDelay | undefined): number {
  const beforeTraffic = steps.findLast(({ pendingTraffic }) => pendingTraffic === 0);
  const pods = countPods(groups, type === 'NewCluster' ? 100 : (beforeTraffic?.pendingTargetCapacity ?? 0));
  return delay ? Math.min(pods, Math.max(0, delay.podsWithRoom - countPods(groups, 100))) : pods;
}

/**
 * Computes how long the upgrade of a RayService takes.
 *
 *     lower bound = the time of the upgrade loop
 *     expected    = the loop with a reconcile every 2 s; if old workers must free capacity, each capacity increase after the first waits
 *                   until they have been idle long enough to be removed
 *     abort       = never: the operator does not give up on a new cluster that never becomes ready, and the old one keeps the traffic
 *     blast       = the head of the new cluster and the workers of its first capacity increase, if they fit
 *
 * For surge 20, step 5 and interval 10, the lower bound is 200 s and the expected time is 202 s.
 *
 * @param delay the limit from quotas or capacity, if they limit the upgrade
 */
export function computeUpgradeDuration(upgrade: UpgradeTiming, delay?: CapacityDelay): RolloutDuration | undefined {
  const { simulation, startup } = upgrade;
  const { outcome, durationSeconds } = simulation;
  if (outcome === 'none') return undefined;
  const finishes = outcome === 'promoted' && !delay?.deadlocks;
  return {
    startupSeconds: Math.max(startup.headSeconds, startup.workerSeconds),
    lowerBoundSeconds: durationSeconds,
    expectedSeconds: finishes ? computeExpectedSeconds(upgrade, delay?.waitsForOldPods === true) : null,
    abortSeconds: null,
    blastRadius: countFirstPods(upgrade, delay),
  };
}
