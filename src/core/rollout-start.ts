/** Pods of one revision that run before the apply, of a LeaderWorkerSet groups. */
export interface StartingRevision {
  /** As the controller numbers or names it; absent where nothing says. */
  readonly revision?: string;
  /** Its pods, or groups. */
  readonly replicas: number;
  /** Of these, those that are available. */
  readonly available: number;
}

/** How the last rollout of a workload stands. */
export type Health = 'progressing' | 'deadline-exceeded' | 'paused' | 'unavailable';

/** Where a rollout begins. */
export interface RolloutStart {
  /** Pods that are wanted before the apply, of a LeaderWorkerSet groups. */
  readonly replicas: number;
  /** Oldest first; none where nothing tells, as of a paused Deployment of which the manifest alone is in view. */
  readonly revisions: readonly StartingRevision[];
  /** Has the last rollout not finished? */
  readonly underWay: boolean;
  /** Absent where all is well, or nothing is known. */
  readonly health?: Health;
}

/** What undoes a rollout that went wrong. */
export interface WayBack {
  /** Does it come back without anybody's help but that of the command? */
  readonly works: boolean;
  /** What happens on the way back, and what to look out for. */
  readonly message: string;
  /** What to type. */
  readonly command?: string;
}
