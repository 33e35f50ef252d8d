import { addToGroup } from '../../core/collections/group-by';
import { hasLastApplied, isLive } from '../../appliers/live-object';
import { groupOf, getListAt, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { LiveObjects } from '../../cluster/context/context';
import { findControllingOwner } from '../../cluster/kinds/ownership';

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
        addToGroup(this.byOwner, key, object);
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
