import { getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { objectKeyOf } from './match-objects';
import type { ChangeSide } from './match-objects';

/** Returns a text that is the same for all copies of a live object; undefined without a uid. */
function liveKeyOf(object: Manifest): string | undefined {
  const uid = getValueAt(object, 'metadata', 'uid');
  return typeof uid === 'string' ? JSON.stringify([uid, objectKeyOf(object)]) : undefined;
}

/**
 * Returns the unmatched objects of OLD that another folder of it also shows, matched or later. Two clusters have no object with the same uid. The
 * copies are matched first, since a manifest of a folder outside of any repository may write a uid too.
 */
export function findLeftCopies(unmatched: readonly Manifest[], matched: readonly Manifest[]): ReadonlySet<Manifest> {
  const seen = new Set(matched.map(liveKeyOf));
  const copies = unmatched.toReversed().filter((object) => {
    const key = liveKeyOf(object);
    const isCopy = key !== undefined && seen.has(key);
    seen.add(key);
    return isCopy;
  });
  return new Set(copies);
}

/**
 * Returns the copies of live objects that a later dump of OLD contains again. Those in folders are matched before
 * they count as copies.
 */
export function findRepeatedLiveObjects({ objects, tree, textOf }: ChangeSide): ReadonlySet<Manifest> {
  const last = new Map<string, Manifest>();
  const repeated = new Set<Manifest>();
  for (const object of objects) {
    const key = liveKeyOf(object);
    if (key === undefined || tree?.paths.has(textOf?.(object)?.file ?? '')) continue;
    const before = last.get(key);
    if (before) repeated.add(before);
    last.set(key, object);
  }
  return repeated;
}
