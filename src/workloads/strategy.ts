import { scaledDown, scaledUp } from '../core/int-or-percent';
import type { IntOrPercent } from '../core/int-or-percent';
import { isAtLeast, valueSince } from '../core/versions';
import type {
  DeploymentStrategy,
  DeploymentStrategySpec,
  RollingUpdateDeployment,
  StatefulSetUpdateStrategy,
  StatefulSetUpdateStrategySpec,
} from './types';

/** What apps/v1 fills in for each half of a rolling update that is left out. */
export const DEFAULT_ROLLING_UPDATE: RollingUpdateDeployment = { maxSurge: '25%', maxUnavailable: '25%' };

/** Other values that apps/v1 fills in for a Deployment. */
export const DEPLOYMENT_DEFAULTS = { replicas: 1, minReadySeconds: 0, progressDeadlineSeconds: 600, revisionHistoryLimit: 10 } as const;

/**
 * The strategy that the API server stores for what a user wrote.
 *
 * Each half of `rollingUpdate` is filled in on its own, so `maxSurge: 0` alone gives maxUnavailable 25%. A null or empty `type` counts as
 * left out, as do null values. The strategy must have passed `deploymentStrategyFindings`.
 *
 * Source: k/k pkg/apis/apps/v1/defaults.go, `SetDefaults_Deployment`.
 */
export function storedDeploymentStrategy(spec: DeploymentStrategySpec | null | undefined): DeploymentStrategy {
  if (spec?.type === 'Recreate') return { type: 'Recreate' };
  return {
    type: 'RollingUpdate',
    rollingUpdate: {
      maxSurge: spec?.rollingUpdate?.maxSurge ?? DEFAULT_ROLLING_UPDATE.maxSurge,
      maxUnavailable: spec?.rollingUpdate?.maxUnavailable ?? DEFAULT_ROLLING_UPDATE.maxUnavailable,
    },
  };
}

/**
 * Where the gate `MaxUnavailableStatefulSet` is on by default (KEP-961).
 *
 * 1.35.4 turned it off again after k/k#137409: an old pod that was unavailable already used up the budget, and the update stood still.
 * Source: kube_features.go of each version; k/k#133153, #137904, #137926, #139466.
 */
const MAX_UNAVAILABLE_GATE = [
  ['0', false],
  ['1.35', true],
  ['1.35.4', false],
  ['1.37', true],
] as const;

/** Does this Kubernetes version keep a StatefulSet's maxUnavailable? Where not, the API server drops it and pods go one by one. */
export function keepsStatefulSetMaxUnavailable(kubernetesVersion: string): boolean {
  return valueSince<boolean>(MAX_UNAVAILABLE_GATE, kubernetesVersion);
}

/**
 * Does the rolling update of a Parallel StatefulSet wait for each pod to be available? Before, it goes on as soon as one is ready
 * (k/k#112307, #119234; fixed by #130909). OrderedReady waits in every version.
 *
 * Source: k/k CHANGELOG-1.34 (alpha.3); pkg/controller/statefulset/stateful_set_control.go before and after that change.
 */
export function parallelAwaitsMinReady(kubernetesVersion: string): boolean {
  return isAtLeast(kubernetesVersion, '1.34');
}

/**
 * The update strategy that the API server stores for what a user wrote.
 *
 * `rollingUpdate` is made up only where `type` was left out too; partition 0 is filled in wherever `rollingUpdate` is there,
 * maxUnavailable 1 only where the version's gate is on. Elsewhere maxUnavailable is dropped.
 *
 * Source: k/k pkg/apis/apps/v1/defaults.go, `SetDefaults_StatefulSet`; pkg/registry/apps/statefulset/strategy.go,
 * `dropStatefulSetDisabledFields`.
 */
export function storedUpdateStrategy(
  spec: StatefulSetUpdateStrategySpec | null | undefined,
  kubernetesVersion: string,
): StatefulSetUpdateStrategy {
  if (spec?.type === 'OnDelete') return { type: 'OnDelete' };
  const rollingUpdate = spec?.rollingUpdate ?? (spec?.type ? undefined : {});
  if (!rollingUpdate) return { type: 'RollingUpdate' };
  const partition = rollingUpdate.partition ?? 0;
  if (!keepsStatefulSetMaxUnavailable(kubernetesVersion)) return { type: 'RollingUpdate', rollingUpdate: { partition } };
  return { type: 'RollingUpdate', rollingUpdate: { partition, maxUnavailable: rollingUpdate.maxUnavailable ?? 1 } };
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
  const surge = scaledUp(limits.maxSurge ?? 0, replicas);
  const unavailable = scaledDown(limits.maxUnavailable ?? 0, replicas);
  const fencepost = surge === 0 && unavailable === 0;
  return { surge, unavailable: fencepost ? 1 : unavailable, fencepost };
}

/**
 * The number of pods of a StatefulSet that may be down at once: rounded down, at least 1, and 1 where the field is absent. Not limited to
 * the replicas: `"10%"` of 5 is 1, `8` of 5 is 8.
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_utils.go, `getStatefulSetMaxUnavailable`.
 */
export function statefulSetMaxUnavailable(maxUnavailable: IntOrPercent | undefined, replicas: number): number {
  return Math.max(1, scaledDown(maxUnavailable ?? 1, replicas));
}
