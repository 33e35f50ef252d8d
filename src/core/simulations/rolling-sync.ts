import type { SimulationKind } from './simulation-kind';

/** Applications that are synced at once. */
export interface RollingSyncWave {
  /** Counted from 1. */
  readonly wave: number;
  /** How many Applications. */
  readonly count: number;
  /** By name; left out where there are more than 1,000 Applications. */
  readonly applications?: readonly string[];
}

/** One step of a RollingSync. */
export interface RollingSyncStep {
  /** Counted from 1. */
  readonly step: number;
  /** Applications that it selects, those of an earlier step too. */
  readonly count: number;
  /** Applications of it that may sync at once, as the controller reads it; absent where nothing limits them. */
  readonly maxUpdate?: number;
  /** By name; left out where there are more than 1,000 Applications. */
  readonly applications?: readonly string[];
}

/** How an ApplicationSet syncs its Applications when all of them have something to sync, and each becomes Healthy once it has. */
export interface RollingSyncSimulation {
  readonly kind: 'rollingsync';
  /** How many there are. */
  readonly applications: number;
  /** Does the controller go step by step? Else all Applications sync by themselves, or nobody syncs them. */
  readonly isStepwise: boolean;
  /** As they stand in the strategy. */
  readonly steps: readonly RollingSyncStep[];
  /** In the order in which they are synced. */
  readonly waves: readonly RollingSyncWave[];
  /** Is every Application synced in the end? */
  readonly done: boolean;
  /** The step, counted from 1, at which it stands still for good; absent where all steps are passed. */
  readonly halted?: {
    /** Counted from 1. */
    readonly step: number;
    /** Its `maxUpdate` lets none through, or, up to Argo CD 3.2, Applications of it are of a later step too: each waits for the other. */
    readonly reason: 'zero-max-update' | 'overlapping-steps';
  };
  /** Applications that no step selects: they are never synced. */
  readonly unmatchedCount: number;
  /** By name; left out where there are more than 1,000 Applications. */
  readonly unmatched?: readonly string[];
  /** Waves left out between the first 50 and the last 50; absent when none is. */
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
  // Of the pods of its Applications nothing is known.
  truncateAtDeadlock: (simulation) => simulation,
};
