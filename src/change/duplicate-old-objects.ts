import { findMax } from '../core/min-max';
import { getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { countCommonPathSuffix, objectKeyOf, groupObjects, unitPathOf } from './match-objects';
import type { ChangeSide } from './match-objects';

function createUnitKey({ textOf }: ChangeSide): (object: Manifest) => string {
  return (object) => JSON.stringify([unitPathOf(textOf?.(object)?.unit), objectKeyOf(object)]);
}

/** Of objects with one key all but the last. */
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

/** The one that counts of several objects of OLD: that whose file is the most like the one of NEW, else the last. */
function selectEffectiveObject(
  side: ChangeSide,
  objects: readonly Manifest[],
  next: readonly [ChangeSide, Manifest] | undefined,
): Manifest {
  const likeness = objects.map((object) => (next ? countCommonPathSuffix([side, object], next) : 0));
  return objects[likeness.lastIndexOf(findMax(likeness))]!;
}

/**
 * The objects of OLD that are given again: the same live object, or one of the same name in the same unit, unless NEW has several of it too.
 * The last one counts, as it would if both were applied, and in two dumps it is the newer one; but of several files that of the same name in NEW.
 */
export function findDuplicateOldObjects(old: ChangeSide, next: ChangeSide): ReadonlySet<Manifest> {
  const uidOf = (object: Manifest) => {
    const uid = getValueAt(object, 'metadata', 'uid');
    return typeof uid === 'string' ? uid : undefined;
  };
  const duplicates = new Set(findSuperseded(old.objects, uidOf));
  const left = old.objects.filter((object) => !duplicates.has(object));
  const nextByKey = groupObjects(next.objects, createUnitKey(next));
  for (const [key, objects] of groupObjects(left, createUnitKey(old))) {
    const inNext = nextByKey.get(key) ?? [];
    if (objects.length === 1 || inNext.length > 1) continue;
    const effective = selectEffectiveObject(old, objects, inNext[0] && [next, inNext[0]]);
    for (const object of objects) if (object !== effective) duplicates.add(object);
  }
  return duplicates;
}
