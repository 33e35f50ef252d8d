import type { Manifest } from '../../core/manifest/manifest';
import type { RayServiceRollback, RayServiceSimulation, RayServiceStep } from '../../core/simulations/rayservice';
import { applyCapacityRule, isPromoted, isRolledBack, restoreCapacity, restoreTraffic, shiftTraffic } from './upgrade-loop';
import type { UpgradePace, UpgradeState } from './upgrade-loop';
import { findMax } from '../../core/values/min-max';

/** Start-up times of new pods, and which steps wait for them. */
export interface RayStartup {
  /** Seconds that the head pod takes to become ready. */
  readonly headSeconds: number;
  /** Seconds that a worker pod takes to become ready. */
  readonly workerSeconds: number;
  /**
   * Whether traffic waits for the pods of every capacity increase, and not only of the first one.
   *
   * With a fixed number of replicas, a Serve application is RUNNING again only when they are all up.
   * With Serve's autoscaler it stays RUNNING meanwhile, so traffic moves to replicas that are still starting (KubeRay #3166).
   */
  readonly waitsForEveryRaise: boolean;
}

const INSTANT_STARTUP: RayStartup = { headSeconds: 0, workerSeconds: 0, waitsForEveryRaise: true };

/** Delays that a real operator and a full cluster add to the upgrade loop. */
export interface UpgradeDelays {
  /** Seconds between two reconciles; 0 if each reconcile comes as soon as it can act. */
  readonly requeueSeconds: number;
  /** Seconds that the new pods of a capacity increase wait for old pods to free capacity. The first increase does not wait. */
  readonly oldPodSeconds: number;
}

const NO_DELAYS: UpgradeDelays = { requeueSeconds: 0, oldPodSeconds: 0 };

/** The row at which the new cluster is created: it has no capacity and no traffic yet. */
const INITIAL_STEP: RayServiceStep = {
  elapsedSeconds: 0,
  activeTargetCapacity: 100,
  pendingTargetCapacity: 0,
  activeTraffic: 100,
  pendingTraffic: 0,
};

/** The plan document shows a revert at the first row with this share of the traffic moved. */
const REVERT_TRAFFIC_PERCENT = 50;

/**
 * Simulates the rows of an incremental upgrade, up to the promotion or until nothing can change.
 *
 * Each reconcile comes as soon as it can act. With a start-up time, the head pod of the new cluster starts first, because no capacity
 * is set before it is ready. Then the pods of a capacity increase start. The interval of the first shift starts with the first row.
 *
 * With a requeue interval, a change waits for the next reconcile; a capacity increase and the shift after it can share one.
 * With surge/step/interval 20/5/10 it takes 200 s, or 202 s with a reconcile every 2 s; 1/1/1 takes 100 s or 400 s.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`. Earlier versions behave the same for a valid surge and step.
 *
 * @param unreachableCapacity capacity that the operator wrongly considers set, so the upgrade deadlocks @default - none
 */
export function simulateUpgradeSteps(
  pace: UpgradePace,
  startup: RayStartup = INSTANT_STARTUP,
  delays: UpgradeDelays = NO_DELAYS,
  unreachableCapacity?: number,
): RayServiceStep[] {
  const { requeueSeconds, oldPodSeconds } = delays;
  const roundToReconcile = (seconds: number) => (requeueSeconds === 0 ? seconds : Math.ceil(seconds / requeueSeconds) * requeueSeconds);
  const steps = [INITIAL_STEP];
  let step = INITIAL_STEP;
  let shiftedAt = 0;
  let readyAt = 0;

  while (!isPromoted(step)) {
    const capacity = applyCapacityRule(step, pace.maxSurgePercent);
    if (unreachableCapacity !== undefined && targetCapacityOf(step, capacity) === unreachableCapacity) break;
    if (hasChanged(step, capacity)) {
      const isRaise = capacity.pendingTargetCapacity > step.pendingTargetCapacity;
      const isFirst = step === INITIAL_STEP;
      step = { ...capacity, elapsedSeconds: isFirst ? roundToReconcile(startup.headSeconds) : step.elapsedSeconds + requeueSeconds };
      if (isRaise && (isFirst || startup.waitsForEveryRaise)) {
        readyAt = step.elapsedSeconds + startup.workerSeconds + (isFirst ? 0 : oldPodSeconds);
      }
    } else {
      const traffic = shiftTraffic(step, pace, { secondsSinceShift: Infinity, ready: true });
      if (!hasChanged(step, traffic)) break;
      shiftedAt = roundToReconcile(Math.max(shiftedAt + pace.intervalSeconds, readyAt, step.elapsedSeconds));
      step = { ...traffic, elapsedSeconds: shiftedAt };
    }
    steps.push(step);
  }
  return steps;
}

/**
 * Simulates the rows of a rollback that starts at row `from` of an upgrade, up to 100/0/100/0.
 *
 * The first row is at 0 seconds, the time of the last shift in every row that has traffic to return. Readiness is ignored.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, reconcileRollbackState and its callees. The operator rolls back since 1.6.
 */
export function simulateRollbackSteps(upgrade: readonly RayServiceStep[], from: number, pace: UpgradePace): RayServiceStep[] {
  let step: RayServiceStep = { ...upgrade[from]!, elapsedSeconds: 0 };
  const steps = [step];

  while (!isRolledBack(step)) {
    const capacity = restoreCapacity(step, pace.maxSurgePercent);
    if (hasChanged(step, capacity)) {
      step = { ...capacity, elapsedSeconds: step.elapsedSeconds };
    } else {
      step = { ...restoreTraffic(step, pace.stepSizePercent), elapsedSeconds: step.elapsedSeconds + pace.intervalSeconds };
    }
    steps.push(step);
  }
  return steps;
}

/** Returns the capacity that a change sets for one of the clusters; undefined if no capacity changes. */
function targetCapacityOf(before: UpgradeState, after: UpgradeState): number | undefined {
  if (before.pendingTargetCapacity !== after.pendingTargetCapacity) return after.pendingTargetCapacity;
  return before.activeTargetCapacity === after.activeTargetCapacity ? undefined : after.activeTargetCapacity;
}

function hasChanged(before: UpgradeState, after: UpgradeState): boolean {
  return hasCapacityChanged(before, after) || hasTrafficChanged(before, after);
}

function hasCapacityChanged(before: UpgradeState, after: UpgradeState): boolean {
  return before.activeTargetCapacity !== after.activeTargetCapacity || before.pendingTargetCapacity !== after.pendingTargetCapacity;
}

function hasTrafficChanged(before: UpgradeState, after: UpgradeState): boolean {
  return before.pendingTraffic !== after.pendingTraffic;
}

/** Options of a simulated upgrade. */
export interface UpgradeSimulationOptions {
  readonly startup?: RayStartup | undefined;
  /** Whether the operator can roll back; since KubeRay 1.6. @default true */
  readonly canRollBack?: boolean;
  /** Capacity that the operator wrongly considers set, so the upgrade deadlocks. @default - none */
  readonly unreachableCapacity?: number | undefined;
  /** Builds the previews: the Gateway, and the HTTPRoute at the first and at the last row. */
  readonly previews?: (first: RayServiceStep, last: RayServiceStep) => readonly Manifest[];
}

/** Simulates an incremental upgrade. Its outcome is promoted, or stalled if the surge or the step is 0 or a capacity is unreachable. */
export function simulateIncrementalUpgrade(
  pace: UpgradePace,
  { startup, canRollBack = true, unreachableCapacity, previews }: UpgradeSimulationOptions = {},
): RayServiceSimulation {
  const steps = simulateUpgradeSteps(pace, startup, NO_DELAYS, unreachableCapacity);
  const last = steps.at(-1)!;
  const outcome = isPromoted(last) ? 'promoted' : 'stalled';
  return {
    kind: 'rayservice',
    type: 'NewClusterWithIncrementalUpgrade',
    outcome,
    ...summarizeSteps(steps),
    ...(canRollBack && outcome === 'promoted' && { rollback: simulateRollback(steps, pace) }),
    ...(previews && { previews: previews(INITIAL_STEP, last) }),
  };
}

function simulateRollback(upgrade: readonly RayServiceStep[], pace: UpgradePace): RayServiceRollback {
  const steps = simulateRollbackSteps(
    upgrade,
    upgrade.findIndex((row) => row.pendingTraffic >= REVERT_TRAFFIC_PERCENT),
    pace,
  );
  return { steps, durationSeconds: steps.at(-1)!.elapsedSeconds };
}

/** Simulates a NewCluster upgrade: all traffic moves to a full second cluster once it is ready. Its pods start in parallel. */
export function simulateNewCluster({ headSeconds, workerSeconds }: RayStartup = INSTANT_STARTUP): RayServiceSimulation {
  const elapsedSeconds = Math.max(headSeconds, workerSeconds);
  const steps: RayServiceStep[] = [
    { elapsedSeconds: 0, activeTargetCapacity: 100, pendingTargetCapacity: 0, activeTraffic: 100, pendingTraffic: 0 },
    { elapsedSeconds, activeTargetCapacity: 0, pendingTargetCapacity: 100, activeTraffic: 0, pendingTraffic: 100 },
  ];
  return { kind: 'rayservice', type: 'NewCluster', outcome: 'promoted', ...summarizeSteps(steps), peakCapacityPercent: 200 };
}

/** Simulates type None: no change of the cluster is ever rolled out. */
export function simulateNoUpgrade(): RayServiceSimulation {
  return {
    kind: 'rayservice',
    type: 'None',
    outcome: 'none',
    steps: [],
    durationSeconds: 0,
    capacityChanges: 0,
    trafficShifts: 0,
    peakCapacityPercent: 100,
  };
}

function summarizeSteps(steps: readonly RayServiceStep[]) {
  const changes = (changed: typeof hasCapacityChanged) => steps.filter((row, index) => index > 0 && changed(steps[index - 1]!, row)).length;
  return {
    steps,
    durationSeconds: steps.at(-1)!.elapsedSeconds,
    capacityChanges: changes(hasCapacityChanged),
    trafficShifts: changes(hasTrafficChanged),
    peakCapacityPercent: findMax(steps.map((row) => row.activeTargetCapacity + row.pendingTargetCapacity)),
  };
}
