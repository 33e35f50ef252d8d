import type { CapacityVerdict } from '../../core/document/capacity-result';
import type { RolloutDuration } from '../../core/document/rollout';
import type { Simulation } from '../../core/simulations/simulation';
import type { LimitedRun, RunLimits } from './limited-run';

/** The outcome of a rollout if only a limited number of its pods fit at once. */
export interface CapacityOutcome {
  readonly verdict: CapacityVerdict;
  /** The wave or batch at which the rollout deadlocks. */
  readonly deadlockWave?: number;
  /** Waves that create pods, with fewer pods at once. */
  readonly iterations?: number;
}

/** The effect of a lack of capacity on the duration of a rollout. */
export interface CapacityDelay {
  /** Whether the rollout never finishes. */
  readonly deadlocks: boolean;
  /** Whether the pods of a second cluster wait until old ones, which use capacity while they are deleted, are gone. @default false */
  readonly waitsForOldPods?: boolean;
  /** Pods that fit at once, old and new, including those that are being deleted. */
  readonly podsWithRoom: number;
  /** Pods that quotas allow at once. A pod that only lacks a node exists and waits for one. @default Infinity */
  readonly podsAdmitted?: number;
  /** Waves that create pods. Set if the lack of capacity adds waves. */
  readonly iterations?: number;
  /** Nodes that are too small for the pod, if that is what the rollout lacks. Only set with one pod per node. */
  readonly nodesTooSmall?: number;
}

/** The rollout of one pod set, independent of its kind: what it requires of the cluster, and its outcome there. */
export interface PodRollout {
  readonly simulation: Simulation;
  readonly replicas: number;
  /** The name of its rows. */
  readonly unit: 'wave' | 'batch';
  /** Maximum number of pods at once. */
  readonly peakPods: number;
  /** Minimum number of available pods at any time. */
  readonly leastAvailable: number;
  /**
   * Old pods that run before the same apply changes the replicas, if all of them have one template and are available. @default - it changes
   * none, or its initial state is another one
   */
  readonly runningBefore?: number;
  /** Whether no pod is available before it starts, so that it takes none down. @default false */
  readonly isDownBefore?: true;
  /** New pods created before old ones are gone. */
  readonly surge: number;
  /** Old pods that may be deleted before new ones are ready. 0 if none is. */
  readonly unavailable: number;
  /**
   * Whether new pods only count once several of them are ready, so that each may use capacity that another rollout waits for. @default
   * false
   */
  readonly waitsForAllNew?: boolean;
  /** Whether its controller evicts pods, so that budgets apply. @default false */
  readonly evicts?: boolean;
  /**
   * Returns the outcome if at most this many of its pods run at once.
   *
   * @param areRejected whether further pods are refused rather than left waiting for a node
   */
  outcome(capacity: number, areRejected?: boolean): CapacityOutcome;
  /** Returns the outcome if this many of its nodes are too small for the pod. Only set with one pod per node. */
  outcomeOnNodes?(undersizedNodes: number): CapacityOutcome;
  /** Returns the rows up to the deadlock caused by a lack of capacity. Unset if a kind shows its full rollout. */
  haltedAt?(delay: CapacityDelay): Simulation;
  /** Returns the rollout under limits. Returns undefined if its initial state is not supported. Unset if a kind is not simulated so. */
  runWithin?(limits: RunLimits): LimitedRun | undefined;
  /** Returns how long the rollout takes, from the seconds that a pod takes to become ready. Returns undefined if no pod is replaced. */
  duration(startupSeconds: number, capacity?: CapacityDelay): RolloutDuration | undefined;
}
