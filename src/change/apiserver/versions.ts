import { getValueAtVersion } from '../../core/values/versions';

const MUTABLE_REVISION_LIMIT = [
  ['0', false],
  ['1.33', true],
] as const;

/** Reports whether the revisionHistoryLimit of a StatefulSet may change. Source: k/k pkg/apis/apps/validation/validation.go, `ValidateStatefulSetUpdate`. */
export function isRevisionLimitMutable(version: string): boolean {
  return getValueAtVersion<boolean>(MUTABLE_REVISION_LIMIT, version);
}

const RECOVER_VOLUME_EXPANSION = [
  ['0', false],
  ['1.32', true],
] as const;

/**
 * Reports whether a claim that has not reached its requested size may request less (gate RecoverVolumeExpansionFailure).
 *
 * Source: k/k pkg/features/kube_features.go.
 */
export function canRecoverVolumeExpansion(version: string): boolean {
  return getValueAtVersion<boolean>(RECOVER_VOLUME_EXPANSION, version);
}

const MUTABLE_JOB_RESOURCES = [
  ['0', false],
  ['1.36', true],
] as const;

/**
 * Reports whether the resources of a suspended Job may change (gate MutablePodResourcesForSuspendedJobs).
 *
 * Source: k/k pkg/features/kube_features.go, and pkg/apis/batch/validation/validation.go, `validatePodResourceUpdatesOnly`.
 */
export function areJobResourcesMutable(version: string): boolean {
  return getValueAtVersion<boolean>(MUTABLE_JOB_RESOURCES, version);
}
