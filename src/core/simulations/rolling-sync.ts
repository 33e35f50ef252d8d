import type { SimulationKind } from './simulation-kind';

/** Applications that are synced at once. */
export interface RollingSyncWave {
  /** Counted from 1. */
  readonly wave: number;
  /** Number of Applications. */
  readonly count: number;
  /** Names of the Applications; omitted if there are more than 1,000. */
  readonly applications?: readonly string[];
}

/** One step of a RollingSync. */
export interface RollingSyncStep {
  /** Counted from 1. */
  readonly step: number;
  /** Number of Applications that it selects, including those of an earlier step. */
  readonly count: number;
  /** Maximum number of its Applications that sync at once, as the controller computes it; absent if there is no limit. */
  readonly maxUpdate?: number;
  /** Names of the Applications; omitted if there are more than 1,000. */
  readonly applications?: readonly string[];
}

/** Order in which an ApplicationSet syncs its Applications, if all of them have something to sync and become Healthy after it. */
export interface RollingSyncSimulation {
  readonly kind: 'rollingsync';
  /** Number of Applications. */
  readonly applications: number;
  /** Whether the controller syncs step by step. Otherwise all Applications sync by themselves, or nothing syncs them. */
  readonly isStepwise: boolean;
  /** Steps in the order of the strategy. */
  readonly steps: readonly RollingSyncStep[];
  /** Waves in the order in which they are synced. */
  readonly waves: readonly RollingSyncWave[];
  /** Whether every Application is synced at the end. */
  readonly done: boolean;
  /** Deadlock at a step; absent if all steps are completed. */
  readonly halted?: {
    /** Counted from 1. */
    readonly step: number;
    /**
     * Its `maxUpdate` allows no Application to sync. Or, up to Argo CD 3.2, some of its Applications also belong to a later step, so that
     * each step waits for the other.
     */
    readonly reason: 'zero-max-update' | 'overlapping-steps';
  };
  /** Number of Applications that no step selects; they are never synced. */
  readonly unmatchedCount: number;
  /** Names of these Applications; omitted if there are more than 1,000. */
  readonly unmatched?: readonly string[];
  /** Waves omitted between the first 50 and the last 50; absent if there are none. */
  readonly elided?: number;
}

export const ROLLING_SYNC_SIMULATION: SimulationKind<RollingSyncSimulation> = {
  keys: {
    kind: true,
    applications: true,
    isStepwise: true,
    steps: true,
    waves: true,
    done: true,
    halted: true,
    unmatchedCount: true,
    unmatched: true,
    elided: true,
  },
  // Nothing is known about the pods of its Applications.
  truncateAtDeadlock: (simulation) => simulation,
};
