import { getFieldsAt, isFields, getListAt } from '../../core/manifest';
import { joinLists } from '../../core/join-lists';

/**
 * Reports whether a resource comes from a device plugin or similar, such as nvidia.com/gpu: a name with a domain that is not Kubernetes'
 * own.
 */
export function isExtendedResource(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/');
}

/** Returns the distinct extended resources that a pod requests, sorted by name. */
export function listExtendedResources(podSpec: unknown): string[] {
  const names = new Set<string>();
  for (const container of joinLists(getListAt(podSpec, 'initContainers'), getListAt(podSpec, 'containers'))) {
    if (!isFields(container)) continue;
    for (const kind of ['requests', 'limits']) {
      const amounts = getFieldsAt(container, 'resources', kind);
      for (const name of Object.keys(amounts)) {
        if (isExtendedResource(name) && Number(amounts[name]) !== 0) names.add(name);
      }
    }
  }
  return [...names].toSorted();
}
