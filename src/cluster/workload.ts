import type { FieldPath } from '../core/field-path';
import type { Finding, Occurrence, Source } from '../core/finding';
import type { Fields } from '../core/manifest';
import type { PlannedRollout, RolloutDuration } from '../core/rollout';
import type { CapacityResult, CapacityVerdict } from '../core/capacity-result';
import type { ServiceRole } from '../core/service-plan';
import type { Simulation } from '../core/simulations/simulation';
import type { ExhaustiveFindings } from './exhaustive-findings';
import type { AdmissionRejection } from './capacity/admission/admission-rejection';
import type { LimitedRun, RunLimits } from './limited-run';
import type { LocatedTemplate } from './pods/located-template';
import type { ClusterService } from './services/cluster-services';
import type { RoutedService } from './services/routed-share';
import type { StrategyFieldNames, StrategyOwner } from './strategy-field-names';

/** The range of pods of an autoscaler, and its name for messages: `HorizontalPodAutoscaler "web"`. */
export interface ReplicaRange {
  readonly by: string;
  readonly minimum: number;
  readonly maximum: number;
}

/** The object that a running pod belongs to: a workload, or an object that creates groups or clusters of pods. */
export interface RunningPodOwner {
  readonly kind: string;
  readonly name: string;
  /** Reports by its labels whether a pod of the owner belongs to the set. @default - all do */
  hasMember?(labels: Fields): boolean;
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

/** The location of a finding. It has a source if that is not in the object of the rollout. */
export type FindingLocation = Pick<Occurrence<unknown>, 'path' | 'source'>;

/** A PersistentVolumeClaim that pods mount, and the field that refers to it. */
export interface MountedClaim extends FindingLocation {
  readonly name: string;
}

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

/** What is known of the capacity for a rollout after all pods of the input are placed. */
export interface CapacityKnowledge {
  readonly verdict?: CapacityResult;
  /** Why all new pods are refused, if that is what blocks the rollout. */
  readonly rejection?: AdmissionRejection;
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
  /** Returns the findings of the rules of its kind, given what is known of its capacity. */
  review(workload: Workload, capacity: CapacityKnowledge): ExhaustiveFindings;
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
  /** Whether a pod starts only once the pods before it are available. @default - all start at once */
  readonly startsInOrder?: boolean;
  /** Range of the autoscaler, if the system of the rollout knows it. KServe, for example, creates one. */
  readonly replicaRange?: ReplicaRange;
  /** The rollout. Undefined if nothing rolls out, for example while a Deployment is paused. */
  readonly rollout?: PodRollout;
  readonly controller: WorkloadController;
}

/** The capacity of the old and the new cluster, each in percent of a full one. */
export interface ClusterCapacity {
  readonly oldPercent: number;
  readonly newPercent: number;
}

/** The upgrade to a second cluster that needs the least capacity: an incremental upgrade, or smaller steps. */
export type MinimalCapacityOption = 'incremental-upgrade' | 'smaller-surge';

/**
 * The pods of a rollout that creates a second cluster of pods next to the first, for each row of its simulation.
 *
 * A system returns them with the rollout, like a Workload.
 */
export interface ClusterPods {
  /** Pod sets of the running cluster: its head, its worker groups. */
  readonly podSets: readonly PodSet[];
  /** Pods of each set, in both clusters together, at every row. */
  readonly rows: readonly (readonly number[])[];
  /** Pods of each set in the old cluster, at every row. */
  readonly oldRows: readonly (readonly number[])[];
  /** The rows, including the pods that each row deletes. */
  readonly rowsWithDeleted: readonly (readonly number[])[];
  /** Capacity of both clusters at every row. */
  readonly capacities: readonly ClusterCapacity[];
  /** Index of the first row that is reached even if its pods do not fit, from 0. Infinity if every row waits for its pods. */
  readonly waitsBelowRow: number;
  /** Field path of the templates: `spec.rayClusterConfig`. */
  readonly path: FieldPath;
  /** The option that needs the least capacity next to the running cluster, and its pods of each set. */
  readonly minimal: { readonly way: MinimalCapacityOption; readonly row: readonly number[] };
  /** Returns how long the rollout takes. Returns undefined if the startup time of a pod is not known. */
  duration(capacity?: CapacityDelay): RolloutDuration | undefined;
  /** Returns its pod templates for the rules about pods: the head, the worker groups. */
  podTemplates(): readonly LocatedTemplate[];
  /** Findings of the rules that all rollouts share. */
  readonly sharedRuleFindings: ExhaustiveFindings;
  /** Findings of its own rules about the capacity it needs. They apply if no shortage is known. */
  readonly capacityFindings: readonly Finding[];
}

/** Pods as disruption budgets see them. */
export interface BudgetedPods extends PodSet {
  readonly kind: string;
  readonly name: string;
  readonly strategyPath: FieldPath;
  readonly names: StrategyFieldNames;
  readonly strategyOwner?: StrategyOwner;
  /** Pods in each group, if limits of the rollout count groups. @default 1 */
  readonly perGroup?: number;
  /** Field path of the pod spec, for groups. @default - not known, and their volumes are not checked */
  readonly podPath?: FieldPath;
  readonly replicaRange?: ReplicaRange;
  /** The rollout. Undefined if nothing rolls out. */
  readonly rollout?: Pick<PodRollout, 'leastAvailable' | 'surge' | 'evicts'>;
  /** @default - not known */
  readonly controller?: WorkloadController;
}

/** Identical groups, and the outcome of their rollout if not all of them fit at once. */
export interface FewerGroups {
  /** Pods of each set in one group. */
  readonly perGroup: readonly number[];
  /** Desired groups, and how many may exist beyond them or be missing. */
  readonly limits: { readonly replicas: number; readonly surge: number; readonly unavailable: number };
  /** Returns the outcome if at most this many groups fit. */
  outcome(groups: number): CapacityOutcome;
  /**
   * Returns the rollout under limits on its groups. Returns undefined if its initial state is not supported.
   *
   * @param mayCompete whether groups that wait together may leave each other without enough pods
   */
  runWithin(limits: RunLimits, mayCompete: boolean): LimitedRun | undefined;
}

/** Reports whether this many pods of each set of a rollout fit at once. True if the capacity is not known. */
export type FitsRow = (row: readonly number[]) => boolean;

/** The rollout of groups of pods. Each group has pods of every set, and counts once all of its pods are ready. */
export interface GroupPods {
  /** Pods of each set in all desired groups: leaders, workers. */
  readonly podSets: readonly BudgetedPods[];
  /** Pods of each set at every row. The first row is the state before any change. Empty if nothing rolls out. */
  readonly rows: readonly (readonly number[])[];
  /** Old pods of each set at every row. */
  readonly oldRows: readonly (readonly number[])[];
  /** Returns its pod templates for the rules about pods: leaders, workers. */
  podTemplates(): readonly LocatedTemplate[];
  /**
   * Returns the findings of the rules that all rollouts share, and of its own.
   *
   * @param fitsRow whether this many pods of each set fit at once, if known
   */
  review(fitsRow: FitsRow): ExhaustiveFindings;
  /** Returns findings about the rows that happen under the limits. @default - none */
  checkRows?(simulation: Simulation): readonly Finding[];
  /** Returns the number of a running pod's group, by its labels. Groups with the highest are replaced first. @default - not known */
  readonly positionOf?: (labels: Fields) => number;
  /** Path for a finding that the groups do not fit. */
  readonly path: FieldPath;
  /** The outcome with fewer groups at once. @default - it deadlocks at the first row that does not fit */
  readonly fewer?: FewerGroups;
  /**
   * Returns a rollout that deadlocks with only the new pods of each set that quotas admit in its last row. @default - as it is, because
   * `fewer` shows them
   */
  withAdmittedPods?(halted: Simulation, admitted: readonly number[]): Simulation;
  /** Returns how long the rollout takes. Returns undefined if nothing rolls out, or if the startup time of a pod is not known. */
  duration(capacity?: CapacityDelay): RolloutDuration | undefined;
  /** Range of groups of an autoscaler. @default - there is none */
  readonly groupRange?: ReplicaRange;
  /** Returns the rollout with another number of groups. @default - not known */
  rolloutAt?(groups: number): GroupTrial;
  /** Returns the rollout with another strategy, as the API server stores it. @default - its user cannot choose one */
  readonly rolloutWith?: ((strategy: unknown, groups: number) => GroupTrial) | undefined;
}

/** A rollout of groups with another number of groups, or another strategy. Its pod sets are those of the rollout as written. */
export type GroupTrial = Pick<GroupPods, 'rows' | 'oldRows' | 'fewer' | 'duration'> & { readonly simulation: Simulation };

/** The pods of a rollout: those of one workload, of a cluster that a second one is created next to, or of groups. */
export type RolloutPods =
  | { readonly kind: 'workload'; readonly workload: Workload }
  | { readonly kind: 'clusters'; readonly clusters: ClusterPods }
  | { readonly kind: 'groups'; readonly groups: GroupPods };

/** A rollout as its system returns it, with its pods if the system knows them. */
export interface SystemRollout extends PlannedRollout {
  readonly pods?: RolloutPods;
  /** Services whose selector its controller restricts to the pods of one version, by name. @default - none */
  readonly serviceRoles?: ReadonlyMap<string, ServiceRole>;
  /** Name of the Service that its controller creates for its pods, and deletes with its object. @default - none is known */
  readonly createdService?: string;
  /** Service that its controller creates for its pods, if a route of the controller splits requests between several. @default - none */
  readonly routedService?: RoutedService;
  /** Services that its controller creates for the pods of a cluster and of the one that replaces it. @default - none */
  readonly clusterServices?: readonly ClusterService[];
  /** Whether its running pods stay until those of another object, which takes its place, are ready. @default false */
  readonly keepsPodsUntilReplaced?: boolean;
  /**
   * The finding for which a webhook refuses the complete object although its rollout can be planned. It is null if the API server stores
   * the object and refuses only what is created from it. @default - the first error of a rollout that cannot be planned at all
   */
  readonly rejectionCause?: Finding | null;
}

/** Returns the pod sets of a rollout, as they run while nothing rolls out. */
export function podSetsOf({ pods }: SystemRollout): readonly PodSet[] {
  if (pods === undefined) return [];
  if (pods.kind === 'workload') return [pods.workload];
  return pods.kind === 'groups' ? pods.groups.podSets : pods.clusters.podSets;
}

/**
 * Returns the desired pods of a rollout. Returns undefined if its system does not know them, or if the nodes that they run on are not
 * known.
 */
export function countDesiredPods(rollout: SystemRollout): number | undefined {
  const podSets = podSetsOf(rollout);
  if (podSets.length === 0 || podSets.some(({ onePerNode, replicas }) => onePerNode && replicas === 0)) return undefined;
  return podSets.reduce((sum, { replicas }) => sum + replicas, 0);
}

/** Returns a rollout with each of its pod sets changed. */
export function withPodSets(rollout: SystemRollout, change: <Pods extends PodSet>(pods: Pods) => Pods): SystemRollout {
  const { pods } = rollout;
  if (pods === undefined) return rollout;
  if (pods.kind === 'workload') {
    const workload = change(pods.workload);
    return workload === pods.workload ? rollout : { ...rollout, pods: { kind: 'workload', workload } };
  }
  if (pods.kind === 'groups') {
    return { ...rollout, pods: { ...pods, groups: { ...pods.groups, podSets: pods.groups.podSets.map((podSet) => change(podSet)) } } };
  }
  const podSets = pods.clusters.podSets.map((podSet) => change(podSet));
  return { ...rollout, pods: { ...pods, clusters: { ...pods.clusters, podSets } } };
}

/** Returns the pod sets of a rollout that budgets may select. */
export function getBudgetedPods({ pods }: SystemRollout): readonly BudgetedPods[] {
  if (pods === undefined || pods.kind === 'clusters') return [];
  return pods.kind === 'workload' ? [pods.workload] : pods.groups.podSets;
}

/** Returns the location of a finding about the pod template, whichever object contains it. */
export function templateLocationOf({ locateTemplate }: Pick<Workload, 'locateTemplate'>, path: FieldPath): FindingLocation {
  const source = locateTemplate?.(path);
  return source ? { path, source } : { path };
}

/** Returns the workload of a rollout. Returns undefined if it has none. */
export function workloadOf({ pods }: SystemRollout): Workload | undefined {
  return pods?.kind === 'workload' ? pods.workload : undefined;
}

/** A workload with known pods that rolls out. */
export interface LimitedRollout {
  readonly workload: Workload;
  readonly rollout: PodRollout;
}

/** Returns the workload and its rollout if it is simulated pod by pod. Returns undefined for any other rollout. */
export function getLimitedRollout(planned: SystemRollout): LimitedRollout | undefined {
  const workload = workloadOf(planned);
  return workload?.rollout && { workload, rollout: workload.rollout };
}
