import type { RolloutGoal } from '../../core/advice';
import { IntentError } from '../../core/intent-error';
import type { IntOrPercent } from '../../core/int-or-percent';
import { readPropsOf, readPropsMapOf } from '../../input/read-props';
import type { DeploymentStrategySpec } from './types';

/** Creates new pods first: there are never fewer ready pods than replicas, and up to `ratio` extra pods during the rollout. */
export interface AvailabilityIntent {
  readonly mode: 'Availability';
  /** Pods in addition to the replicas. */
  readonly ratio: IntOrPercent;
  readonly type?: never;
}

/** Deletes old pods first: the rollout needs no extra pods, and up to `ratio` of the replicas are not ready during it. */
export interface ResourceAwareIntent {
  readonly mode: 'ResourceAware';
  /** Replicas that may be unavailable. At most 100%. */
  readonly ratio: IntOrPercent;
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
  readonly type: 'RollingUpdate';
  readonly mode?: never;
}

/** Deletes all old pods before it creates new ones. This causes an outage, but two versions never run at once. */
export interface RecreateIntent {
  readonly type: 'Recreate';
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
  readonly mode?: never;
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
 * Intents by name, with the KServe rollout guide's best practices as presets.
 *
 * @example
 * Rollout.availability('25%'); // { mode: 'Availability', ratio: '25%' }
 */
export const Rollout = {
  /** Creates new pods first, without downtime. Needs up to `ratio` extra pods during the rollout. */
  availability: <const Ratio extends IntOrPercent>(ratio: Ratio & NotZero<Ratio>): AvailabilityIntent => ({ mode: 'Availability', ratio }),
  /** Deletes old pods first, without extra pods. Up to `ratio` of the pods are not ready during the rollout. */
  resourceAware: <const Ratio extends IntOrPercent>(ratio: Ratio & NotZero<Ratio>): ResourceAwareIntent => ({
    mode: 'ResourceAware',
    ratio,
  }),
  /** Sets both limits explicitly. */
  rollingUpdate: <const Surge extends IntOrPercent, const Unavailable extends IntOrPercent>(
    limits?: {
      /** Pods in addition to the replicas. @default - set by the lower levels; the default of Kubernetes is 25% */
      readonly maxSurge?: Surge;
      /** Replicas that may be unavailable. @default - set by the lower levels; the default of Kubernetes is 25% */
      readonly maxUnavailable?: Unavailable;
    } & NotBothZero<Surge, Unavailable>,
  ): RollingUpdateIntent => ({ type: 'RollingUpdate', ...readPropsOf('Rollout.rollingUpdate', limits) }),
  /**
   * Sets limits in groups of pods, such as those of a LeaderWorkerSet. `surge` creates new groups first, `unavailable` deletes old ones
   * first.
   *
   * @default - one group may be unavailable; with surge, none
   */
  groups: <const Surge extends IntOrPercent, const Unavailable extends IntOrPercent>(
    limits?: GroupLimitProps<Surge, Unavailable> & GroupsNotBothZero<Surge, Unavailable>,
  ): RollingUpdateLimits => {
    const props: GroupLimitProps = readPropsMapOf('Rollout.groups', limits ?? {});
    const { surge = 0, unavailable = surge === 0 || surge === '0%' ? 1 : 0 } = props;
    return { maxSurge: surge, maxUnavailable: unavailable };
  },
  /**
   * States what is wanted, and leaves the numbers to the synth: it simulates every strategy of the object, also at both limits of its
   * autoscaler, and writes the best one. A goal that no strategy meets fails the synth with the closest possible.
   *
   * An upgrade of Ray clusters and a Fleet bundle have goals of their own, `UpgradeGoal` and `FleetGoal`, which are written out.
   *
   * @example
   * Rollout.goal({ available: 6, extraGpus: 2, within: '15m' });
   */
  goal: (goal: RolloutGoalProps): GoalIntent => ({ goal: readPropsMapOf('Rollout.goal', goal) }),
  /** Deletes all old pods, then creates all new ones. */
  recreate: (): RecreateIntent => ({ type: 'Recreate' }),
  /** Returns the preset for most production workloads (guide: Availability with 25 % to 50 %). @default 25% */
  production: (ratio: `${number}%` = '25%'): AvailabilityIntent => Rollout.availability(ratio),
  /** Returns the preset for critical services: a full second set of pods (guide: Availability with 100 %). */
  critical: (): AvailabilityIntent => Rollout.availability('100%'),
  /** Returns the preset for development and testing (guide: ResourceAware with 50 %). */
  testing: (): ResourceAwareIntent => Rollout.resourceAware('50%'),
} as const;

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
