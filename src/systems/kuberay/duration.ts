import type { RolloutDuration } from '../../core/rollout';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import type { CapacityDelay } from '../../cluster/workload';
import { simulateUpgradeSteps } from './simulate';
import type { RayStartup } from './simulate';
import type { UpgradePace } from './upgrade-loop';
import { countPodsAt } from './worker-groups';
import type { WorkerGroup } from './worker-groups';

/** Seconds after which the operator looks again. Source: KubeRay v1.7.0 `rayservice_controller.go`, ServiceDefaultRequeueDuration. */
const REQUEUE_SECONDS = 2;

/** An upgrade to time. */
export interface UpgradeTiming {
  /** Of an incremental upgrade. */
  readonly pace?: UpgradePace;
  readonly groups: readonly WorkerGroup[];
  readonly simulation: RayServiceSimulation;
  readonly startup: RayStartup;
  /** Seconds after which a worker without replicas is given back. */
  readonly idle: number;
}

/** Ray's start-up waits for the head in every worker, so that the two follow each other. */
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
 * The pods of the new cluster while none of its traffic has moved, as far as there is room: its head, and the workers of the first raise.
 */
function countFirstPods({ groups, simulation: { type, steps } }: UpgradeTiming, delay: CapacityDelay | undefined): number {
  const beforeTraffic = steps.findLast(({ pendingTraffic }) => pendingTraffic === 0);
  const pods = countPods(groups, type === 'NewCluster' ? 100 : (beforeTraffic?.pendingTargetCapacity ?? 0));
  return delay ? Math.min(pods, Math.max(0, delay.podsWithRoom - countPods(groups, 100))) : pods;
}

/**
 * How long the upgrade of a RayService takes.
 *
 *     lower bound = the loop's own time
 *     expected    = the loop with a reconcile every 2 s; where old workers have to make room, each raise after the first waits until they
 *                   have been idle for long enough
 *     abort       = never: nothing gives up a new cluster that does not get ready, and the old one keeps the traffic
 *     blast       = the head of the new cluster and the workers of its first raise, as far as there is room
 *
 * @param room where quotas or capacity limit the upgrade
 */
export function computeUpgradeDuration(upgrade: UpgradeTiming, delay?: CapacityDelay): RolloutDuration | undefined {
  const { simulation, startup } = upgrade;
  const { outcome, durationSeconds } = simulation;
  if (outcome === 'none') return undefined;
  const ends = outcome === 'promoted' && !delay?.deadlocks;
  return {
    startupSeconds: Math.max(startup.headSeconds, startup.workerSeconds),
    lowerBoundSeconds: durationSeconds,
    expectedSeconds: ends ? computeExpectedSeconds(upgrade, delay?.waitsForOldPods === true) : null,
    abortSeconds: null,
    blastRadius: countFirstPods(upgrade, delay),
  };
}
