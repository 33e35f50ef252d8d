import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import type { Fields } from '../../core/manifest/manifest';
import type { RolloutDuration } from '../../core/document/rollout';
import type { Simulation } from '../../core/simulations/simulation';
import type { ExhaustiveFindings } from './exhaustive-findings';
import type { LimitedRun, RunLimits } from './limited-run';
import type { CapacityOutcome, CapacityDelay, PodRollout } from './pod-rollout';
import type { PodSet } from './pod-set';
import type { LocatedTemplate } from './located-template';
import type { StrategyFieldNames, StrategyOwner } from './strategy-field-names';
import type { ReplicaRange, WorkloadController } from './workload';

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
  readonly rollout?: Pick<PodRollout, 'leastAvailable' | 'surge' | 'evicts'> & Partial<Pick<PodRollout, 'unavailable'>>;
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
   * @param replacesPods whether pods are replaced. If not, only what is wrong all the same is reported
   */
  review(fitsRow: FitsRow, replacesPods: boolean): ExhaustiveFindings;
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
