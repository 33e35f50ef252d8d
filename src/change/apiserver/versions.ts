import { getValueAtVersion } from '../../core/versions';

const CONTAINER_RESTART_POLICY = [
  ['0', false],
  ['1.35', true],
] as const;

/**
 * Have containers besides init containers a restartPolicy of their own? With the gate ContainerRestartRules.
 *
 * Source: k/k pkg/features/kube_features.go.
 */
export function hasContainerRestartPolicy(version: string): boolean {
  return getValueAtVersion<boolean>(CONTAINER_RESTART_POLICY, version);
}

const MUTABLE_REVISION_LIMIT = [
  ['0', false],
  ['1.33', true],
] as const;

/** May the revisionHistoryLimit of a StatefulSet change? Source: k/k pkg/apis/apps/validation/validation.go, `ValidateStatefulSetUpdate`. */
export function isRevisionLimitMutable(version: string): boolean {
  return getValueAtVersion<boolean>(MUTABLE_REVISION_LIMIT, version);
}

const RECOVER_VOLUME_EXPANSION = [
  ['0', false],
  ['1.32', true],
] as const;

/** May a claim that has not grown as far as it asks for ask for less? With the gate RecoverVolumeExpansionFailure. Source: k/k pkg/features/kube_features.go. */
export function canRecoverVolumeExpansion(version: string): boolean {
  return getValueAtVersion<boolean>(RECOVER_VOLUME_EXPANSION, version);
}
