import { getListAt, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';

/** Returns the owner that controls an object: its ownerReference with `controller: true`. */
export function findControllingOwner(object: Manifest): Fields | undefined {
  return getListAt(object, 'metadata', 'ownerReferences')
    .filter(isFields)
    .find((owner) => owner.controller === true);
}
