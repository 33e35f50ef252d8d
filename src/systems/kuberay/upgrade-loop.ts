import type { RayServiceSimulation, RayServiceStep } from '../../core/simulations/rayservice';

/** The pace of an upgrade, in percentages and seconds as in clusterUpgradeOptions. */
export interface UpgradePace {
  readonly maxSurgePercent: number;
  readonly stepSizePercent: number;
  readonly intervalSeconds: number;
}

/** The four percentages of a row. */
export type UpgradeState = Omit<RayServiceStep, 'elapsedSeconds'>;

/** The capacities of a row. */
export type CapacityRow = Pick<RayServiceStep, 'activeTargetCapacity' | 'pendingTargetCapacity'>;

/** Lists the capacities of both clusters, row by row. NewCluster runs two full clusters at once. */
export function listCapacityRows({ type, steps }: RayServiceSimulation): readonly CapacityRow[] {
  return type === 'NewCluster' ? steps.map(() => ({ activeTargetCapacity: 100, pendingTargetCapacity: 100 })) : steps;
}

/** The conditions that decide whether traffic may move now. */
export interface TrafficGate {
  /** Seconds since the weights last changed; Infinity if they never changed. */
  readonly secondsSinceShift: number;
  /** Whether the new cluster has at least one Serve application and all of them are RUNNING. */
  readonly ready: boolean;
}

/**
 * Applies the capacity rule once: the new cluster grows by the surge, or the old one shrinks by it, whichever is due.
 *
 * Traffic must catch up with the new cluster's capacity first. At 100/20 with 20% of the traffic moved and a surge of 20,
 * the old cluster shrinks to 80; at 80/20 the new one grows to 40. Returns the same state if nothing is due.
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
 * Applies the traffic rule once: stepSizePercent of the traffic moves to the new cluster, up to its capacity.
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
 * Reports whether the new cluster has taken over. This is in the reconcile that removes the last capacity of the old one.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, isIncrementalUpgradeComplete.
 */
export function isPromoted(state: UpgradeState): boolean {
  return state.activeTargetCapacity === 0 && state.pendingTraffic === 100;
}

/**
 * Applies the capacity rule of a rollback once. The new cluster shrinks first. If that frees enough capacity, the old one grows in the same
 * reconcile.
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
 * Applies the traffic rule of a rollback once the interval has passed: `step` percent return to the old cluster, up to its capacity.
 */
export function restoreTraffic(state: UpgradeState, step: number): UpgradeState {
  const { activeTargetCapacity, activeTraffic } = state;
  const returned = Math.min(100, activeTraffic + step, activeTargetCapacity);
  return { ...state, activeTraffic: returned, pendingTraffic: 100 - returned };
}

/**
 * Reports whether the rollback to the old cluster is complete. If the new cluster's head pod is gone, its capacity does not matter.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, shouldCompleteIncrementalRollback.
 */
export function isRolledBack(state: UpgradeState, pendingHeadReady = true): boolean {
  const isActiveFull = state.activeTargetCapacity === 100 && state.activeTraffic === 100;
  const isPendingEmpty = state.pendingTargetCapacity === 0 && state.pendingTraffic === 0;
  return isActiveFull && (isPendingEmpty || !pendingHeadReady);
}
