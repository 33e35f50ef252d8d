import type { FieldPath } from '../core/field-path';
import type { Finding, Occurrence, Source } from '../core/finding';
import type { Fields } from '../core/manifest';
import type { PlannedRollout, RolloutDuration } from '../core/rollout';
import type { CapacityResult, CapacityVerdict } from '../core/capacity-result';
import type { Simulation } from '../core/simulations/simulation';
import type { ExhaustiveFindings } from './exhaustive-findings';
import type { AdmissionRejection } from './capacity/admission-rejection';
import type { StrategyFieldNames, StrategyOwner } from './strategy-field-names';

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
  /** Pods that run before an apply that wants another number of them. @default - as many as are planned for */
  readonly running?: number;
  /** Is it of an object that an apply makes? @default false */
  readonly isNew?: boolean;
  /** Does an apply let an autoscaler go further up with it? @default false */
  readonly isMaximumRaised?: boolean;
  /** The pod template: labels and annotations in `metadata`, containers in `spec`. */
  readonly template: Fields;
  /** Is nothing known of the pods but how many they are? Then only what counts pods limits them, and that they fit can't be told. */
  readonly countOnly?: boolean;
  /** Does the system fill in what containers leave out of their resources, so that what they ask for is not known? @default false */
  readonly hasDefaultedResources?: boolean;
  /** Do several LimitRanges of the namespace fill in different amounts, so that chance decides what they ask for? @default false */
  readonly hasConflictingDefaults?: boolean;
  /** Has every node one of them, as the pods of a DaemonSet? The nodes are then known from their own rules, not from their number. */
  readonly onePerNode?: boolean;
  /** The label that the controller gives the pods of one revision. @default - none */
  readonly revisionLabel?: string;
}

/** Where to say something; with its source where that is not in the object that the rollout is of. */
export type FindingLocation = Pick<Occurrence<unknown>, 'path' | 'source'>;

/** A PersistentVolumeClaim that pods mount, and the field that asks for it. */
export interface MountedClaim extends FindingLocation {
  readonly name: string;
}

/** What becomes of a rollout while only so many of its pods find room at once. */
export interface CapacityOutcome {
  readonly verdict: CapacityVerdict;
  /** The wave or batch at which nothing moves any more. */
  readonly deadlockWave?: number;
  /** Waves that create a pod, with fewer pods at once. */
  readonly iterations?: number;
}

/** What a lack of room does to the time that a rollout takes. */
export interface CapacityDelay {
  /** It never ends. */
  readonly deadlocks: boolean;
  /** Of a second cluster: its pods wait until old ones, which hold their places while they are deleted, are gone. @default false */
  readonly waitsForOldPods?: boolean;
  /** Pods that find room at once, old and new, those that are being deleted included. */
  readonly podsWithRoom: number;
  /** Pods that quotas let exist at once; a pod that only lacks a node exists and waits for one. @default Infinity */
  readonly podsAdmitted?: number;
  /** Waves that create a pod, where the lack of room makes them more. */
  readonly iterations?: number;
  /** Nodes that do not take its pod at all, where that is what it lacks; of one pod a node. */
  readonly nodesTooSmall?: number;
}

/** The rollout of one set of pods as all see it that don't know its kind: what it asks of the cluster, and what becomes of it there. */
export interface PodRollout {
  readonly simulation: Simulation;
  readonly replicas: number;
  /** What its rows are called. */
  readonly unit: 'wave' | 'batch';
  /** Most pods at once. */
  readonly peakPods: number;
  /** Fewest pods available at any time. */
  readonly leastAvailable: number;
  /** New pods that are created before old ones are gone. */
  readonly surge: number;
  /** Pods that may go before new ones are ready; 0 where none goes before a new one is. */
  readonly unavailable: number;
  /** Does any of its new pods count only once so many of them are ready that each may hold what another rollout waits for? @default false */
  readonly waitsForAllNew?: boolean;
  /** Does its controller evict its pods, so that budgets are asked? @default false */
  readonly evicts?: boolean;
  /**
   * What becomes of it while at most so many of its pods run at once.
   *
   * @param areRefused are pods beyond them refused, and not only left waiting for a node?
   */
  outcome(capacity: number, areRejected?: boolean): CapacityOutcome;
  /** What becomes of it where so many of its nodes do not take its pod at all; of one pod a node. */
  outcomeOnNodes?(undersizedNodes: number): CapacityOutcome;
  /** The rows up to where it stands still for want of room; absent where a kind shows its whole course. */
  haltedAt?(delay: CapacityDelay): Simulation;
  /** How long it takes, by the seconds that a pod takes to become ready; undefined where no pod is replaced. */
  duration(startupSeconds: number, capacity?: CapacityDelay): RolloutDuration | undefined;
}

/** What is known of the room for a rollout once all pods of the input have their places. */
export interface CapacityKnowledge {
  readonly verdict?: CapacityResult;
  /** Why new pods are refused outright, where that is what the rollout lacks. */
  readonly rejection?: AdmissionRejection;
  /** Is room found for its new pods where it is scarce: on nodes in view, or in a capacity that names what they ask for? @default false */
  readonly hasCapacity?: boolean;
  /** What would keep a new pod from running beside the old ones; undefined where nothing in view does. */
  readonly obstacle?: SurgeObstacle;
}

/**
 * Why one pod more beside those that run is not to be had: no room in view, an extended resource, one pod a node, a volume of one node,
 * or no room once its autoscaler has gone up to its maximum.
 */
export type SurgeObstacle = 'insufficient-capacity' | 'insufficient-capacity-at-maximum' | 'extended-resource' | 'one-node-each' | 'volume';

/**
 * The pods that a rollout replaces, for all that depends on other objects: disruption budgets, quotas, autoscalers, volumes, nodes.
 *
 * A system that knows them hands them on beside the rollout; they are no part of the plan document.
 */
export interface Workload extends PodSet {
  /** What autoscalers scale: for a Deployment its own kind and name, for a KServe component those of the Deployment that KServe makes. */
  readonly kind: string;
  readonly name: string;
  /** Field path of the pod's spec: `spec.template.spec`. */
  readonly podPath: FieldPath;
  /** Where a field of the pod template stands in the input, if the template is another object's. @default - it is the rollout's own */
  readonly locateTemplate?: (path: FieldPath) => Source | undefined;
  /** Where to say that the pods find no room: their containers, or their number where nothing else is known. */
  readonly sizePath: FieldPath;
  /** The field that says how many pods there are. @default - none does */
  readonly replicasPath?: FieldPath;
  /** Field path of the strategy: `spec.strategy`. */
  readonly strategyPath: FieldPath;
  /** What the object calls the fields of the strategy. */
  readonly names: StrategyFieldNames;
  /** Who decides the strategy, whatever the object says. @default - the object's user */
  readonly strategyOwner?: StrategyOwner;
  /** Claims that the pods mount and no volume of the template names. @default - none */
  readonly claims?: readonly MountedClaim[];
  /** Does each rollout begin with a ReplicaSet more? */
  readonly addsReplicaSet?: boolean;
  /** Does a pod start only once those before it are available? @default - all start at once */
  readonly startsInOrder?: boolean;
  /** Can each pod have a claim of its own, by `volumeClaimTemplates`? */
  readonly hasClaimTemplates?: boolean;
  /** Can a new pod come before an old one goes? @default false */
  readonly hasSurge?: boolean;
  /** Can all pods be taken down before new ones come, by type Recreate? */
  readonly canRecreate?: boolean;
  /** Where the rollout's own system knows the autoscaler, as KServe does that makes one. */
  readonly replicaRange?: ReplicaRange;
  /** The rollout; undefined where nothing rolls out, as while a Deployment is paused. */
  readonly rollout?: PodRollout;
  /** The same rollout with another number of pods. */
  rolloutAt(replicas: number): PodRollout;
  /** What the rules of its kind say of it, with what is known of its room. */
  review(capacity: CapacityKnowledge): ExhaustiveFindings;
}

/** The capacity of two clusters side by side, each in percent of a whole one. */
export interface ClusterCapacity {
  readonly oldPercent: number;
  readonly newPercent: number;
}

/** The way to the second cluster that needs least room: an upgrade step by step, or smaller steps. */
export type MinimalCapacityOption = 'incremental-upgrade' | 'smaller-surge';

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
  /** Of both clusters at every row. */
  readonly capacities: readonly ClusterCapacity[];
  /** The rows from this one on (counted from 0) come whether or not their pods find room; Infinity where every row waits for its pods. */
  readonly waitsBelowRow: number;
  /** Field path of the templates: `spec.rayClusterConfig`. */
  readonly path: FieldPath;
  /** What needs least room beside the running cluster: the way to it, and the pods of each set then. */
  readonly minimal: { readonly way: MinimalCapacityOption; readonly row: readonly number[] };
  /** How long it takes; undefined where nobody says how long a pod takes to become ready. */
  duration(capacity?: CapacityDelay): RolloutDuration | undefined;
  /** What the rules that all pods share say of it. */
  readonly sharedRuleFindings: ExhaustiveFindings;
  /** What its own rules say of the room that it needs, where no shortage is known. */
  readonly capacityFindings: readonly Finding[];
}

/** Pods as disruption budgets look at them. */
export interface BudgetedPods extends PodSet {
  readonly kind: string;
  readonly name: string;
  readonly strategyPath: FieldPath;
  readonly names: StrategyFieldNames;
  readonly strategyOwner?: StrategyOwner;
  /** Pods that go together, where limits of the rollout count groups of them. @default 1 */
  readonly perGroup?: number;
  /** Of groups, where the spec of these pods stands. @default - not known, and their volumes are not judged */
  readonly podPath?: FieldPath;
  readonly replicaRange?: ReplicaRange;
  /** Undefined where nothing rolls out. */
  readonly rollout?: Pick<PodRollout, 'leastAvailable' | 'surge' | 'evicts'>;
  /** The same with another number of pods. @default - not known */
  rolloutAt?(replicas: number): Pick<PodRollout, 'leastAvailable'>;
}

/** Groups that are all alike, and what becomes of their rollout where not all find room at once. */
export interface FewerGroups {
  /** Pods of each set in one group. */
  readonly perGroup: readonly number[];
  /** While at most so many groups find room. */
  outcome(groups: number): CapacityOutcome;
}

/** Do so many pods of each set of a rollout find room at once? True where nothing is known of room. */
export type FitsRow = (row: readonly number[]) => boolean;

/** The rollout of groups of pods, of which each has pods of every set; a group counts once all of its pods are ready. */
export interface GroupPods {
  /** The pods of each set in all groups that are wanted: leaders, workers. */
  readonly podSets: readonly BudgetedPods[];
  /** Pods of each set at every row, the first of them before anything moves; none where nothing rolls out. */
  readonly rows: readonly (readonly number[])[];
  /**
   * What the rules that all pods share say of it.
   *
   * @param hasRoomFor do so many pods of each set find room at once, as far as is known?
   */
  review(fitsRow: FitsRow): ExhaustiveFindings;
  /** Where to say that the groups find no room. */
  readonly path: FieldPath;
  /** What becomes of it with fewer groups at once. @default - it stands still at the first row that finds no room */
  readonly fewer?: FewerGroups;
  /** How long it takes; undefined where nothing rolls out, or nobody says how long a pod takes to become ready. */
  duration(capacity?: CapacityDelay): RolloutDuration | undefined;
  /** Between which numbers of groups an autoscaler moves it. @default - none does */
  readonly groupRange?: ReplicaRange;
  /** The same rollout with another number of groups. @default - not known */
  rolloutAt?(groups: number): Pick<GroupPods, 'rows' | 'fewer'> & { readonly simulation: Simulation };
}

/** The pods of a rollout: those of one workload, those of a cluster that a second one is brought up beside, or those of groups. */
export type RolloutPods =
  | { readonly kind: 'workload'; readonly workload: Workload }
  | { readonly kind: 'clusters'; readonly clusters: ClusterPods }
  | { readonly kind: 'groups'; readonly groups: GroupPods };

/** A rollout as its system hands it on: with its pods, where the system knows them. */
export interface SystemRollout extends PlannedRollout {
  readonly pods?: RolloutPods;
  /**
   * For what a webhook refuses the whole object though its rollout can be told; null where the server stores the object
   * and refuses only what is made of it. @default - the first error of a rollout of which nothing can be told
   */
  readonly rejectionCause?: Finding | null;
}

/** The sets of pods of a rollout, as they run while nothing rolls out. */
export function podSetsOf({ pods }: SystemRollout): readonly PodSet[] {
  if (pods === undefined) return [];
  if (pods.kind === 'workload') return [pods.workload];
  return pods.kind === 'groups' ? pods.groups.podSets : pods.clusters.podSets;
}

/** The pods that are wanted of a rollout; undefined where its system does not know them, or the nodes that they go to are not in view. */
export function countDesiredPods(rollout: SystemRollout): number | undefined {
  const podSets = podSetsOf(rollout);
  if (podSets.length === 0 || podSets.some(({ onePerNode, replicas }) => onePerNode && replicas === 0)) return undefined;
  return podSets.reduce((sum, { replicas }) => sum + replicas, 0);
}

/** A rollout with each of its sets of pods changed. */
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

/** The sets of pods of a rollout that budgets may select. */
export function getBudgetedPods({ pods }: SystemRollout): readonly BudgetedPods[] {
  if (pods === undefined || pods.kind === 'clusters') return [];
  return pods.kind === 'workload' ? [pods.workload] : pods.groups.podSets;
}

/** Where a finding about the pod template stands, whichever object has it. */
export function templateLocationOf({ locateTemplate }: Pick<Workload, 'locateTemplate'>, path: FieldPath): FindingLocation {
  const source = locateTemplate?.(path);
  return source ? { path, source } : { path };
}

/** The workload of a rollout; undefined where it has none. */
export function workloadOf({ pods }: SystemRollout): Workload | undefined {
  return pods?.kind === 'workload' ? pods.workload : undefined;
}
