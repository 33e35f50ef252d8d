import type { CapacityVerdict } from './capacity-result';
import type { IntOrPercent } from '../values/int-or-percent';
import type { FORMAT_VERSION } from './plan-document';
import type { ResourceRef } from './rollout';
import { joinWords } from '../text/text-format';
import type { Versions } from '../values/versions';

/** What decides among the strategies that meet a goal: the shortest time, the most available pods, or the fewest extra pods. */
export const PREFERENCES = ['fast', 'available', 'cheap'] as const;

/** What decides among the strategies that meet a goal. */
export type Preference = (typeof PREFERENCES)[number];

/** What a user wants of a rollout. A limit that is not set is not asked for. */
export interface RolloutGoal {
  /** Fewest pods available at any time: a number, or a percentage of the replicas, rounded up. For groups of pods, it counts groups. */
  readonly available?: IntOrPercent;
  /** Most extra pods: a number, or a percentage of all pods, rounded down. For groups of pods too, it counts pods. */
  readonly extraPods?: IntOrPercent;
  /** Most GPUs that extra pods request. */
  readonly extraGpus?: number;
  /** Longest duration: `15m`, `1h30m`. */
  readonly within?: string;
  /** What decides among the strategies that meet the limits. @default fast */
  readonly prefer?: Preference;
}

/** Figures of a rollout with one strategy. Each equals that of the plan of the same manifest with that strategy. */
export interface RolloutFigures {
  /** Most pods at once. */
  readonly peakPods: number;
  /** Most pods in addition to the replicas. */
  readonly extraPods: number;
  /** GPUs that the extra pods request; absent if the pods request none. */
  readonly extraGpus?: number;
  /** Fewest pods available at any time; for groups of pods, fewest groups. */
  readonly leastAvailable: number;
  /** Expected seconds; null if the rollout never finishes. */
  readonly seconds: number | null;
  /** Extra GPUs times the seconds; absent if the pods request no GPUs, or if the rollout never finishes. */
  readonly gpuSeconds?: number;
  /** Pods of the new version that are broken before a bad version is detected. */
  readonly brokenByBadVersion: number;
  /** Whether its pods fit, by the quotas, nodes and capacity in view. */
  readonly verdict: CapacityVerdict;
}

/** Figures at a limit of an autoscaler. */
export interface ScaledFigures extends RolloutFigures {
  /** Number of replicas that the figures are for. */
  readonly replicas: number;
}

/** One strategy, and what a rollout with it does. */
export interface Candidate extends RolloutFigures {
  /** Strategy that the API server stores. */
  readonly strategy: unknown;
  /** Whether it meets the goal, also at both limits of an autoscaler. */
  readonly meets: boolean;
  /** Figures with the fewest replicas of the autoscaler; absent if those are the planned replicas, or without an autoscaler. */
  readonly atMinimum?: ScaledFigures;
  /** Figures with the most replicas of the autoscaler; absent if those are the planned replicas, or without an autoscaler. */
  readonly atMaximum?: ScaledFigures;
}

/** A limit that no strategy meets together with the others. */
export interface UnmetLimit {
  /** Name of the limit: `available`, `within`, `PodDisruptionBudget "web"`, `capacity`. */
  readonly limit: string;
  /** Wanted value: pods, GPUs or seconds; for `capacity` a verdict. */
  readonly wanted: number | string;
  /** Closest value of any strategy; null if none finishes. */
  readonly closest: number | string | null;
  /** Replicas at which it is not met; absent for the planned number. */
  readonly replicas?: number;
  /** The quota, nodes or budget that is in the way; absent if only the number of replicas is. */
  readonly because?: string;
}

/** A strategy in the terms of the object that contains it. */
export interface StrategyEdit {
  /** Path of the strategy: `spec.strategy`. */
  readonly path: string;
  /** Value to write there. */
  readonly value: unknown;
}

/** Assumptions of the figures. */
export interface AdviceAssumptions {
  /** Seconds until a pod is ready that are assumed; absent if they are known. */
  readonly startupSeconds?: number;
  /** Whether no quota, node or capacity in view limits the pods, so that all of them are assumed to fit; absent if one does. */
  readonly unlimitedCapacity?: true;
  /** What the user may not read of what decides whether the pods fit, such as `nodes`; absent if nothing. No strategy fits for certain then. */
  readonly unread?: readonly string[];
  /** What was not asked for of the same, such as a namespace beyond the maximum. @default - nothing */
  readonly unasked?: readonly string[];
  /** Whether the goal limits GPUs although the pods request none, so that this limit has no effect; absent if it has one. */
  readonly withoutGpus?: true;
}

/** Advice about one rollout. */
export interface AdvisedRollout {
  /** Object that is rolled out. */
  readonly resource: ResourceRef;
  /** Unit that it belongs to, or its file; absent if its name is unique. */
  readonly unit?: string;
  /** Planned number of pods, nodes or groups. */
  readonly replicas: number;
  /** The goal as given; empty if none is. */
  readonly goal: RolloutGoal;
  /** Present strategy. */
  readonly current: Candidate;
  /**
   * The strategy that meets the goal, by its preference; absent if none does. Without a goal, the one that is better than the present
   * strategy in at least one figure and worse in none; absent if there is none.
   */
  readonly best?: Candidate;
  /** What to write into the object for the best strategy; absent without one, and if it is the present one. */
  readonly edit?: StrategyEdit;
  /** Strategies that no other beats in every figure, the best one first. */
  readonly front: readonly Candidate[];
  /** Number of different strategies that were simulated. */
  readonly tried: number;
  /** Number of strategies of the front that are left out; absent if none is. */
  readonly elided?: number;
  /** Whether not every strategy was simulated, so that the front has gaps; absent if it is complete. */
  readonly isPartial?: true;
  /** Limits that make the goal impossible; absent if it is met, or if none is given. */
  readonly unmet?: readonly UnmetLimit[];
  /** Assumptions of the figures; absent if there are none. */
  readonly assumed?: AdviceAssumptions;
}

/** A rollout without advice. */
export interface RolloutWithoutAdvice {
  /** Object that is rolled out. */
  readonly resource: ResourceRef;
  /** Reason, as a sentence. */
  readonly reason: string;
}

/** Advice about the rollouts of an input. The schema is `schemas/advise-1.2.json`. */
export interface AdviceDocument {
  /** Version of this format. */
  readonly formatVersion: typeof FORMAT_VERSION;
  /** Versions that the advice is for. */
  readonly versions: Versions;
  /** Advised rollouts, in input order. */
  readonly rollouts: readonly AdvisedRollout[];
  /** Rollouts without advice, in input order. */
  readonly notAdvised: readonly RolloutWithoutAdvice[];
}

/** Formats in one sentence why it is not known whether pods fit. Returns undefined if all that decides about it was read. */
export function formatUnknownCapacity({ unread = [], unasked = [] }: Pick<AdviceAssumptions, 'unread' | 'unasked'>): string | undefined {
  const reasons = [
    ...(unread.length > 0 ? [`the user may not read ${joinWords(unread)}`] : []),
    ...(unasked.length > 0 ? [`${joinWords(unasked)} are not read`] : []),
  ];
  return reasons.length === 0 ? undefined : `It is not known whether the pods fit, because ${joinWords(reasons)}.`;
}
