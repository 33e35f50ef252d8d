import type { ResourceRef } from './rollout';

/**
 * State of a rollout compared with its plan. `as-planned`: it has finished within the limits of the plan. `late`: it has finished, or still
 * runs, later than planned. `deviating`: it leaves the plan. `deadlocks`: it can never finish. `running`: it has not finished yet.
 * `not-started`: the change is not applied yet. `not-followed`: its kind cannot be compared.
 */
export type VerifyStatus = 'as-planned' | 'late' | 'deviating' | 'deadlocks' | 'running' | 'not-started' | 'not-followed';

/** Pods at one moment, as in the rows of a plan. */
export interface ObservedCounts {
  /** Pods of the new version, ready or not. */
  readonly new: number;
  /** Pods of the old version. */
  readonly old: number;
  /** Pods of both versions. Pods that are being deleted do not count. */
  readonly total: number;
  /** Ready pods of both versions. */
  readonly available: number;
}

/** One wave of a plan, and how it happened. */
export interface VerifiedWave {
  /** Counted from 1. */
  readonly wave: number;
  readonly planned: ObservedCounts;
  /** Pods when all new pods of the wave existed; absent if that has not happened. */
  readonly observed?: ObservedCounts;
  /** Seconds from the start of the rollout until all new pods of the wave were ready; absent if that has not happened. */
  readonly seconds?: number;
}

/** What the cluster does differently, or why it waits. */
export interface VerifyReason {
  /** Reason of the event or of the container, as Kubernetes names it, or what differs: `FailedScheduling`, `ImagePullBackOff`, `replicas`. */
  readonly reason: string;
  readonly message: string;
}

/** Seconds from the scheduling of new pods until they were ready. */
export interface MeasuredStartup {
  /** Median. */
  readonly p50: number;
  /** 95th percentile, by nearest rank. */
  readonly p95: number;
  /** Number of pods measured. */
  readonly pods: number;
}

/** One rollout of a plan, and what the cluster does. */
export interface VerifiedRollout {
  readonly resource: ResourceRef;
  /** Object that a controller created for it and whose pods are compared; absent if it is the resource itself. */
  readonly follows?: ResourceRef;
  readonly status: VerifyStatus;
  /** The status in one sentence. */
  readonly message: string;
  readonly waves: readonly VerifiedWave[];
  /** Fewest pods ready at once, planned and observed; absent if the plan has no waves. */
  readonly leastAvailable?: { readonly planned: number; readonly observed: number };
  readonly reasons: readonly VerifyReason[];
  /** Absent if no new pod became ready. */
  readonly startup?: MeasuredStartup;
}

/** A plan compared with the rollouts that it is of. */
export interface VerifyReport {
  readonly formatVersion: '1.2';
  /** Whether every rollout that can be compared has ended as planned, late or not. */
  readonly endedAsPlanned: boolean;
  readonly rollouts: readonly VerifiedRollout[];
}
