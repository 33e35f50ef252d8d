import type { IntOrPercent } from '../../core/int-or-percent';

/** A Deployment's rolling update as it is stored: both halves filled in. */
export interface RollingUpdateDeployment {
  /** Pods above the replicas; a percentage is rounded up. */
  readonly maxSurge: IntOrPercent;
  /** Pods of the replicas that may be unavailable; a percentage is rounded down. */
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
  /** The limits of a rolling update; 25% each where left out. */
  readonly rollingUpdate?: Partial<RollingUpdateDeployment>;
}
