import { valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { fullKey, unitPath } from './pairing';
import type { PairedSide } from './pairing';

function keyIn({ textOf }: PairedSide): (object: Manifest) => string {
  return (object) => JSON.stringify([unitPath(textOf?.(object)?.unit), fullKey(object)]);
}

/** What NEW has several times under one name in one unit is meant to be there several times. */
function repeatedIn(side: PairedSide): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const key of side.objects.map(keyIn(side))) (seen.has(key) ? repeated : seen).add(key);
  return repeated;
}

/** Of objects with one key all but the last. */
function allButLast(objects: readonly Manifest[], keyOf: (object: Manifest) => string | undefined): Manifest[] {
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
 * The objects of OLD that are given again later: the same live object, or one of the same name in the same unit, unless NEW has several of it too.
 * The last one counts, as it would if both were applied, and in two dumps it is the newer one.
 */
export function givenAgain(old: PairedSide, next: PairedSide): ReadonlySet<Manifest> {
  const uidOf = (object: Manifest) => {
    const uid = valueAt(object, 'metadata', 'uid');
    return typeof uid === 'string' ? uid : undefined;
  };
  const keyOf = keyIn(old);
  const byName = allButLast(old.objects, keyOf);
  const repeated = byName.length > 0 ? repeatedIn(next) : new Set<string>();
  return new Set([...allButLast(old.objects, uidOf), ...byName.filter((object) => !repeated.has(keyOf(object)))]);
}
