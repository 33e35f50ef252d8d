import type { CapacityResult, Shortage } from '../../core/document/capacity-result';
import type { Fields } from '../../core/manifest/manifest';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Occurrence, Source } from '../../core/findings/finding';
import type { AdmissionRejection } from '../rejections/admission-rejection';
import type { ExhaustiveFindings } from './exhaustive-findings';
import type { PodRollout } from './pod-rollout';
import type { PodSet } from './pod-set';
import type { LocatedTemplate } from './located-template';
import type { StrategyFieldNames, StrategyOwner } from './strategy-field-names';

/** The range of pods of an autoscaler, and its name for messages: `HorizontalPodAutoscaler "web"`. */
export interface ReplicaRange {
  readonly by: string;
  readonly minimum: number;
  readonly maximum: number;
}

/** The location of a finding. It has a source if that is not in the object of the rollout. */
export type FindingLocation = Pick<Occurrence<unknown>, 'path' | 'source'>;

/** A PersistentVolumeClaim that pods mount, and the field that refers to it. */
export interface MountedClaim extends FindingLocation {
  readonly name: string;
}

/** What is known of the capacity for a rollout after all pods of the input are placed. */
export interface CapacityKnowledge {
  readonly verdict?: CapacityResult;
  /** What else the rollout lacks at its peak, in addition to the shortage of the verdict. @default - nothing */
  readonly furtherShortages?: readonly Shortage[];
  /** Why all new pods are refused, if that is what blocks the rollout. */
  readonly rejection?: AdmissionRejection;
  /** Reports whether the rollout deadlocks too if it replaces pods in place, this many at once. @default - it does not */
  readonly deadlocksInPlace?: (unavailable: number) => boolean;
  /** Returns which smaller rollouts finish if a quota stops this one. Returns undefined if that is not known. @default - it is not known */
  readonly smallerRollouts?: () => SmallerRollouts | undefined;
  /** Returns whether a new pod can run next to the old ones. Only what needs such a pod asks. */
  readonly headroom: () => SurgeHeadroom;
}

/** Whether a rollout that a quota stops finishes with fewer pods, and with pods that request less. */
export interface SmallerRollouts {
  readonly fewerPods: boolean;
  readonly smallerPods: boolean;
}

/** Whether one pod more than the running ones can run. */
export interface SurgeHeadroom {
  /**
   * Whether there is known capacity for its new pods although it is scarce: on known nodes, or in a capacity that lists their resources.
   * @default false
   */
  readonly hasCapacity?: boolean;
  /** What prevents a new pod from running next to the old ones. Undefined if nothing is known to prevent it. */
  readonly obstacle?: SurgeObstacle;
}

/**
 * Why one pod more than the running ones is not possible: no capacity, an extended resource, one pod per node, a single-node volume, or no
 * capacity at the maximum of its autoscaler.
 */
export type SurgeObstacle = 'insufficient-capacity' | 'insufficient-capacity-at-maximum' | 'extended-resource' | 'one-node-each' | 'volume';

/** What every workload of a kind has in common. */
export interface WorkloadTraits {
  /** Whether each rollout creates another ReplicaSet. @default false */
  readonly addsReplicaSet?: boolean;
  /** Whether each pod can have its own claim, through `volumeClaimTemplates`. @default false */
  readonly hasClaimTemplates?: boolean;
  /** Whether a new pod can be created before an old one is deleted. @default false */
  readonly hasSurge?: boolean;
  /** Whether all pods can be deleted before new ones are created, with type Recreate. @default false */
  readonly canRecreate?: boolean;
}

/** What the controller of a workload would do, and what the rules of its kind say about it. */
export interface WorkloadController {
  readonly traits: WorkloadTraits;
  /** Whether its user can choose a strategy. */
  readonly acceptsStrategies: boolean;
  /**
   * Returns the rollout with another number of pods.
   *
   * @param strategy another strategy, as the API server stores it, if its user can choose one. @default - the one of the workload
   */
  rolloutAt(replicas: number, strategy?: unknown): PodRollout;
  /** Returns the pod template for the rules about pods, given what is known of its capacity. Returns none if the template is not known. */
  podTemplates(workload: Workload, capacity: CapacityKnowledge): readonly LocatedTemplate[];
  /**
   * Returns the findings of the rules of its kind, given what is known of its capacity.
   *
   * @param templates what `podTemplates` returns
   */
  review(workload: Workload, capacity: CapacityKnowledge, templates: readonly LocatedTemplate[]): ExhaustiveFindings;
}

/**
 * The pods that a rollout replaces, for everything that depends on other objects: disruption budgets, quotas, autoscalers, volumes, nodes.
 *
 * A system that knows the pods returns them with the rollout. They are not part of the plan document.
 */
export interface Workload extends PodSet {
  /**
   * The object that autoscalers scale. For a Deployment it is its own kind and name, for a KServe component those of the Deployment that
   * KServe creates.
   */
  readonly kind: string;
  readonly name: string;
  /** Field path of the pod spec: `spec.template.spec`. */
  readonly podPath: FieldPath;
  /**
   * Returns the source of a field of the pod template, if the template belongs to another object. @default - it belongs to the rollout's
   * object
   */
  readonly locateTemplate?: (path: FieldPath) => Source | undefined;
  /** Path for a finding that the pods do not fit: their containers, or their number if nothing else is known. */
  readonly sizePath: FieldPath;
  /** Path of the field with the number of pods. @default - there is none */
  readonly replicasPath?: FieldPath;
  /** Field path of the strategy: `spec.strategy`. */
  readonly strategyPath: FieldPath;
  /** Names of the strategy fields in the object. */
  readonly names: StrategyFieldNames;
  /** Owner of the strategy, regardless of the object. @default - the object's user */
  readonly strategyOwner?: StrategyOwner;
  /** Claims that the pods mount without a volume of the template. @default - none */
  readonly claims?: readonly MountedClaim[];
  /** Names of the claim templates. The claim of a pod is named after one of them and after the pod: `data-db-0`. @default - none */
  readonly claimTemplates?: readonly string[];
  /** Specs of the claim templates, in the same order. @default - none */
  readonly claimTemplateSpecs?: readonly Fields[];
  /** Whether a pod starts only once the pods before it are available. @default - all start at once */
  readonly startsInOrder?: boolean;
  /** Range of the autoscaler, if the system of the rollout knows it. KServe, for example, creates one. */
  readonly replicaRange?: ReplicaRange;
  /** The rollout. Undefined if nothing rolls out, for example while a Deployment is paused. */
  readonly rollout?: PodRollout;
  readonly controller: WorkloadController;
}

/** Returns the location of a finding about the pod template, whichever object contains it. */
export function templateLocationOf({ locateTemplate }: Pick<Workload, 'locateTemplate'>, path: FieldPath): FindingLocation {
  const source = locateTemplate?.(path);
  return source ? { path, source } : { path };
}

/** A workload with known pods that rolls out. */
export interface LimitedRollout {
  readonly workload: Workload;
  readonly rollout: PodRollout;
}
