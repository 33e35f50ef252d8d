import type { IntOrPercent } from '../../core/values/int-or-percent';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { PodSet } from './pod-set';

/** A ReplicaSet as its controller and the Deployment controller see it. */
export interface ReplicaSetState {
  /** Whether it has the current template of the Deployment. */
  readonly isNew: boolean;
  readonly size: number;
  /** Available pods of `size`. */
  readonly available: number;
  /**
   * The annotation `deployment.kubernetes.io/desired-replicas`: the replicas of the Deployment when the ReplicaSet was last resized.
   * @default - none
   */
  readonly desired?: number;
  /** The annotation `deployment.kubernetes.io/max-replicas`. @default - none */
  readonly most?: number;
}

/** A pod of a StatefulSet. */
export interface StatefulPodState {
  /** Its ordinal minus `spec.ordinals.start`. */
  readonly index: number;
  /** Whether it has the current template of the StatefulSet. */
  readonly isNew: boolean;
  readonly available: boolean;
}

/**
 * The initial state of a rollout. By default every pod runs the old template. Each kind reads only the fields its controller distinguishes.
 */
export interface InitialState {
  /** Desired pods. */
  readonly replicas: number;
  /** Desired pods on nodes that are down: they stay and never become available. @default 0 */
  readonly down?: number;
  /** Further pods on nodes that are down, which the controller no longer counts. @default 0 */
  readonly otherNodesDown?: number;
  /** Desired pods that are not available, but whose successors will be. @default 0 */
  readonly unready?: number;
  /** Desired pods that do not exist yet. @default 0 */
  readonly missing?: number;
  /** Desired pods that are not available, and whose successors will not be either. @default 0 */
  readonly failing?: number;
  /** ReplicaSets, oldest first. @default - one with the old template and all pods available */
  readonly replicaSets?: readonly ReplicaSetState[];
  /** Nodes of a DaemonSet with an available pod of the new template. @default 0 */
  readonly upToDate?: number;
  /** Nodes of a DaemonSet with a pod of the new template that will be available. @default 0 */
  readonly starting?: number;
  /** Nodes of a DaemonSet with an available old pod and a new pod that will be available. @default 0 */
  readonly surging?: number;
  /** Pods, or groups of pods, before the same apply changes their number. @default - `replicas` */
  readonly before?: number;
  /** Revisions of a DisaggregatedSet before the same apply changes it, newest first. @default - one in the desired state */
  readonly byRevision?: readonly RunningRevision[];
  /** Whether replaced pods keep their template, as when the `restartAt` of a Rollout changes. @default false */
  readonly isRestart?: boolean;
  /** Pods of a restart that are younger than `restartAt` and stay. @default 0 */
  readonly young?: number;
  /** Whether a new template comes with a new `restartAt`. @default false */
  readonly alsoRestarts?: boolean;
  /** State of the canary of a Rollout. @default - no canary in progress */
  readonly canary?: CanaryState;
  /** Groups of a LeaderWorkerSet. @default - `before` groups, all of the old version and ready */
  readonly groups?: LeaderWorkerSetState;
  /** State of a StatefulSet. @default - all pods of the old template and available */
  readonly stateful?: StatefulSetState;
  /** Clusters of a bundle that a change reaches. @default - all clusters, each with the previous version */
  readonly clusters?: ReachedClusters;
  /** The object before the apply, whose cluster of pods the new one replaces. @default - the planned one */
  readonly former?: Manifest;
}

/** Reports whether pods exist before the rollout and none of them is available, so that the rollout takes none down. */
export function areAllPodsDown(state: Omit<InitialState, 'replicas'> & { readonly replicas: number }): boolean {
  const { replicas, replicaSets, stateful, canary, down = 0, unready = 0, missing = 0, failing = 0 } = state;
  if (replicas === 0) return false;
  if (replicaSets) return replicaSets.every(({ available }) => available === 0);
  if (stateful?.pods) return stateful.pods.every(({ available }) => !available);
  if (canary) return canary.stable.ready + canary.canary.ready === 0;
  return down + unready + missing + failing >= replicas;
}

/** Clusters of a Fleet bundle that a change reaches, by name. The others stay as they are. */
export interface ReachedClusters {
  /** Clusters whose deployment is created again. */
  readonly updates: readonly string[];
  /** Clusters that get the bundle for the first time. */
  readonly installs: readonly string[];
}

/** Pods of one version: desired and ready. */
export interface VersionPods {
  readonly size: number;
  readonly ready: number;
}

/** State of the canary of a Rollout that gets another version, or other steps, before its current version is the stable one. */
export interface CanaryState {
  readonly stable: VersionPods;
  /** Pods of the superseded version, and other pods that are left. If only the steps change, pods of the version in progress. */
  readonly canary: VersionPods;
  /** What is applied: another version, the stable one again, or the one in progress with other steps. */
  readonly applied: 'another' | 'stable' | 'same';
  /** Current step of the version in progress, from 0. @default 0 */
  readonly step?: number;
  /** Whether that version is being rolled back. @default false */
  readonly isAborted?: boolean;
  /** Share of all requests that a router sends to the canary. @default - there is no router, or it has set no weight yet */
  readonly weight?: number;
}

/** A group as the LeaderWorkerSet controller sees it: the leader and all of its workers together. */
export interface GroupState {
  readonly ready: boolean;
  /** Whether it has the current version of the set. */
  readonly updated: boolean;
}

/** Consecutive groups in the same state. */
export interface GroupRun extends GroupState {
  readonly length: number;
}

/** State of a LeaderWorkerSet. */
export interface LeaderWorkerSetState {
  /** All groups from ordinal 0 up. A missing group is not ready. */
  readonly runs: readonly GroupRun[];
  /** Pods of a group. */
  readonly size: number;
}

/** The LeaderWorkerSets of one revision of a DisaggregatedSet before an apply. */
export interface RunningRevision {
  readonly roles: readonly RunningRole[];
  /** Whether it is the revision that the apply requests. @default false */
  readonly isWanted?: boolean;
}

/** A role of a DisaggregatedSet before an apply. */
export interface RunningRole {
  readonly name: string;
  readonly groups: number;
  /** Ready groups. @default - all */
  readonly ready?: number;
  /** Groups that it had when it was first replaced, from the annotation of its LeaderWorkerSet. @default - `groups` */
  readonly initial?: number;
  /** Pods of a group. */
  readonly size: number;
  /** Limits with which its LeaderWorkerSet was created. Later changes do not affect them. @default - none */
  readonly limits?: StoredLimits;
}

/** Limits in groups, as stored. */
export interface StoredLimits {
  readonly maxSurge: IntOrPercent;
  readonly maxUnavailable: IntOrPercent;
}

/** State of a StatefulSet. */
export interface StatefulSetState {
  /** First ordinal before the apply, which has the index 0. @default - as after it */
  readonly firstOrdinal?: number;
  /** First index from which pods have the new template. @default - none have */
  readonly updatedFrom?: number;
  /** Existing pods. An index without a pod gets one. @default - one each, all available */
  readonly pods?: readonly StatefulPodState[];
  /**
   * Whether status.currentRevision is the new revision. The controller creates pods below the partition from that revision. @default false
   */
  readonly isCurrentNew?: boolean;
}

/** What an apply does to the pods of one rollout. */
export interface PodChangeInput {
  /** Whether pods are replaced. */
  readonly rolls: boolean;
  /** Desired pods after the apply. @default - as for any plan */
  readonly replicas?: number;
  /** Initial state of the cluster. @default - steady on the old template */
  readonly start?: Omit<InitialState, 'replicas'>;
  /** Whether the object keeps its running replicas, because the applied manifest sets none. @default false */
  readonly keepsReplicas?: boolean;
  /**
   * Running pods of each pod set before an apply that changes their number. A set that is not listed has none. If the apply creates the
   * object, none of its sets are listed.
   *
   * @default - the desired pods
   */
  readonly running?: readonly number[];
  /**
   * Pod sets of a cluster whose change is held. They keep running as they were before the apply, regardless of what is stored. @default -
   * those of the stored object
   */
  readonly goOn?: readonly PodSet[];
  /** Whether Knative replaces the pods of a Revision in its Deployment, and creates no other Revision. @default false */
  readonly isInPlace?: boolean;
  /** Whether the apply raises the maximum of its autoscaler. @default false */
  readonly raisesMaximum?: boolean;
  /** Pod template of the running pods of each pod set. @default - that of the stored object */
  readonly oldTemplates?: readonly Fields[];
  /** Whether the controller adds pods of the new template although the change is held. @default - of the old one */
  readonly addsNewPods?: boolean;
}
