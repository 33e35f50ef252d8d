import type { RayServiceSimulation, RayServiceStep } from '../../core/simulations/rayservice';

/** The pace of an upgrade: percentages and seconds as in clusterUpgradeOptions. */
export interface UpgradePace {
  readonly maxSurgePercent: number;
  readonly stepSizePercent: number;
  readonly intervalSeconds: number;
}

/** The four percentages of a row. */
export type UpgradeState = Omit<RayServiceStep, 'elapsedSeconds'>;

/** The capacities of a row. */
export type CapacityRow = Pick<RayServiceStep, 'activeTargetCapacity' | 'pendingTargetCapacity'>;

/** The capacities of both clusters, row by row. NewCluster brings up a whole cluster beside a whole one. */
export function listCapacityRows({ type, steps }: RayServiceSimulation): readonly CapacityRow[] {
  return type === 'NewCluster' ? steps.map(() => ({ activeTargetCapacity: 100, pendingTargetCapacity: 100 })) : steps;
}

/** What decides whether traffic may move now. */
export interface TrafficGate {
  /** Since the weights last changed; Infinity if they never did. */
  readonly secondsSinceShift: number;
  /** Are all Serve applications of the new cluster RUNNING, and is there at least one? */
  readonly ready: boolean;
}

/**
 * One turn of the capacity rule: the new cluster grows by the surge, or the old one shrinks by it, whichever is due.
 *
 * Traffic has to catch up with the new cluster's capacity first. At 100/20 with 20 % of the traffic moved and a surge of 20,
 * the old one goes to 80; at 80/20 the new one goes to 40. Gives the same state back where nothing is due.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, reconcileServeTargetCapacity.
 */
export function applyCapacityRule(state: UpgradeState, surge: number): UpgradeState {
  const { activeTargetCapacity: active, pendingTargetCapacity: pending } = state;
  if (pending !== state.pendingTraffic) return state;
  return active + pending > 100
    ? { ...state, activeTargetCapacity: Math.max(0, active - surge) }
    : { ...state, pendingTargetCapacity: Math.min(100, pending + surge) };
}

/**
 * One turn of the traffic rule: `step` percent move to the new cluster, never more than its capacity.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, calculateTrafficRoutedPercent.
 */
export function shiftTraffic(state: UpgradeState, pace: UpgradePace, gate: TrafficGate): UpgradeState {
  const { pendingTargetCapacity, pendingTraffic } = state;
  if (pendingTraffic === pendingTargetCapacity || gate.secondsSinceShift < pace.intervalSeconds || !gate.ready) return state;
  const moved = Math.min(100, pendingTraffic + pace.stepSizePercent, pendingTargetCapacity);
  return { ...state, pendingTraffic: moved, activeTraffic: 100 - moved };
}

/**
 * The new cluster takes over in the reconcile that takes the last capacity from the old one.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, isIncrementalUpgradeComplete.
 */
export function isPromoted(state: UpgradeState): boolean {
  return state.activeTargetCapacity === 0 && state.pendingTraffic === 100;
}

/**
 * The capacity rule on the way back. The new cluster shrinks first, and where that makes room the old one grows in the same reconcile.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, reconcileServeTargetCapacity while RollbackInProgress.
 */
export function restoreCapacity(state: UpgradeState, surge: number): UpgradeState {
  const { activeTargetCapacity: active, pendingTargetCapacity: pending } = state;
  if (active !== state.activeTraffic) return state;
  const shrunk = active + pending > 100 ? Math.max(0, pending - surge) : pending;
  const grown = active + shrunk > 100 ? active : Math.min(100, active + surge);
  return { ...state, activeTargetCapacity: grown, pendingTargetCapacity: shrunk };
}

/**
 * The traffic rule on the way back: once the interval has passed, `step` percent return to the old cluster, never more than its capacity.
 */
export function restoreTraffic(state: UpgradeState, step: number): UpgradeState {
  const { activeTargetCapacity, activeTraffic } = state;
  const returned = Math.min(100, activeTraffic + step, activeTargetCapacity);
  return { ...state, activeTraffic: returned, pendingTraffic: 100 - returned };
}

/**
 * Back on the old cluster. A new cluster whose head pod is gone needs no capacity taken away first.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, shouldCompleteIncrementalRollback.
 */
export function isRolledBack(state: UpgradeState, pendingHeadReady = true): boolean {
  const isActiveFull = state.activeTargetCapacity === 100 && state.activeTraffic === 100;
  const isPendingEmpty = state.pendingTargetCapacity === 0 && state.pendingTraffic === 0;
  return isActiveFull && (isPendingEmpty || !pendingHeadReady);
}
