import { scaleRoundedDown, scaleRoundedUp } from '../../core/int-or-percent';
import { applyLimitDefaults } from '../default-limits';
import type { DeploymentStrategy, DeploymentStrategySpec, RollingUpdateDeployment } from './types';

/** What apps/v1 fills in for each half of a rolling update that is left out. */
export const DEFAULT_DEPLOYMENT_ROLLING_UPDATE: RollingUpdateDeployment = { maxSurge: '25%', maxUnavailable: '25%' };

/** Other values that apps/v1 fills in for a Deployment. */
export const DEPLOYMENT_DEFAULTS = { replicas: 1, minReadySeconds: 0, progressDeadlineSeconds: 600, revisionHistoryLimit: 10 } as const;

/**
 * The strategy that the API server stores for what a user wrote.
 *
 * Each half of `rollingUpdate` is filled in on its own, so `maxSurge: 0` alone gives maxUnavailable 25%.
 * A null or empty `type` counts as left out, as do null values. The strategy must have passed `deploymentStrategyFindings`.
 *
 * Source: k/k pkg/apis/apps/v1/defaults.go, `SetDefaults_Deployment`.
 */
export function defaultDeploymentStrategy(spec: DeploymentStrategySpec | null | undefined): DeploymentStrategy {
  if (spec?.type === 'Recreate') return { type: 'Recreate' };
  return { type: 'RollingUpdate', rollingUpdate: applyLimitDefaults(spec?.rollingUpdate, DEFAULT_DEPLOYMENT_ROLLING_UPDATE) };
}

/** A rolling update's limits as numbers of pods. */
export interface ResolvedLimits {
  /** Pods above the replicas, not limited to them. */
  readonly surge: number;
  /** Pods below the replicas, not limited to them. */
  readonly unavailable: number;
  /** Did both resolve to 0, so that the controller took unavailable as 1? */
  readonly fencepost: boolean;
}

/**
 * A rolling update's limits as numbers of pods: surge rounded up, unavailable rounded down, a missing one 0. Where both come to 0,
 * unavailable becomes 1, for a rollout could not move otherwise.
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
