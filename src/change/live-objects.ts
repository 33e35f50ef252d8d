import type { ApplyMode } from '../core/change';
import { annotationOf, getFieldsAt, groupOf, getListAt, nameOf, namespaceOf, getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { LiveObjects } from '../cluster/context';
import { findControllingOwner } from '../cluster/ownership';

/** The annotation in which kubectl stores the manifest that it applied last. */
const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** Reports whether an object was read from a cluster. A manifest lacks the fields that only the server writes. */
export function isLive(object: Manifest): boolean {
  const { uid, resourceVersion, managedFields } = getFieldsAt(object, 'metadata');
  return uid !== undefined || resourceVersion !== undefined || managedFields !== undefined;
}

export function hasLastApplied(object: Manifest): boolean {
  return annotationOf(object, LAST_APPLIED_ANNOTATION) !== undefined;
}

/** Returns how NEW is applied over an object of OLD if that is not configured: like the last apply, if known. */
export function detectApplyMode(old: Manifest): ApplyMode {
  if (!isLive(old) || hasLastApplied(old)) return 'client';
  return getListAt(old, 'metadata', 'managedFields').length > 0 ? 'server' : 'client';
}

/** Reports whether a first apply deletes nothing because the last applied configuration is not known. */
export function isMissingLastApplied(old: Manifest): boolean {
  return isMissingManagedFields(old) && !hasLastApplied(old);
}

/** Reports whether the owners of fields are not known to a server-side apply over a live object. */
export function isMissingManagedFields(old: Manifest): boolean {
  return isLive(old) && getListAt(old, 'metadata', 'managedFields').length === 0;
}

/** The objects that controllers created for others: no manifest contains them. */
export class OwnedObjects implements LiveObjects {
  private readonly byOwner = new Map<string, Manifest[]>();

  constructor(objects: readonly Manifest[]) {
    for (const object of objects) {
      const owner = findControllingOwner(object);
      if (!owner) continue;
      for (const key of [formatUidKey(owner.uid), formatNameKey(namespaceOf(object), owner.apiVersion, owner.kind, owner.name)]) {
        if (key === undefined) continue;
        const existing = this.byOwner.get(key);
        if (existing) existing.push(object);
        else this.byOwner.set(key, [object]);
      }
    }
  }

  /** Returns the objects of a kind that an object controls. */
  ownedBy(owner: Manifest, kind: string): readonly Manifest[] {
    const uid = formatUidKey(getValueAt(owner, 'metadata', 'uid'));
    const found =
      (uid === undefined ? undefined : this.byOwner.get(uid)) ??
      this.byOwner.get(formatNameKey(namespaceOf(owner), owner.apiVersion, owner.kind, nameOf(owner))) ??
      [];
    return found.filter((object) => object.kind === kind);
  }
}

function formatUidKey(uid: unknown): string | undefined {
  return typeof uid === 'string' ? `uid ${uid}` : undefined;
}

function formatNameKey(namespace: string | undefined, apiVersion: unknown, kind: unknown, name: unknown): string {
  const group = typeof apiVersion === 'string' ? groupOf({ apiVersion }) : '';
  return JSON.stringify([namespace, group, kind, name]);
}
