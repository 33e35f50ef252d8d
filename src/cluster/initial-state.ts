import type { IntOrPercent } from '../core/int-or-percent';
import type { PodSet } from './workload';

/** A ReplicaSet as its controller and that of the Deployment see it. */
export interface ReplicaSetState {
  /** Has it the template that the Deployment has now? */
  readonly isNew: boolean;
  readonly size: number;
  /** Of `size`, pods that are available. */
  readonly available: number;
  /** The annotation `deployment.kubernetes.io/desired-replicas`: the Deployment's replicas when it was last resized. @default - none */
  readonly desired?: number;
  /** The annotation `deployment.kubernetes.io/max-replicas`. @default - none */
  readonly most?: number;
}

/** A pod of a StatefulSet. */
export interface StatefulPodState {
  /** Its ordinal less `spec.ordinals.start`. */
  readonly index: number;
  /** Has it the template that the StatefulSet has now? */
  readonly isNew: boolean;
  readonly available: boolean;
}

/** Where a rollout starts: every pod runs the old template. A kind goes by as much of it as its controller tells apart. */
export interface InitialState {
  /** Pods that are wanted. */
  readonly replicas: number;
  /** Of these, on nodes that are down: their pods stay and never become available. @default 0 */
  readonly down?: number;
  /** Further pods on nodes that are down, which the controller does not count any more. @default 0 */
  readonly otherNodesDown?: number;
  /** Of these, not available; their successors will be. @default 0 */
  readonly unready?: number;
  /** Of these, not there yet. @default 0 */
  readonly missing?: number;
  /** Of these, not available, and neither will their successors be. @default 0 */
  readonly failing?: number;
  /** The ReplicaSets, oldest first. @default - one of the old template, with all pods available */
  readonly replicaSets?: readonly ReplicaSetState[];
  /** Of a DaemonSet's nodes, those whose pod is of the new template and available. @default 0 */
  readonly upToDate?: number;
  /** Of a DaemonSet's nodes, those whose pod is of the new template and will be available. @default 0 */
  readonly starting?: number;
  /** Of a DaemonSet's nodes, those with an old pod that is available and a new one that will be. @default 0 */
  readonly surging?: number;
  /** Pods, or groups of them, before the same apply changes their number. @default - `replicas` */
  readonly before?: number;
  /** The versions of a DisaggregatedSet before the same apply changes it, the newest first. @default - one that is as it is wanted */
  readonly byRevision?: readonly RunningRevision[];
  /** Do the pods that are replaced keep their template, as where a Rollout's `restartAt` is new? @default false */
  readonly isRestart?: boolean;
  /** Of a restart's pods, those that are younger than `restartAt` and stay. @default 0 */
  readonly young?: number;
  /** Does a new template come together with a new `restartAt`? @default false */
  readonly alsoRestarts?: boolean;
  /** Where the canary of a Rollout stands. @default - at rest */
  readonly canary?: CanaryState;
  /** The groups of a LeaderWorkerSet. @default - `before` of them, all of the old version and ready */
  readonly groups?: LeaderWorkerSetState;
  /** Where a StatefulSet stands. @default - all pods of the old template, all available */
  readonly stateful?: StatefulSetState;
  /** The clusters of a bundle that a change reaches. @default - all, which have what it was before */
  readonly clusters?: ReachedClusters;
}

/** The clusters of a Fleet bundle that a change reaches, by name: the others stay as they are. */
export interface ReachedClusters {
  /** Those whose deployment is made anew. */
  readonly updates: readonly string[];
  /** Those that get the bundle for the first time. */
  readonly installs: readonly string[];
}

/** Pods of one version: how many are wanted, and how many of them are ready. */
export interface VersionPods {
  readonly size: number;
  readonly ready: number;
}

/** Where the canary of a Rollout stands that gets another version, or other steps, before its last one is the stable one. */
export interface CanaryState {
  readonly stable: VersionPods;
  /** Pods of the version that is overtaken, and of others that are left; where the steps alone are others, of the version on its way. */
  readonly canary: VersionPods;
  /** What is applied: another version, the stable one again, or the one on its way with other steps. */
  readonly applied: 'another' | 'stable' | 'same';
  /** The step of the version on its way, from 0. @default 0 */
  readonly step?: number;
  /** Is that version on its way back? @default false */
  readonly isAborted?: boolean;
  /** What a router gives the canary of all requests. @default - there is no router, or it has set none yet */
  readonly weight?: number;
}

/** What the controller of LeaderWorkerSets sees of a group: the leader and all of its workers together. */
export interface GroupState {
  readonly ready: boolean;
  /** Is it of the version that the set has now? */
  readonly updated: boolean;
}

/** Groups of neighbouring ordinals in the same state. */
export interface GroupRun extends GroupState {
  readonly length: number;
}

/** Where a LeaderWorkerSet stands. */
export interface LeaderWorkerSetState {
  /** All groups from ordinal 0 up; one that is missing is not ready. */
  readonly runs: readonly GroupRun[];
  /** Pods of a group. */
  readonly size: number;
}

/** The LeaderWorkerSets of one version of a DisaggregatedSet before an apply. */
export interface RunningRevision {
  readonly roles: readonly RunningRole[];
  /** Is it the version that the apply wants? @default false */
  readonly isWanted?: boolean;
}

/** A role of a DisaggregatedSet before an apply. */
export interface RunningRole {
  readonly name: string;
  readonly groups: number;
  /** Of these, ready. @default - all */
  readonly ready?: number;
  /** Groups that it had when it was first replaced, as its LeaderWorkerSet is annotated. @default - as many as it has */
  readonly initial?: number;
  /** Pods of a group. */
  readonly size: number;
  /** With which its LeaderWorkerSet was made: no later change reaches it. @default - none */
  readonly limits?: StoredLimits;
}

/** Limits in groups as they are stored. */
export interface StoredLimits {
  readonly maxSurge: IntOrPercent;
  readonly maxUnavailable: IntOrPercent;
}

/** Where a StatefulSet stands. */
export interface StatefulSetState {
  /** From this index on, pods are of the new template. @default - none are */
  readonly updatedFrom?: number;
  /** The pods that are there; an index without one is started. @default - one each, all available */
  readonly pods?: readonly StatefulPodState[];
  /** Is the revision of status.currentRevision, of which pods below the partition are made, the new one? @default false */
  readonly isCurrentNew?: boolean;
}

/** What an apply does to the pods of one rollout. */
export interface PodChangeInput {
  /** Are pods replaced? */
  readonly rolls: boolean;
  /** Pods that are wanted once it is done. @default - as for any plan */
  readonly replicas?: number;
  /** Where the cluster stands. @default - at rest on the old template */
  readonly start?: Omit<InitialState, 'replicas'>;
  /** Are the replicas of the object those that run, since what is applied names none? @default false */
  readonly keepsReplicas?: boolean;
  /**
   * Pods of each of its sets that run before an apply that wants another number of them; a set that is not named has none,
   * and what the apply makes names none of its sets.
   *
   * @default - as many as are wanted
   */
  readonly running?: readonly number[];
  /** Of a cluster that is held: the sets of pods that go on as they were before the apply, whatever is stored. @default - those of what is stored */
  readonly goOn?: readonly PodSet[];
  /** Does the apply let an autoscaler go further up with its pods? @default false */
  readonly raisesMaximum?: boolean;
}
