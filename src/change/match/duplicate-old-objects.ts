import { groupBy } from '../../core/group-by';
import { findMax } from '../../core/min-max';
import { getValueAt, nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { countCommonPathSuffix, folderOf, objectKeyOf, unitPathOf } from './match-objects';
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

/** Returns the copy of an object of OLD that counts: the last in the folder of the file whose path is most like that of NEW. */
function selectEffectiveObject(
  side: ChangeSide,
  objects: readonly Manifest[],
  next: readonly [ChangeSide, Manifest] | undefined,
): Manifest {
  const likeness = objects.map((object) => (next ? countCommonPathSuffix([side, object], next) : 0));
  const folder = folderOf(side, objects[likeness.lastIndexOf(findMax(likeness))]!);
  return objects.findLast((object) => folderOf(side, object) === folder)!;
}

/**
 * Returns the superseded copies of objects that OLD contains more than once: the same live object, or one name twice in one unit,
 * unless NEW also has several. The last copy counts, as if both were applied; of two dumps it is the newer one.
 * The copies in the folder of a file with the same name as in NEW take precedence.
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
    const inNext = nextByKey.get(key) ?? [];
    if (objects.length === 1 || inNext.length > 1) continue;
    const effective = selectEffectiveObject(old, objects, inNext[0] && [next, inNext[0]]);
    for (const object of objects) if (object !== effective) duplicates.add(object);
  }
  return duplicates;
}
