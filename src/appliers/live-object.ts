import { annotationOf, getFieldsAt, isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { parseLimitedJson } from '../core/values/levels';

/** The annotation in which kubectl stores the manifest that it applied last. */
export const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns the manifest that kubectl applied last, from the object's annotation. */
export function parseLastApplied(object: Fields): Fields | undefined {
  const text = annotationOf(object, LAST_APPLIED_ANNOTATION);
  if (text === undefined) return undefined;
  try {
    const manifest: unknown = parseLimitedJson(text);
    return isFields(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Reports whether kubectl's annotation shows that the object was applied client-side. */
export function hasLastApplied(object: Fields): boolean {
  return annotationOf(object, LAST_APPLIED_ANNOTATION) !== undefined;
}

/** Reports whether an object was read from a cluster. A manifest lacks the fields that only the server and kubectl write. */
export function isLive(object: Fields): boolean {
  const { uid, resourceVersion, managedFields } = getFieldsAt(object, 'metadata');
  return uid !== undefined || resourceVersion !== undefined || managedFields !== undefined || hasLastApplied(object);
}

/** Reports whether a cluster is deleting an object that was read from it. */
export function isBeingDeleted(object: Fields): boolean {
  return isLive(object) && getFieldsAt(object, 'metadata').deletionTimestamp !== undefined;
}
