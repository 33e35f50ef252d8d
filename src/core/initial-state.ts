/** Pods of one revision that run before the apply, of a LeaderWorkerSet groups. */
export interface InitialRevision {
  /** As the controller numbers or names it; absent where nothing says. */
  readonly revision?: string;
  /** Its pods, or groups. */
  readonly replicas: number;
  /** Of these, those that are available. */
  readonly available: number;
}

/** How the last rollout of a workload stands. */
export type RolloutHealth = 'progressing' | 'deadline-exceeded' | 'paused' | 'unavailable';

/** Where a rollout begins. */
export interface InitialRolloutState {
  /** Pods that are wanted before the apply, of a LeaderWorkerSet groups. */
  readonly replicas: number;
  /** Oldest first; none where nothing tells, as of a paused Deployment of which the manifest alone is in view. */
  readonly revisions: readonly InitialRevision[];
  /** Has the last rollout not finished? */
  readonly underWay: boolean;
  /** Absent where all is well, or nothing is known. */
  readonly health?: RolloutHealth;
}

/** What undoes a rollout that went wrong. */
export interface RolloutRollback {
  /** Does it come back without anybody's help but that of the command? */
  readonly works: boolean;
  /** What happens on the way back, and what to look out for. */
  readonly message: string;
  /** What to type. */
  readonly command?: string;
}
