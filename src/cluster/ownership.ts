import { isFields, getListAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';

/** The owner that writes an object: its ownerReference with `controller: true`. */
export function findControllingOwner(object: Manifest): Fields | undefined {
  return getListAt(object, 'metadata', 'ownerReferences')
    .filter(isFields)
    .find((owner) => owner.controller === true);
}
