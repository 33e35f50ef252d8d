import type { Manifest } from '../../core/manifest';
import type { RayServiceRollback, RayServiceSimulation, RayServiceStep } from '../../core/simulations/rayservice';
import { applyCapacityRule, isPromoted, isRolledBack, restoreCapacity, restoreTraffic, shiftTraffic } from './upgrade-loop';
import type { UpgradePace, UpgradeState } from './upgrade-loop';
import { findMax } from '../../core/min-max';

/** How long new pods take, and which steps wait for them. */
export interface RayStartup {
  /** Seconds that the head pod takes to become ready. */
  readonly headSeconds: number;
  /** Seconds that a worker pod takes. */
  readonly workerSeconds: number;
  /**
   * Does traffic wait for the pods of every raise, or of the first alone?
   *
   * A Serve application is RUNNING again only when a fixed number of replicas has come up;
   * one that Serve's autoscaler scales stays RUNNING meanwhile, so traffic moves to replicas that are still starting (KubeRay #3166).
   */
  readonly waitsForEveryRaise: boolean;
}

const INSTANT_STARTUP: RayStartup = { headSeconds: 0, workerSeconds: 0, waitsForEveryRaise: true };

/** What a real operator and a full cluster add to the time of the loop. */
export interface UpgradeDelays {
  /** Seconds between two reconciles; 0 for one that comes as soon as it may act. */
  readonly requeueSeconds: number;
  /** Seconds that the new pods of a raise wait for the places of old ones, the first raise apart. */
  readonly oldPodSeconds: number;
}

const NO_DELAYS: UpgradeDelays = { requeueSeconds: 0, oldPodSeconds: 0 };

/** The new cluster is created: it has no capacity and no traffic yet. */
const INITIAL_STEP: RayServiceStep = {
  elapsedSeconds: 0,
  activeTargetCapacity: 100,
  pendingTargetCapacity: 0,
  activeTraffic: 100,
  pendingTraffic: 0,
};

/** The revert that the plan document shows is at the first row with half of the traffic moved. */
const REVERT_TRAFFIC_PERCENT = 50;

/**
 * The rows of an incremental upgrade, up to the promotion or until nothing can change any more.
 *
 * Each reconcile comes as soon as it may act. With a start-up time the head pod of the new cluster comes first (no capacity is given
 * before it is ready), then the pods that a raise of its capacity asks for. The clock of the first shift starts with the first row.
 *
 * With rounds, a change waits for the next reconcile; a raise and the shift after it may fall into one.
 * 20/5/10 takes 200 s at once and 202 s in rounds of 2 s, 1/1/1 takes 100 s and 400 s.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`; earlier versions differ in nothing that a valid pair of surge and step shows.
 *
 * @param unreachable a capacity that the operator takes for set already, so that it waits for ever @default - none
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
 * The rows of the way back, if the change is reverted at the row numbered `from` of an upgrade, up to 100/0/100/0.
 *
 * Starts with that row at 0 seconds, the moment of the last shift in every row that has traffic to return. Readiness does not count.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, reconcileRollbackState and what depends on it; the operator does this from 1.6 on.
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

/** The capacity that a change gives to one of the clusters; undefined where nothing changes. */
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

/** What else a simulated upgrade shows besides its rows. */
export interface UpgradeSimulationOptions {
  readonly startup?: RayStartup | undefined;
  /** Can the operator go back? From KubeRay 1.6 on. @default true */
  readonly canRollBack?: boolean;
  /** A capacity that the operator takes for set already, so that it waits for ever. @default - none */
  readonly unreachableCapacity?: number | undefined;
  /** The Gateway, and the HTTPRoute at the first and at the last row. */
  readonly previews?: (first: RayServiceStep, last: RayServiceStep) => readonly Manifest[];
}

/** What an incremental upgrade will do: promoted, or stalled where the surge or the step is 0. */
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

/** A whole second cluster, and all of the traffic at once when it is ready. Its pods start side by side. */
export function simulateNewCluster({ headSeconds, workerSeconds }: RayStartup = INSTANT_STARTUP): RayServiceSimulation {
  const elapsedSeconds = Math.max(headSeconds, workerSeconds);
  const steps: RayServiceStep[] = [
    { elapsedSeconds: 0, activeTargetCapacity: 100, pendingTargetCapacity: 0, activeTraffic: 100, pendingTraffic: 0 },
    { elapsedSeconds, activeTargetCapacity: 0, pendingTargetCapacity: 100, activeTraffic: 0, pendingTraffic: 100 },
  ];
  return { kind: 'rayservice', type: 'NewCluster', outcome: 'promoted', ...summarizeSteps(steps), peakCapacityPercent: 200 };
}

/** No change of the cluster is ever rolled out. */
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
