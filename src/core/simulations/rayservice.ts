import { findMax } from '../values/min-max';
import type { Manifest } from '../manifest/manifest';
import type { SimulationKind } from './simulation-kind';

/**
 * One row of a RayService's upgrade: the state after a reconcile that changed something. All numbers except the seconds are percentages.
 */
export interface RayServiceStep {
  /** Minimum seconds since the change was applied. */
  readonly elapsedSeconds: number;
  /** Share of its Serve replicas that the operator sets for the old cluster. */
  readonly activeTargetCapacity: number;
  /** Share of its Serve replicas that the operator sets for the new cluster. */
  readonly pendingTargetCapacity: number;
  /** Share of the requests that the HTTPRoute sends to the old cluster. */
  readonly activeTraffic: number;
  /** Share of the requests that the HTTPRoute sends to the new cluster. */
  readonly pendingTraffic: number;
}

/** The rollback to the old cluster, row by row, counted from the row at which the change was reverted. */
export interface RayServiceRollback {
  /** Rows in order, beginning with the row at which the change was reverted. */
  readonly steps: readonly RayServiceStep[];
  /** Minimum seconds from the first row to the last. */
  readonly durationSeconds: number;
}

/** A RayService's upgrade, row by row. */
export interface RayServiceSimulation {
  readonly kind: 'rayservice';
  /** Effective `upgradeStrategy.type`. */
  readonly type: 'NewClusterWithIncrementalUpgrade' | 'NewCluster' | 'None';
  /** `promoted`: the new cluster takes over; `stalled`: the upgrade loop deadlocks; `none`: changes are not rolled out. */
  readonly outcome: 'promoted' | 'stalled' | 'none';
  /** Rows in order; of a stalled upgrade those up to the row where it deadlocks. */
  readonly steps: readonly RayServiceStep[];
  /** Minimum seconds from the first row to the last. */
  readonly durationSeconds: number;
  /** Number of rows whose capacities differ from the row before. */
  readonly capacityChanges: number;
  /** Number of rows whose weights differ from the row before. */
  readonly trafficShifts: number;
  /** Maximum capacity of both clusters together; 100 is one entire cluster. */
  readonly peakCapacityPercent: number;
  /** Rollback at the first row with half of the traffic moved; absent if the operator cannot roll back or nothing is promoted. */
  readonly rollback?: RayServiceRollback;
  /** Gateway, HTTPRoute at the first row, HTTPRoute at the last, as the operator writes them. */
  readonly previews?: readonly Manifest[];
}

function truncateAtDeadlock({ rollback: _rollback, ...simulation }: RayServiceSimulation, row: number): RayServiceSimulation {
  const steps = simulation.steps.slice(0, row);
  const changes = (parts: readonly ('activeTargetCapacity' | 'pendingTargetCapacity' | 'activeTraffic' | 'pendingTraffic')[]) =>
    steps.filter((step, index) => index > 0 && parts.some((part) => step[part] !== steps[index - 1]![part])).length;
  return {
    ...simulation,
    outcome: 'stalled',
    steps,
    durationSeconds: steps.at(-1)?.elapsedSeconds ?? 0,
    capacityChanges: changes(['activeTargetCapacity', 'pendingTargetCapacity']),
    trafficShifts: changes(['activeTraffic', 'pendingTraffic']),
    peakCapacityPercent: findMax(
      steps.map(({ activeTargetCapacity, pendingTargetCapacity }) => activeTargetCapacity + pendingTargetCapacity),
      simulation.steps.length === 0 ? simulation.peakCapacityPercent : 0,
    ),
  };
}

export const RAYSERVICE_SIMULATION: SimulationKind<RayServiceSimulation> = {
  keys: {
    kind: true,
    type: true,
    outcome: true,
    steps: true,
    durationSeconds: true,
    capacityChanges: true,
    trafficShifts: true,
    peakCapacityPercent: true,
    rollback: true,
    previews: true,
  },
  truncateAtDeadlock,
};
