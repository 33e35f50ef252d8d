import { isFields, listAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';

/** The owner that writes an object: its ownerReference with `controller: true`. */
export function controllingOwner(object: Manifest): Fields | undefined {
  return listAt(object, 'metadata', 'ownerReferences')
    .filter(isFields)
    .find((owner) => owner.controller === true);
}
