import { fieldsAt, isFields, listAt } from '../../core/manifest';
import { together } from '../../core/together';

/** Resources of device plugins and the like, such as nvidia.com/gpu: a name with a domain that is not Kubernetes' own. */
export function isExtendedResource(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/');
}

/** The extended resources that a pod asks for, each once, sorted by name. */
export function extendedResources(podSpec: unknown): string[] {
  const names = new Set<string>();
  for (const container of together(listAt(podSpec, 'initContainers'), listAt(podSpec, 'containers'))) {
    if (!isFields(container)) continue;
    for (const kind of ['requests', 'limits']) {
      const amounts = fieldsAt(container, 'resources', kind);
      for (const name of Object.keys(amounts)) {
        if (isExtendedResource(name) && Number(amounts[name]) !== 0) names.add(name);
      }
    }
  }
  return [...names].toSorted();
}
