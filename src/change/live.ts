import type { ApplyMode } from '../core/change';
import { annotationOf, fieldsAt, groupOf, listAt, nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { LiveObjects } from '../cluster/context';
import { controllingOwner } from '../cluster/ownership';

/** What kubectl writes down of the manifest that it applied last. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Was an object read from a cluster? A manifest has nothing that the server alone writes. */
export function isLive(object: Manifest): boolean {
  const { uid, resourceVersion, managedFields } = fieldsAt(object, 'metadata');
  return uid !== undefined || resourceVersion !== undefined || managedFields !== undefined;
}

export function hasLastApplied(object: Manifest): boolean {
  return annotationOf(object, LAST_APPLIED) !== undefined;
}

/** How NEW reaches an object of OLD where nobody says it: the way in which it was applied last, as far as it shows. */
export function defaultMode(old: Manifest): ApplyMode {
  if (!isLive(old) || hasLastApplied(old)) return 'client';
  return listAt(old, 'metadata', 'managedFields').length > 0 ? 'server' : 'client';
}

/** Does a first apply delete nothing, because nothing says what was applied before? */
export function knowsNoLastApply(old: Manifest): boolean {
  return knowsNoManagers(old) && !hasLastApplied(old);
}

/** Does a server-side apply over it not know whose its fields are? */
export function knowsNoManagers(old: Manifest): boolean {
  return isLive(old) && listAt(old, 'metadata', 'managedFields').length === 0;
}

/** The objects that a controller made of others: no manifest names them. */
export class Owned implements LiveObjects {
  private readonly byOwner = new Map<string, Manifest[]>();

  constructor(objects: readonly Manifest[]) {
    for (const object of objects) {
      const owner = controllingOwner(object);
      if (!owner) continue;
      for (const key of [uidKey(owner.uid), nameKey(namespaceOf(object), owner.apiVersion, owner.kind, owner.name)]) {
        if (key === undefined) continue;
        const known = this.byOwner.get(key);
        if (known) known.push(object);
        else this.byOwner.set(key, [object]);
      }
    }
  }

  /** The objects of a kind that an object controls. */
  of(owner: Manifest, kind: string): readonly Manifest[] {
    const uid = uidKey(valueAt(owner, 'metadata', 'uid'));
    const found =
      (uid === undefined ? undefined : this.byOwner.get(uid)) ??
      this.byOwner.get(nameKey(namespaceOf(owner), owner.apiVersion, owner.kind, nameOf(owner))) ??
      [];
    return found.filter((object) => object.kind === kind);
  }
}

function uidKey(uid: unknown): string | undefined {
  return typeof uid === 'string' ? `uid ${uid}` : undefined;
}

function nameKey(namespace: string | undefined, apiVersion: unknown, kind: unknown, name: unknown): string {
  const group = typeof apiVersion === 'string' ? groupOf({ apiVersion }) : '';
  return JSON.stringify([namespace, group, kind, name]);
}
