import type { Fields } from '../../core/manifest/manifest';
import type { TruncatedNames } from '../../core/text/text-format';

/** The object that a running pod belongs to: a workload, or an object that creates groups or clusters of pods. */
export interface RunningPodOwner {
  readonly kind: string;
  readonly name: string;
  /** Reports by its labels whether a pod of the owner belongs to the set. @default - all do */
  hasMember?(labels: Fields): boolean;
}

/** Running pods of an object whose change is held. */
export interface KeptPods {
  readonly template: Fields;
  /** Whether its controller adds pods of the new template. Otherwise it adds pods of the kept one. @default false */
  readonly addsNewPods?: boolean;
}

/** Pods of one template, as they run while nothing rolls out. */
export interface PodSet {
  readonly namespace?: string;
  /** Labels of the namespace, if the Namespace itself is in the input. */
  readonly namespaceLabels?: Fields;
  /** Planned number of pods. */
  readonly replicas: number;
  /** Running pods before an apply that changes their number. @default - `replicas` */
  readonly running?: number;
  /** Whether the apply creates its object. @default false */
  readonly isNew?: boolean;
  /** Whether the apply raises the maximum of its autoscaler. @default false */
  readonly isMaximumRaised?: boolean;
  /** Pod template: labels and annotations in `metadata`, containers in `spec`. */
  readonly template: Fields;
  /** Pod template of the running pods, which an apply replaces. @default - `template` */
  readonly oldTemplate?: Fields;
  /** The running pods that an apply does not replace although their template changes. @default - the change is not held */
  readonly kept?: KeptPods;
  /** The owner of its running pods. @default - the kind and name of a workload; running pods of any other set are not recognized */
  readonly owner?: RunningPodOwner;
  /** Whether only the number of pods is known. Only limits on the number of pods then apply, and it cannot be said that they fit. */
  readonly countOnly?: boolean;
  /** Whether the system fills in missing container resources, so that the requests are not known. @default false */
  readonly hasDefaultedResources?: boolean;
  /** Whether the RuntimeClass of the pods is in the input, and the template has what it adds. @default false */
  readonly hasKnownRuntimeClass?: boolean;
  /** Whether several LimitRanges of the namespace fill in different amounts, so that the requests are random. @default false */
  readonly hasConflictingDefaults?: boolean;
  /** Names of the constraints on nodes that its controller adds to its pods, which plans do not model. @default - none */
  readonly addedConstraints?: readonly string[];
  /** Names of the claims of the template that only one pod of the cluster may use. @default - none */
  readonly exclusiveClaims?: readonly string[];
  /**
   * Whether every node has one of the pods, as for a DaemonSet. The nodes then follow from the node rules of the pods, not from their
   * number.
   */
  readonly onePerNode?: boolean;
  /** Label by which the controller marks the pods of a revision. @default - none */
  readonly revisionLabel?: string;
  /** Whether its controller, and not the template, decides how its requests end when a pod is deleted. @default false */
  readonly controlsTermination?: boolean;
}

/** Formats the objects of pod sets for a sentence, except the one that the sentence is about. Returns undefined if there is no other. */
export type PodSetNames = (podSets: readonly PodSet[], own: string) => TruncatedNames | undefined;
