import { nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { toResourceRef } from '../core/rollout';
import type { ResourceRef } from '../core/rollout';

/** Returns the reference to an object. */
export function resourceOf(object: Manifest): ResourceRef {
  return toResourceRef(object, nameOf(object), namespaceOf(object));
}

function isSameResource(a: ResourceRef, b: ResourceRef): boolean {
  return (
    a.kind === b.kind && a.name === b.name && a.namespace === b.namespace && a.component === b.component && a.apiVersion === b.apiVersion
  );
}

/** Returns resources without repetitions, in order. */
export function deduplicateResources(resources: readonly ResourceRef[]): ResourceRef[] {
  return resources.filter((resource, position) => resources.findIndex((other) => isSameResource(other, resource)) === position);
}
