import { scaleRoundedDown } from '../../core/int-or-percent';
import type { IntOrPercent } from '../../core/int-or-percent';
import { findChangingPatch, getValueAtVersion } from '../../core/versions';
import type { StatefulSetUpdateStrategy, StatefulSetUpdateStrategySpec } from './types';
import { MAX_UNAVAILABLE_GATE, PARALLEL_AWAITS_MIN_READY } from './versions';

/** Does this Kubernetes version keep a StatefulSet's maxUnavailable? Where not, the API server drops it and pods go one by one. */
export function supportsStatefulSetMaxUnavailable(kubernetesVersion: string): boolean {
  return getValueAtVersion<boolean>(MAX_UNAVAILABLE_GATE, kubernetesVersion);
}

/** The patch release from which on the field is dropped, of a version that keeps it and names no patch release. */
export function findPatchDroppingMaxUnavailable(kubernetesVersion: string): string | undefined {
  return supportsStatefulSetMaxUnavailable(kubernetesVersion)
    ? findChangingPatch<boolean>(MAX_UNAVAILABLE_GATE, kubernetesVersion)
    : undefined;
}

/** Does the rolling update of a Parallel StatefulSet wait for each pod to be available? OrderedReady waits in every version. */
export function doesParallelAwaitMinReady(kubernetesVersion: string): boolean {
  return getValueAtVersion<boolean>(PARALLEL_AWAITS_MIN_READY, kubernetesVersion);
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
 * The number of pods of a StatefulSet that may be down at once: rounded down, at least 1, and 1 where the field is absent.
 * Not limited to the replicas: `"10%"` of 5 is 1, `8` of 5 is 8.
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_utils.go, `getStatefulSetMaxUnavailable`.
 */
export function resolveStatefulSetMaxUnavailable(maxUnavailable: IntOrPercent | undefined, replicas: number): number {
  return Math.max(1, scaleRoundedDown(maxUnavailable ?? 1, replicas));
}
