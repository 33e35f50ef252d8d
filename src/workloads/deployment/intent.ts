import type { RolloutGoal } from '../../core/document/advice';
import { IntentError } from '../../core/errors/intent-error';
import type { IntOrPercent } from '../../core/values/int-or-percent';
import type { DeploymentStrategySpec } from './types';

/** Creates new pods first: there are never fewer ready pods than replicas, and up to `ratio` extra pods during the rollout. */
export interface AvailabilityIntent {
  /** `Availability` creates new pods first, at most `ratio` of the replicas at once. */
  readonly mode: 'Availability';
  /** Pods in addition to the replicas. */
  readonly ratio: IntOrPercent;
  /** Absent next to a `mode`. */
  readonly type?: never;
}

/** Deletes old pods first: the rollout needs no extra pods, and up to `ratio` of the replicas are not ready during it. */
export interface ResourceAwareIntent {
  /** `ResourceAware` deletes old pods first, at most `ratio` of the replicas at once. */
  readonly mode: 'ResourceAware';
  /** Replicas that may be unavailable. At most 100%. */
  readonly ratio: IntOrPercent;
  /** Absent next to a `mode`. */
  readonly type?: never;
}

/**
 * Both limits of a rolling update.
 *
 * Two limits of 0 are refused at synth. As arguments of a function (`Rollout.rollingUpdate`, `Rollout.groups`,
 * `DeploymentPolicy.stateless`, `KServePlatformConfig.of`) they do not compile either. An object of this type compiles with them,
 * since TypeScript has no type for all numbers except 0.
 */
export interface RollingUpdateLimits {
  /**
   * Pods in addition to the replicas, as a number or a percentage of them. A percentage is rounded up.
   *
   * @default - set by the lower levels; the default of Kubernetes is 25%
   */
  readonly maxSurge?: IntOrPercent;
  /**
   * Replicas that may be unavailable, as a number or a percentage of them. A percentage is rounded down.
   *
   * @default - set by the lower levels; the default of Kubernetes is 25%
   */
  readonly maxUnavailable?: IntOrPercent;
}

/** Both limits set explicitly, as in Kubernetes. */
export interface RollingUpdateIntent extends RollingUpdateLimits {
  /** `RollingUpdate` replaces pods step by step within both limits. */
  readonly type: 'RollingUpdate';
  /** Absent next to a `type`. */
  readonly mode?: never;
}

/** Deletes all old pods before it creates new ones. This causes an outage, but two versions never run at once. */
export interface RecreateIntent {
  /** `Recreate` deletes all old pods first, which is an outage. */
  readonly type: 'Recreate';
  /** Absent next to a `type`. */
  readonly mode?: never;
}

/** A goal, and what its times depend on. */
export interface RolloutGoalProps extends RolloutGoal {
  /** Seconds until a pod is ready. @default - those of the annotation `rolloutkit/startup-seconds` of the pods, else 60 */
  readonly startupSeconds?: number;
}

/** States what is wanted. It is resolved at synth to the best strategy for the object, as explicit numbers. */
export interface GoalIntent {
  /** The goal. */
  readonly goal: RolloutGoalProps;
  /** Absent next to a `goal`. */
  readonly mode?: never;
  /** Absent next to a `goal`. */
  readonly type?: never;
}

/** Limits in groups of pods. */
export interface GroupLimitProps<Surge extends IntOrPercent = IntOrPercent, Unavailable extends IntOrPercent = IntOrPercent> {
  /** Groups in addition to the replicas. @default 0 */
  readonly surge?: Surge;
  /** Groups that may be unavailable. @default - 1 without surge, otherwise 0 */
  readonly unavailable?: Unavailable;
}

/** The literals that mean no pods. */
export type Zero = 0 | '0%';

/**
 * A type that no value has, with the reason for the compiler's message. A literal type instead would make the entire type `never`, and the
 * message would name another one.
 */
export interface Refused<Reason extends string> {
  /** The reason. */
  readonly refused: Reason;
}

/**
 * A compile-time check that two limits are not both zero, if the compiler knows the literals.
 * The API server refuses two zeros, because no pod could be replaced.
 */
export type NotBothZero<Surge, Unavailable> = [Surge, Unavailable] extends [Zero, Zero]
  ? {
      /** The limit to raise. */
      readonly maxUnavailable: Refused<'one of maxSurge and maxUnavailable must be above 0'>;
    }
  : unknown;

/** A compile-time check that two limits in groups are not both zero, if the compiler knows the literals. */
export type GroupsNotBothZero<Surge, Unavailable> = [Surge, Unavailable] extends [Zero, Zero]
  ? {
      /** The limit to raise. */
      readonly unavailable: Refused<'one of surge and unavailable must be above 0'>;
    }
  : unknown;

/** A compile-time check that a ratio is not zero, if the compiler knows the literal. */
export type NotZero<Ratio> = Ratio extends Zero ? Refused<'a ratio must be above 0'> : Ratio;

/** The way in which the pods of a workload are replaced. */
export type RolloutIntent = AvailabilityIntent | ResourceAwareIntent | RollingUpdateIntent | RecreateIntent | GoalIntent;

/**
 * Resolves an intent to a Deployment strategy.
 *
 * Availability is maxUnavailable 0 and maxSurge = ratio. ResourceAware is maxSurge 0 and maxUnavailable = ratio (KServe rollout guide,
 * "Rollout Strategy Modes"). The zeros are ints, since the API server refuses the quoted `"0"` of the guide.
 *
 * @throws IntentError for a goal, which the caller resolves for its object before
 */
export function resolveIntent(intent: RolloutIntent): DeploymentStrategySpec {
  if ('goal' in intent) throw new IntentError('a goal cannot be resolved without the object that it is for');
  if (intent.mode !== undefined) {
    return intent.mode === 'Availability'
      ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: intent.ratio, maxUnavailable: 0 } }
      : { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: intent.ratio } };
  }
  if (intent.type === 'Recreate') return { type: 'Recreate' };
  const { maxSurge, maxUnavailable } = intent;
  if (maxSurge === undefined && maxUnavailable === undefined) return { type: 'RollingUpdate' };
  return {
    type: 'RollingUpdate',
    rollingUpdate: { ...(maxSurge !== undefined && { maxSurge }), ...(maxUnavailable !== undefined && { maxUnavailable }) },
  };
}
