import { groupBy } from '../../core/collections/group-by';
import { getValueAt, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { folderOf, objectKeyOf, unitPathOf } from './match-objects';
import type { ChangeSide } from './match-objects';

function createUnitKey({ textOf }: ChangeSide): (object: Manifest) => string {
  return (object) => JSON.stringify([unitPathOf(textOf?.(object)?.unit), objectKeyOf(object)]);
}

/** Returns the objects that a later object with the same key supersedes. */
function findSuperseded(objects: readonly Manifest[], keyOf: (object: Manifest) => string | undefined): Manifest[] {
  const last = new Map<string, Manifest>();
  return objects.flatMap((object) => {
    const key = keyOf(object);
    if (key === undefined) return [];
    const before = last.get(key);
    last.set(key, object);
    return before ? [before] : [];
  });
}

/**
 * Returns the superseded copies of objects that OLD contains more than once: the same live object, or one name twice in one folder of a unit,
 * unless NEW also has several. The last copy counts, as if both were applied; of two dumps it is the newer one.
 * Copies in separate folders may be for separate clusters, so each of them counts.
 */
export function findDuplicateOldObjects(old: ChangeSide, next: ChangeSide): ReadonlySet<Manifest> {
  // Any manifest may write a uid, so it counts only with the kind and name.
  const uidOf = (object: Manifest) => {
    const uid = getValueAt(object, 'metadata', 'uid');
    return typeof uid === 'string' ? JSON.stringify([uid, object.kind, namespaceOf(object), nameOf(object)]) : undefined;
  };
  const duplicates = new Set(findSuperseded(old.objects, uidOf));
  const remaining = old.objects.filter((object) => !duplicates.has(object));
  const nextByKey = groupBy(next.objects, createUnitKey(next));
  for (const [key, objects] of groupBy(remaining, createUnitKey(old))) {
    if (objects.length === 1 || (nextByKey.get(key) ?? []).length > 1) continue;
    for (const object of findSuperseded(objects, (one) => folderOf(old, one))) duplicates.add(object);
  }
  return duplicates;
}
