import { getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { objectKeyOf } from './match-objects';
import type { ChangeSide } from './match-objects';

/**
 * Returns the copies of live objects that a later dump of OLD contains again. Folders may be for separate clusters, and any file in them may write
 * a uid, so copies in them do not count as one object.
 */
export function findRepeatedLiveObjects({ objects, tree, textOf }: ChangeSide): ReadonlySet<Manifest> {
  const last = new Map<string, Manifest>();
  const repeated = new Set<Manifest>();
  for (const object of objects) {
    const uid = getValueAt(object, 'metadata', 'uid');
    if (typeof uid !== 'string' || tree?.paths.has(textOf?.(object)?.file ?? '')) continue;
    const key = JSON.stringify([uid, objectKeyOf(object)]);
    const before = last.get(key);
    if (before) repeated.add(before);
    last.set(key, object);
  }
  return repeated;
}
