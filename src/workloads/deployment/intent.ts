import type { IntOrPercent } from '../../core/int-or-percent';
import { readPropsOf, readPropsMapOf } from '../../input/read-props';
import type { DeploymentStrategySpec } from './types';

/** New pods first: never fewer ready pods than replicas, `ratio` more pods meanwhile. */
export interface AvailabilityIntent {
  readonly mode: 'Availability';
  /** Pods above the replicas. */
  readonly ratio: IntOrPercent;
  readonly type?: never;
}

/** Old pods first: never more pods than replicas, `ratio` fewer of them ready meanwhile. */
export interface ResourceAwareIntent {
  readonly mode: 'ResourceAware';
  /** Pods below the replicas; at most 100%. */
  readonly ratio: IntOrPercent;
  readonly type?: never;
}

/**
 * Both limits of a rolling update.
 *
 * Two limits of 0 are refused at synth. They do not compile where a function takes them (`Rollout.rollingUpdate`, `Rollout.groups`,
 * `DeploymentPolicy.stateless`, `KServePlatformConfig.of`), which sees the numbers; an object of this type compiles with them,
 * for TypeScript has no type of all numbers but 0.
 */
export interface RollingUpdateLimits {
  /**
   * Pods above the replicas, as a number or a percentage of them, which is rounded up.
   *
   * @default - the levels below decide; Kubernetes' own default is 25%
   */
  readonly maxSurge?: IntOrPercent;
  /**
   * Pods of the replicas that may be unavailable, as a number or a percentage of them, which is rounded down.
   *
   * @default - the levels below decide; Kubernetes' own default is 25%
   */
  readonly maxUnavailable?: IntOrPercent;
}

/** Both limits by hand, as Kubernetes has them. */
export interface RollingUpdateIntent extends RollingUpdateLimits {
  readonly type: 'RollingUpdate';
  readonly mode?: never;
}

/** All old pods down, then all new pods up: an outage, and the only way where two versions may not run at once. */
export interface RecreateIntent {
  readonly type: 'Recreate';
  readonly mode?: never;
}

/** Limits in groups of pods. */
export interface GroupLimitProps<Surge extends IntOrPercent = IntOrPercent, Unavailable extends IntOrPercent = IntOrPercent> {
  /** Groups beyond the replicas. @default 0 */
  readonly surge?: Surge;
  /** Groups that may be unavailable. @default - 1 without a surge, else 0 */
  readonly unavailable?: Unavailable;
}

/** The ways to write no pods at all. */
export type Zero = 0 | '0%';

/**
 * What limits are besides their types, as far as the compiler sees the numbers: not both zero, which the API server refuses,
 * for then no pod could be replaced.
 */
export type NotBothZero<Surge, Unavailable> = [Surge, Unavailable] extends [Zero, Zero]
  ? { readonly maxUnavailable: 'one of maxSurge and maxUnavailable must be above 0' }
  : unknown;

/** The same of limits in groups. */
export type GroupsNotBothZero<Surge, Unavailable> = [Surge, Unavailable] extends [Zero, Zero]
  ? { readonly unavailable: 'one of surge and unavailable must be above 0' }
  : unknown;

/** A ratio above zero as far as the compiler sees the number. */
export type NotZero<Ratio> = Ratio extends Zero ? 'a ratio must be above 0' : Ratio;

/** How the pods of one workload may be replaced. */
export type RolloutIntent = AvailabilityIntent | ResourceAwareIntent | RollingUpdateIntent | RecreateIntent;

/**
 * Intents by name, with the KServe rollout guide's best practices as presets.
 *
 * @example
 * Rollout.availability('25%'); // { mode: 'Availability', ratio: '25%' }
 */
export const Rollout = {
  /** New pods first, no downtime; costs `ratio` more pods meanwhile. */
  availability: <const Ratio extends IntOrPercent>(ratio: Ratio & NotZero<Ratio>): AvailabilityIntent => ({ mode: 'Availability', ratio }),
  /** Old pods first, no more resources; costs `ratio` of the ready pods meanwhile. */
  resourceAware: <const Ratio extends IntOrPercent>(ratio: Ratio & NotZero<Ratio>): ResourceAwareIntent => ({
    mode: 'ResourceAware',
    ratio,
  }),
  /** Both limits by hand. */
  rollingUpdate: <const Surge extends IntOrPercent, const Unavailable extends IntOrPercent>(
    limits?: {
      /** Pods above the replicas. @default - the levels below decide; Kubernetes' own default is 25% */
      readonly maxSurge?: Surge;
      /** Pods of the replicas that may be unavailable. @default - the levels below decide; Kubernetes' own default is 25% */
      readonly maxUnavailable?: Unavailable;
    } & NotBothZero<Surge, Unavailable>,
  ): RollingUpdateIntent => ({ type: 'RollingUpdate', ...readPropsOf('Rollout.rollingUpdate', limits) }),
  /**
   * Limits in groups of pods, as of a LeaderWorkerSet: new groups first with `surge`, old ones first with `unavailable`.
   *
   * @default - without a surge one group may be unavailable, with one none
   */
  groups: <const Surge extends IntOrPercent, const Unavailable extends IntOrPercent>(
    limits?: GroupLimitProps<Surge, Unavailable> & GroupsNotBothZero<Surge, Unavailable>,
  ): RollingUpdateLimits => {
    const given: GroupLimitProps = readPropsMapOf('Rollout.groups', limits ?? {});
    const { surge = 0, unavailable = surge === 0 || surge === '0%' ? 1 : 0 } = given;
    return { maxSurge: surge, maxUnavailable: unavailable };
  },
  /** Everything down, then everything up. */
  recreate: (): RecreateIntent => ({ type: 'Recreate' }),
  /** For most production workloads (guide: Availability with 25 % to 50 %). @default 25% */
  production: (ratio: `${number}%` = '25%'): AvailabilityIntent => Rollout.availability(ratio),
  /** For critical services: a whole second set of pods (guide: Availability with 100 %). */
  critical: (): AvailabilityIntent => Rollout.availability('100%'),
  /** For development and testing (guide: ResourceAware with 50 %). */
  testing: (): ResourceAwareIntent => Rollout.resourceAware('50%'),
} as const;

/**
 * The Deployment strategy that an intent means.
 *
 * Availability is maxUnavailable 0 and maxSurge = ratio, ResourceAware maxSurge 0 and maxUnavailable = ratio (KServe rollout guide,
 * "Rollout Strategy Modes"). The zeros are ints: the guide's quoted `"0"` is refused by the API server.
 */
export function resolveIntent(intent: RolloutIntent): DeploymentStrategySpec {
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
