import { scaleRoundedDown, scaleRoundedUp } from '../../core/values/int-or-percent';
import { applyLimitDefaults } from '../default-limits';
import type { DeploymentStrategy, DeploymentStrategySpec, RollingUpdateDeployment } from './types';

/** The default of each limit of a rolling update in apps/v1. */
export const DEFAULT_DEPLOYMENT_ROLLING_UPDATE: RollingUpdateDeployment = { maxSurge: '25%', maxUnavailable: '25%' };

/** The defaults of other fields of a Deployment in apps/v1. */
export const DEPLOYMENT_DEFAULTS = { replicas: 1, minReadySeconds: 0, progressDeadlineSeconds: 600, revisionHistoryLimit: 10 } as const;

/**
 * Returns the strategy that the API server stores for the strategy of a user.
 *
 * Each limit of `rollingUpdate` is filled in separately, so only `maxSurge: 0` results in maxUnavailable 25%.
 * A null or empty `type` counts as not set, and so do null limits. The strategy must have passed `validateDeploymentStrategy`.
 *
 * Source: k/k pkg/apis/apps/v1/defaults.go, `SetDefaults_Deployment`.
 */
export function defaultDeploymentStrategy(spec: DeploymentStrategySpec | null | undefined): DeploymentStrategy {
  if (spec?.type === 'Recreate') return { type: 'Recreate' };
  return { type: 'RollingUpdate', rollingUpdate: applyLimitDefaults(spec?.rollingUpdate, DEFAULT_DEPLOYMENT_ROLLING_UPDATE) };
}

/** The limits of a rolling update as numbers of pods. */
export interface ResolvedLimits {
  /** Pods in addition to the replicas. It may exceed the replicas. */
  readonly surge: number;
  /** Pods that may be unavailable. It may exceed the replicas. */
  readonly unavailable: number;
  /** Whether both limits rounded to 0, so that the controller uses 1 for unavailable. */
  readonly fencepost: boolean;
}

/**
 * Resolves the limits of a rolling update to numbers of pods: surge is rounded up, unavailable is rounded down, and a missing limit is 0.
 * If both are 0, unavailable becomes 1, since no pod could be replaced otherwise.
 *
 * 25%/25% of 10 is 3/2; 25%/25% of 1, 2 and 3 is 1/0; 0/1% of 2 is 0/0 and becomes 0/1.
 *
 * Source: k/k pkg/controller/deployment/util/deployment_util.go, `ResolveFenceposts`.
 */
export function resolveFenceposts(limits: Partial<RollingUpdateDeployment>, replicas: number): ResolvedLimits {
  const surge = scaleRoundedUp(limits.maxSurge ?? 0, replicas);
  const unavailable = scaleRoundedDown(limits.maxUnavailable ?? 0, replicas);
  const fencepost = surge === 0 && unavailable === 0;
  return { surge, unavailable: fencepost ? 1 : unavailable, fencepost };
}
