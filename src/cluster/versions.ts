import { isAtLeast } from '../core/versions';

/** The gate HPAScaleToZero, alpha since 1.16, is on from this version on. Source: k/k#139648. */
export const HPA_SCALES_TO_ZERO_SINCE = '1.37';

/** May a HorizontalPodAutoscaler go down to no pod? */
export function canHpaScaleToZero(kubernetesVersion: string): boolean {
  return isAtLeast(kubernetesVersion, HPA_SCALES_TO_ZERO_SINCE);
}

/** From this version on the API server keeps `resources` of a pod itself. Source: k/k pkg/features/kube_features.go, PodLevelResources. */
export const POD_LEVEL_RESOURCES_SINCE = '1.34';

/** Does the API server keep the resources of a pod itself? */
export function supportsPodLevelResources(kubernetesVersion: string): boolean {
  return isAtLeast(kubernetesVersion, POD_LEVEL_RESOURCES_SINCE);
}
