import type { IntOrPercent } from '../core/int-or-percent';

/** A Deployment's rolling update as it is stored: both halves filled in. */
export interface RollingUpdateDeployment {
  readonly maxSurge: IntOrPercent;
  readonly maxUnavailable: IntOrPercent;
}

/** A Deployment's strategy as the API server stores it. */
export type DeploymentStrategy =
  | { readonly type: 'RollingUpdate'; readonly rollingUpdate: RollingUpdateDeployment }
  | { readonly type: 'Recreate' };

/** A Deployment's strategy as a user writes it: what is left out, the API server fills in. */
export interface DeploymentStrategySpec {
  /** @default RollingUpdate */
  readonly type?: 'RollingUpdate' | 'Recreate';
  readonly rollingUpdate?: Partial<RollingUpdateDeployment>;
}

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
