import type { CheckedContainer, CheckedPod } from './checked-pod';
import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { formatContainers } from './violation-text';

/** The setters of a bad value: the pod, containers, or both. */
interface BadSetters {
  readonly isPod: boolean;
  readonly containers: readonly CheckedContainer[];
}

/** Finds what sets a field of a security context to a bad value. */
export function findBadSetters(pod: CheckedPod, isBad: (securityContext: Fields) => boolean): BadSetters {
  return {
    isPod: isBad(getFieldsAt(pod.spec, 'securityContext')),
    containers: pod.containers.filter(({ securityContext }) => isBad(securityContext)),
  };
}

export function listSetters({ isPod, containers }: BadSetters): string[] {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [formatContainers(containers)] : [])];
}

export function fieldOf({ isPod, containers }: BadSetters, ...names: readonly string[]): (string | number)[] {
  return [...(isPod ? [] : (containers[0]?.path ?? [])), 'securityContext', ...names];
}
