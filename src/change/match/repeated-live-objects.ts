import { getValueAt, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/** Returns the copies of live objects that a later dump of OLD contains again. Any manifest may write a uid, so it counts only with the kind and name. */
export function findRepeatedLiveObjects(objects: readonly Manifest[]): ReadonlySet<Manifest> {
  const last = new Map<string, Manifest>();
  const repeated = new Set<Manifest>();
  for (const object of objects) {
    const uid = getValueAt(object, 'metadata', 'uid');
    if (typeof uid !== 'string') continue;
    const key = JSON.stringify([uid, object.kind, namespaceOf(object), nameOf(object)]);
    const before = last.get(key);
    if (before) repeated.add(before);
    last.set(key, object);
  }
  return repeated;
}
