import type { Simulation } from '../../core/simulations/simulation';

/** How many new pods of a rollout exist and run, by the number of its old ones. For a rollout of groups, both are groups. */
export interface RunLimits {
  /** Returns the new pods that quotas admit next to a number of old ones. Others do not exist. */
  readonly admitted: (old: number) => number;
  /** Returns the new pods that run next to a number of old ones. Admitted pods beyond them exist and wait for a node. */
  readonly placed: (old: number) => number;
  /** Returns whether quotas admit a number of old pods next to new ones. It matters if the same apply adds replicas. @default - they do */
  readonly admitsOld?: (old: number, next: number) => boolean;
  /** Returns the new groups whose leader runs next to a number of old ones, with its workers or without. @default - those of `placed` */
  readonly startedLeaders?: (old: number) => number;
  /** Returns the pods of a number of old and new groups that exist: an admitted group may lack workers. @default - all pods of the groups */
  readonly podsAt?: (old: number, next: number) => number;
}

/** The limits of a rollout that nothing limits. */
export const UNLIMITED: RunLimits = { admitted: () => Infinity, placed: () => Infinity };

/** The limits of a rollout whose new pods are all refused. */
export const REFUSED: RunLimits = { admitted: () => 0, placed: () => 0 };

/** A rollout under its limits. */
export interface LimitedRun<S extends Simulation = Simulation> {
  /** The rows that happen. They end where the rollout deadlocks. */
  readonly simulation: S;
  readonly isFinished: boolean;
  /** Whether its rows are those of the rollout without limits. */
  readonly isUnlimited: boolean;
  /** New pods that are ready at the end. */
  readonly ready: number;
  /** Old pods at the end. */
  readonly old: number;
  /** Maximum number of pods at once. */
  readonly peakPods: number;
  /** Rows in which pods start. */
  readonly startingRows: number;
}

/** Returns the wave at which a run stops, from 1. */
export function getDeadlockWave({ simulation }: LimitedRun): number {
  return (simulation as { readonly halted?: { readonly wave: number } }).halted?.wave ?? 1;
}
