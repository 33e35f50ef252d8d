import { scaleRoundedDown } from '../../core/values/int-or-percent';
import type { IntOrPercent } from '../../core/values/int-or-percent';
import { findChangingPatch, getValueAtVersion } from '../../core/values/versions';
import type { StatefulSetUpdateStrategy, StatefulSetUpdateStrategySpec } from './types';
import { MAX_UNAVAILABLE_GATE, PARALLEL_AWAITS_MIN_READY } from './versions';

/**
 * Reports whether this Kubernetes version keeps a StatefulSet's maxUnavailable. Otherwise the API server drops it and pods are replaced
 * one by one.
 */
export function supportsStatefulSetMaxUnavailable(kubernetesVersion: string): boolean {
  return getValueAtVersion<boolean>(MAX_UNAVAILABLE_GATE, kubernetesVersion);
}

/** Finds the first patch release that drops the field, for a version that keeps it and has no patch number. */
export function findPatchDroppingMaxUnavailable(kubernetesVersion: string): string | undefined {
  return supportsStatefulSetMaxUnavailable(kubernetesVersion)
    ? findChangingPatch<boolean>(MAX_UNAVAILABLE_GATE, kubernetesVersion)
    : undefined;
}

/** Reports whether the rolling update of a Parallel StatefulSet waits for each pod to be available. OrderedReady waits in every version. */
export function doesParallelAwaitMinReady(kubernetesVersion: string): boolean {
  return getValueAtVersion<boolean>(PARALLEL_AWAITS_MIN_READY, kubernetesVersion);
}

/**
 * Returns the update strategy that the API server stores for the strategy of a user.
 *
 * `rollingUpdate` is added only if `type` is not set either. If there is a `rollingUpdate`, its partition defaults to 0.
 * maxUnavailable defaults to 1 if the version's gate is on, and is dropped otherwise.
 *
 * Source: k/k pkg/apis/apps/v1/defaults.go, `SetDefaults_StatefulSet`; pkg/registry/apps/statefulset/strategy.go,
 * `dropStatefulSetDisabledFields`.
 */
export function defaultStatefulSetStrategy(
  spec: StatefulSetUpdateStrategySpec | null | undefined,
  kubernetesVersion: string,
): StatefulSetUpdateStrategy {
  if (spec?.type === 'OnDelete') return { type: 'OnDelete' };
  const rollingUpdate = spec?.rollingUpdate ?? (spec?.type ? undefined : {});
  if (!rollingUpdate) return { type: 'RollingUpdate' };
  const partition = rollingUpdate.partition ?? 0;
  if (!supportsStatefulSetMaxUnavailable(kubernetesVersion)) return { type: 'RollingUpdate', rollingUpdate: { partition } };
  return { type: 'RollingUpdate', rollingUpdate: { partition, maxUnavailable: rollingUpdate.maxUnavailable ?? 1 } };
}

/**
 * Resolves the number of pods of a StatefulSet that may be down at once: rounded down, at least 1, and 1 if the field is not set.
 * It may exceed the replicas: `"10%"` of 5 is 1, `8` of 5 is 8.
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_utils.go, `getStatefulSetMaxUnavailable`.
 */
export function resolveStatefulSetMaxUnavailable(maxUnavailable: IntOrPercent | undefined, replicas: number): number {
  return Math.max(1, scaleRoundedDown(maxUnavailable ?? 1, replicas));
}
