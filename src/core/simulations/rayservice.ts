import { findMax } from '../min-max';
import type { Manifest } from '../manifest';
import type { SimulationKind } from './simulation-kind';

/** One row of a RayService's upgrade: what stands after a reconcile that changed something. All figures but the seconds are percentages. */
export interface RayServiceStep {
  /** Seconds since the change was applied, at least. */
  readonly elapsedSeconds: number;
  /** Share of its Serve replicas that the old cluster is told to run. */
  readonly activeTargetCapacity: number;
  /** Share of its Serve replicas that the new cluster is told to run. */
  readonly pendingTargetCapacity: number;
  /** Share of the requests that the HTTPRoute sends to the old cluster. */
  readonly activeTraffic: number;
  /** Share of the requests that the HTTPRoute sends to the new cluster. */
  readonly pendingTraffic: number;
}

/** The way back to the old cluster, row by row, counted from the row at which the change was reverted. */
export interface RayServiceRollback {
  /** In order, the first being the row at which the change was reverted. */
  readonly steps: readonly RayServiceStep[];
  /** Seconds from the first row to the last, at least. */
  readonly durationSeconds: number;
}

/** A RayService's upgrade, row by row. */
export interface RayServiceSimulation {
  readonly kind: 'rayservice';
  /** The `upgradeStrategy.type` that holds. */
  readonly type: 'NewClusterWithIncrementalUpgrade' | 'NewCluster' | 'None';
  /** `promoted`: the new cluster takes over; `stalled`: the loop can't move; `none`: changes are not rolled out. */
  readonly outcome: 'promoted' | 'stalled' | 'none';
  /** In order; of a stalled upgrade up to the row where it stays. */
  readonly steps: readonly RayServiceStep[];
  /** Seconds from the first row to the last, at least. */
  readonly durationSeconds: number;
  /** Rows whose capacities differ from the row before. */
  readonly capacityChanges: number;
  /** Rows whose weights differ from the row before. */
  readonly trafficShifts: number;
  /** Most capacity of both clusters together; 100 is one whole cluster. */
  readonly peakCapacityPercent: number;
  /** Reverted at the first row with half of the traffic moved; absent where the operator can't roll back or nothing is promoted. */
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
