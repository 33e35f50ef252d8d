import type { IntOrPercent } from '../../core/int-or-percent';

/** A StatefulSet's update strategy as the API server stores it. */
export interface StatefulSetUpdateStrategy {
  readonly type: 'RollingUpdate' | 'OnDelete';
  readonly rollingUpdate?: {
    /** Pods whose index is at or above it are updated. */
    readonly partition?: number;
    /** Dropped by versions whose gate `MaxUnavailableStatefulSet` is off. */
    readonly maxUnavailable?: IntOrPercent;
  };
}

/** A StatefulSet's update strategy as a user writes it: what is left out, the API server fills in. */
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
