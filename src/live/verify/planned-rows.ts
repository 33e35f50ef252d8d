import type { Simulation } from '../../core/simulations/simulation';
import type { ObservedCounts } from '../../core/document/verify-report';

/** One wave of a plan, in the counts that a cluster shows. */
export interface PlannedRow extends ObservedCounts {
  readonly wave: number;
}

/** Limits that a plan gives for its waves. */
export interface PlannedLimits {
  readonly rows: readonly PlannedRow[];
  /** Desired pods; absent if the nodes decide. */
  readonly replicas?: number;
  readonly peakPods: number;
  readonly minAvailable: number;
}

/** Returns the waves of a plan and their limits; undefined for a simulation whose rows are not pods. */
export function toPlannedLimits(simulation: Simulation | null): PlannedLimits | undefined {
  if (simulation?.kind === 'deployment') {
    const { replicas, waves, peakPods, minAvailable } = simulation;
    const rows = waves.map((row) => ({
      wave: row.wave,
      new: row.newReplicas,
      old: row.oldReplicas,
      total: row.total,
      available: row.available,
    }));
    return { rows, replicas, peakPods, minAvailable };
  }
  if (simulation?.kind === 'statefulset') {
    const { replicas, batches, minAvailable } = simulation;
    let updated = 0;
    const rows = batches.map((batch, index) => {
      updated += batch.length;
      return { wave: index + 1, new: updated, old: replicas - updated, total: replicas, available: replicas - batch.length };
    });
    return { rows, replicas, peakPods: replicas, minAvailable };
  }
  if (simulation?.kind === 'daemonset') {
    const { waves, peakPods, minAvailable } = simulation;
    const rows = waves.map((row) => ({ wave: row.wave, new: row.newPods, old: row.oldPods, total: row.total, available: row.available }));
    return { rows, peakPods, minAvailable };
  }
  return undefined;
}
