import { isAtLeast } from '../../core/values/versions';

/** First version that enables the gate HPAScaleToZero by default. It is alpha since 1.16. Source: k/k#139648. */
export const HPA_SCALES_TO_ZERO_SINCE = '1.37';

/** Reports whether a HorizontalPodAutoscaler can scale to zero pods. */
export function canHpaScaleToZero(kubernetesVersion: string): boolean {
  return isAtLeast(kubernetesVersion, HPA_SCALES_TO_ZERO_SINCE);
}

/** First version in which the API server keeps pod-level `resources`. Source: k/k pkg/features/kube_features.go, PodLevelResources. */
export const POD_LEVEL_RESOURCES_SINCE = '1.34';

/** Reports whether the API server keeps pod-level resources. */
export function supportsPodLevelResources(kubernetesVersion: string): boolean {
  return isAtLeast(kubernetesVersion, POD_LEVEL_RESOURCES_SINCE);
}

/** Reports whether the API server keeps schedulingGates by default. Source: k/k pkg/features/kube_features.go, PodSchedulingReadiness. */
export function supportsSchedulingGates(kubernetesVersion: string): boolean {
  return isAtLeast(kubernetesVersion, '1.27');
}

/**
 * First version in which the API server keeps matchLabelKeys of a spread constraint by default. Source: k/k pkg/features/kube_features.go,
 * MatchLabelKeysInPodTopologySpread.
 */
export const SPREAD_LABEL_KEYS_SINCE = '1.27';

/** Reports whether the API server keeps matchLabelKeys of a spread constraint. */
export function supportsSpreadLabelKeys(kubernetesVersion: string): boolean {
  return isAtLeast(kubernetesVersion, SPREAD_LABEL_KEYS_SINCE);
}
