import { nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { toResourceRef } from '../core/document/rollout';
import type { ResourceRef } from '../core/document/rollout';

/** Returns the reference to an object. */
export function resourceOf(object: Manifest): ResourceRef {
  return toResourceRef(object, nameOf(object), namespaceOf(object));
}

/** Returns resources without repetitions, in order. */
export function deduplicateResources(resources: readonly ResourceRef[]): ResourceRef[] {
  const known = new Set<string>();
  return resources.filter(({ apiVersion, kind, namespace, name, component }) => {
    const key = JSON.stringify([apiVersion, kind, namespace, name, component]);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}
