import type { CapacityResult } from '../../core/document/capacity-result';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Fields } from '../../core/manifest/manifest';
import type { RolloutDuration } from '../../core/document/rollout';
import type { Simulation } from '../../core/simulations/simulation';
import type { StrategyFieldNames } from './strategy-field-names';
import type { ReplicaRange } from './workload';

/** What a plan shows of one run of a rollout. */
export interface TrialRun<S extends Simulation | null = Simulation> {
  readonly simulation: S;
  /** Whether it fits. Unset if neither a quota nor a capacity limits its pods. */
  readonly capacity?: CapacityResult;
  /** Unset if the time until a pod becomes ready is not known. */
  readonly duration?: RolloutDuration;
}

/** A rollout that can be run again with other strategies, while everything around it stays as it is. */
export interface RolloutTrial {
  /** Pods of one replica, as the API server admits them: one, or those of a group. */
  readonly unit: readonly { readonly template: Fields; readonly pods: number }[];
  /** Range of its autoscaler. @default - there is none */
  readonly range?: ReplicaRange;
  /** Whether the requests of the pods are known. */
  readonly hasKnownRequests: boolean;
  /** Path of the strategy in the object: `spec.strategy`. */
  readonly strategyPath: FieldPath;
  /** Names of the limits in the object. @default - those of the stored strategy */
  readonly names?: StrategyFieldNames;
  /** Whether a quota, nodes or a capacity limits the pods. */
  readonly isLimited: boolean;
  /**
   * Whether each old pod that is deleted makes room for exactly one new pod. Then a larger surge changes nothing once the pods do not fit.
   */
  readonly hasInterchangeablePods: boolean;
  /** Whether pods of other nodes decide where its pods run, as with a spread constraint. Then a run visits thousands of placements. */
  readonly dependsOnOtherNodes: boolean;
  /** Whether limits apply to the pods although their requests are not known, so that it cannot be said that they fit. */
  readonly isUncertain: boolean;
  /** What the user may not read of what decides whether the pods fit, formatted for a message: `nodes`. @default - all was read */
  readonly unread?: readonly string[];
  /** What was not asked for of the same, such as a namespace beyond the maximum. @default - nothing */
  readonly unasked?: readonly string[];
  /**
   * Runs it with a strategy, as the API server stores it, and a number of replicas. The result is that of a plan of the same manifest with
   * that strategy.
   *
   * @param skipsSearch whether no search of all placements decides whether the pods fit. The verdict is then more often "may-not-fit", and
   *   all other figures are those of the best placement. @default false
   */
  run(strategy: unknown, replicas: number, skipsSearch?: boolean): TrialRun;
}
