import type { Manifest } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import type { StoredObject } from './types';

/** Brings an object into the form in which the API server of a version holds it. */
export function storedForm(object: Manifest, _versions: Versions): StoredObject {
  const { status: _, ...rest } = object;
  return rest as StoredObject;
}
