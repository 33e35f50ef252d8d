import { kindKey } from '../cluster/context-kinds';
import type { ContextKind } from '../cluster/context-kinds';
import { groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { byNamespaceAndName } from '../core/sorted-by';

/**
 * The objects of each kind, those of the unit before those around it, both by namespace and name: where the first of several holds,
 * the order in which files are given decides nothing.
 *
 * @param own the objects of the unit
 * @param whole an object with all that it holds, where reading has let it go
 */
export function allByKind(
  objects: readonly Manifest[],
  own: readonly Manifest[] = objects,
  whole: (object: Manifest) => Manifest = (object) => object,
): (kind: ContextKind) => readonly Manifest[] {
  const byKind = new Map<string, Manifest[]>();
  for (const object of objects) {
    const key = kindKey({ group: groupOf(object), kind: object.kind });
    const known = byKind.get(key);
    if (known) known.push(object);
    else byKind.set(key, [object]);
  }
  // A run of one unit has one list of thousands, of which no set is made.
  const isOwn = objects === own ? undefined : new Set(own);
  const sorted = new Map<string, readonly Manifest[]>();
  return (kind) => {
    const key = kindKey(kind);
    const known = sorted.get(key);
    if (known) return known;
    const ofKind = byNamespaceAndName(byKind.get(key) ?? []);
    const ownFirst = isOwn ? [...ofKind.filter((object) => isOwn.has(object)), ...ofKind.filter((object) => !isOwn.has(object))] : ofKind;
    const held = ownFirst.map((object) => whole(object));
    sorted.set(key, held);
    return held;
  };
}
