/** Pods (groups for a LeaderWorkerSet) of one revision that run before the apply. */
export interface InitialRevision {
  /** Number or name that the controller gives it; absent if it is not known. */
  readonly revision?: string;
  /** Number of its pods or groups. */
  readonly replicas: number;
  /** Number of them that are available. */
  readonly available: number;
}

/** State of the last rollout of a workload. */
export type RolloutHealth = 'progressing' | 'deadline-exceeded' | 'paused' | 'unavailable';

/** State from which a rollout begins. */
export interface InitialRolloutState {
  /** Desired pods (groups for a LeaderWorkerSet) before the apply. */
  readonly replicas: number;
  /** Revisions, oldest first; empty if none is known, for example for a paused Deployment with only its manifest in the input. */
  readonly revisions: readonly InitialRevision[];
  /** Whether the last rollout has not finished. */
  readonly underWay: boolean;
  /** Problem of the last rollout; absent if there is none, or nothing is known. */
  readonly health?: RolloutHealth;
}

/** How to undo a rollout that fails. */
export interface RolloutRollback {
  /** Whether the command is enough to restore the old version. */
  readonly works: boolean;
  /** What happens during the rollback, and what to watch for. */
  readonly message: string;
  /** Command to run. */
  readonly command?: string;
}
