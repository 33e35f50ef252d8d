import { groupBy } from '../core/collections/group-by';
import { formatKindKey } from '../cluster/kinds/context-kinds';
import type { ContextKind } from '../cluster/kinds/context-kinds';
import { kindKeyOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { sortByNamespaceAndName } from '../core/collections/sort-by';

/**
 * Indexes objects by kind: those of the unit first, then those around it, each sorted by namespace and name.
 * If the first of several counts, the order of the input files makes no difference.
 *
 * @param own - the objects of the unit. @default - all
 */
export function buildKindIndex(
  objects: readonly Manifest[],
  own: readonly Manifest[] = objects,
): (kind: ContextKind) => readonly Manifest[] {
  const byKind = groupBy(objects, kindKeyOf);
  // With one unit, all objects are its own, and no set of thousands is built.
  const ownObjects = objects === own ? undefined : new Set(own);
  const sorted = new Map<string, Map<string, readonly Manifest[]>>();
  return ({ group, kind }) => {
    // Rules ask for many kinds per object, so no key is formatted for a kind that is known.
    const ofGroup = sorted.get(group) ?? new Map<string, readonly Manifest[]>();
    const known = ofGroup.get(kind);
    if (known) return known;
    const ofKind = sortByNamespaceAndName(byKind.get(formatKindKey({ group, kind })) ?? []);
    const result = ownObjects
      ? [...ofKind.filter((object) => ownObjects.has(object)), ...ofKind.filter((object) => !ownObjects.has(object))]
      : ofKind;
    sorted.set(group, ofGroup.set(kind, result));
    return result;
  };
}
