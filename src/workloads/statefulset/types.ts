import type { IntOrPercent } from '../../core/values/int-or-percent';

/** A StatefulSet's update strategy as the API server stores it. */
export interface StatefulSetUpdateStrategy {
  readonly type: 'RollingUpdate' | 'OnDelete';
  readonly rollingUpdate?: {
    /** The lowest index that is updated. */
    readonly partition?: number;
    /** Dropped by versions whose gate `MaxUnavailableStatefulSet` is off. */
    readonly maxUnavailable?: IntOrPercent;
  };
}

/** A StatefulSet's update strategy as a user writes it. The API server fills in fields that are not set. */
export interface StatefulSetUpdateStrategySpec {
  /** @default RollingUpdate */
  readonly type?: 'RollingUpdate' | 'OnDelete';
  readonly rollingUpdate?: {
    /** @default 0 */
    readonly partition?: number;
    /** @default 1 */
    readonly maxUnavailable?: IntOrPercent;
  };
}
