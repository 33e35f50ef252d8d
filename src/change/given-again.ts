import { greatest } from '../core/extremes';
import { valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { commonEnd, fullKey, grouped, unitPath } from './pairing';
import type { PairedSide } from './pairing';

function keyIn({ textOf }: PairedSide): (object: Manifest) => string {
  return (object) => JSON.stringify([unitPath(textOf?.(object)?.unit), fullKey(object)]);
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

/** The one that counts of several objects of OLD: that whose file is the most like the one of NEW, else the last. */
function countedOne(side: PairedSide, objects: readonly Manifest[], next: readonly [PairedSide, Manifest] | undefined): Manifest {
  const likeness = objects.map((object) => (next ? commonEnd([side, object], next) : 0));
  return objects[likeness.lastIndexOf(greatest(likeness))]!;
}

/**
 * The objects of OLD that are given again: the same live object, or one of the same name in the same unit, unless NEW has several of it too.
 * The last one counts, as it would if both were applied, and in two dumps it is the newer one; but of several files that of the same name in NEW.
 */
export function givenAgain(old: PairedSide, next: PairedSide): ReadonlySet<Manifest> {
  const uidOf = (object: Manifest) => {
    const uid = valueAt(object, 'metadata', 'uid');
    return typeof uid === 'string' ? uid : undefined;
  };
  const again = new Set(allButLast(old.objects, uidOf));
  const left = old.objects.filter((object) => !again.has(object));
  const nextByKey = grouped(next.objects, keyIn(next));
  for (const [key, objects] of grouped(left, keyIn(old))) {
    const inNext = nextByKey.get(key) ?? [];
    if (objects.length === 1 || inNext.length > 1) continue;
    const counted = countedOne(old, objects, inNext[0] && [next, inNext[0]]);
    for (const object of objects) if (object !== counted) again.add(object);
  }
  return again;
}
