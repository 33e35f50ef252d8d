import type { Finding } from '../core/finding';
import type { Fields } from '../core/manifest';
import type { DeploymentSimulation, PlannedRollout, RolloutDuration, StatefulSetSimulation } from '../core/rollout';

/** The numbers of pods that an autoscaler keeps to, and its name for messages: `HorizontalPodAutoscaler "web"`. */
export interface ReplicaRange {
  readonly by: string;
  readonly minimum: number;
  readonly maximum: number;
}

/** Pods of one template, as they run while nothing rolls out. */
export interface PodSet {
  readonly namespace?: string;
  /** Labels of the namespace, where the Namespace itself is in the input. */
  readonly namespaceLabels?: Fields;
  /** The pods planned for. */
  readonly replicas: number;
  /** The pod template: labels and annotations in `metadata`, containers in `spec`. */
  readonly template: Fields;
  /** Is nothing known of the pods but how many they are? Then only what counts pods limits them, and that they fit can't be told. */
  readonly countOnly?: boolean;
  /** Does the system fill in what containers leave out of their resources, so that what they ask for is not known? @default false */
  readonly resourcesAreFilledIn?: boolean;
}

/** A PersistentVolumeClaim that pods mount, and the field that asks for it. */
export interface MountedClaim {
  readonly name: string;
  readonly path: string;
}

/**
 * The pods that a rollout replaces, for all that depends on other objects: disruption budgets, quotas, autoscalers, volumes, nodes.
 *
 * A system that knows them hands them on beside the rollout; they are no part of the plan document.
 */
export interface Workload extends PodSet {
  /** What autoscalers scale: for a Deployment its own kind and name, for a KServe component those of the Deployment that KServe makes. */
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly name: string;
  /** Field path of the pod's spec: `spec.template.spec`. */
  readonly podPath: string;
  /** Field path of the strategy: `spec.strategy`. */
  readonly strategyPath: string;
  /** Claims that the pods mount and no volume of the template names. @default - none */
  readonly claims?: readonly MountedClaim[];
  /** Does the controller that makes them choose the strategy, whatever the object says? @default false */
  readonly hasFixedStrategy?: boolean;
  /** Seconds. @default 0 */
  readonly minReadySeconds?: number;
  /** Seconds without progress after which a Deployment counts as failed; a StatefulSet never does. */
  readonly progressDeadlineSeconds?: number;
  /** Are the pods of a StatefulSet started one after another? */
  readonly startsInOrder?: boolean;
  /** Does a StatefulSet go on to the next pod as soon as one is ready, whatever minReadySeconds says? @default false */
  readonly ignoresMinReady?: boolean;
  /** Where the rollout's own system knows the autoscaler, as KServe does that makes one. */
  readonly replicaRange?: ReplicaRange;
  /** The same rollout with another number of pods. */
  simulateAt(replicas: number): DeploymentSimulation | StatefulSetSimulation;
  /** A finding about these pods in the words of the object that has them made. @default - as it is */
  worded?(finding: Finding): Finding;
}

/** What a lack of room does to the time that a rollout takes. */
export interface RoomDelay {
  /** It never ends. */
  readonly deadlocks: boolean;
  /** Of a second cluster: its pods wait until old ones, which hold their places while they are deleted, are gone. @default false */
  readonly waitsForOldPods?: boolean;
  /** Pods that find room at once, old and new, those that are being deleted included. */
  readonly podsWithRoom: number;
  /** Pods that quotas let exist at once; a pod that only lacks a node exists and waits for one. @default Infinity */
  readonly podsAdmitted?: number;
}

/**
 * The pods of a rollout that brings up a second cluster of pods beside the first, row by row of its simulation.
 *
 * Handed on beside the rollout as a Workload is.
 */
export interface ClusterPods {
  /** Of the cluster that runs now: its head, its worker groups. */
  readonly podSets: readonly PodSet[];
  /** Pods of each set, of both clusters together, at every row. */
  readonly rows: readonly (readonly number[])[];
  /** The same with the pods that a row lets go still there. */
  readonly rowsWithDeleted: readonly (readonly number[])[];
  /** A row (counted from 0) for people, who count from 1: `row 2 (capacity 100 % old, 20 % new)`. */
  describeRow(row: number): string;
  /** The rows from this one on (counted from 0) come whether or not their pods find room; Infinity where every row waits for its pods. */
  readonly waitsBelowRow: number;
  /** Field path of the templates: `spec.rayClusterConfig`. */
  readonly path: string;
  /** What needs least room beside the running cluster: how to have it, and the pods of each set then. */
  readonly least: { readonly advice: string; readonly row: readonly number[] };
  /** How long it takes; undefined where nobody says how long a pod takes to become ready. */
  duration(room?: RoomDelay): RolloutDuration | undefined;
}

/** A rollout and, where its system knows them, its pods. */
export interface SystemRollout extends PlannedRollout {
  readonly workload?: Workload;
  readonly clusterPods?: ClusterPods;
}
