import type { IntOrPercent } from '../../core/values/int-or-percent';

/** A Deployment's rolling update as the API server stores it, with both limits set. */
export interface RollingUpdateDeployment {
  /** Pods in addition to the replicas. A percentage is rounded up. */
  readonly maxSurge: IntOrPercent;
  /** Replicas that may be unavailable. A percentage is rounded down. */
  readonly maxUnavailable: IntOrPercent;
}

/** A Deployment's strategy as the API server stores it. */
export type DeploymentStrategy =
  | {
      readonly type: 'RollingUpdate';
      /** The limits on extra and unavailable pods during the rollout. */
      readonly rollingUpdate: RollingUpdateDeployment;
    }
  | { readonly type: 'Recreate' };

/**
 * A Deployment's strategy as a user writes it. The API server fills in fields that are not set.
 *
 * Two limits of 0 are refused at synth; `Rollout.rollingUpdate` does not compile with them.
 */
export interface DeploymentStrategySpec {
  /** RollingUpdate replaces pods step by step, Recreate deletes all old pods first. @default RollingUpdate */
  readonly type?: 'RollingUpdate' | 'Recreate';
  /** The limits of a rolling update. @default - 25% each */
  readonly rollingUpdate?: Partial<RollingUpdateDeployment>;
}
