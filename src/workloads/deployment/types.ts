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
  | {
      readonly type: 'RollingUpdate';
      /** How many pods may be added and missing meanwhile. */
      readonly rollingUpdate: RollingUpdateDeployment;
    }
  | { readonly type: 'Recreate' };

/**
 * A Deployment's strategy as a user writes it: what is left out, the API server fills in.
 *
 * Two limits of 0 are refused at synth; `Rollout.rollingUpdate` does not compile with them.
 */
export interface DeploymentStrategySpec {
  /** RollingUpdate replaces pods step by step, Recreate takes all old ones down first. @default RollingUpdate */
  readonly type?: 'RollingUpdate' | 'Recreate';
  /** The limits of a rolling update. @default - 25% each */
  readonly rollingUpdate?: Partial<RollingUpdateDeployment>;
}
