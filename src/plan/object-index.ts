import { formatKindKey } from '../cluster/context-kinds';
import type { ContextKind } from '../cluster/context-kinds';
import { groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { sortByNamespaceAndName } from '../core/sort-by';
import type { ObjectsAside } from './objects-aside';

interface UnitObjects {
  readonly own: readonly Manifest[];
  readonly whole: (object: Manifest) => Manifest;
  readonly aside: ObjectsAside | undefined;
}

function kindKeyOf(object: Manifest): string {
  return formatKindKey({ group: groupOf(object), kind: object.kind });
}

/** The planned objects of a kind that were set aside, all of them held from now on: few plans ask for them. */
function* readDeferredOfKind(key: string, aside: ObjectsAside | undefined): Generator<Manifest> {
  if (!aside?.kindsToPlan.some((object) => kindKeyOf(object) === key)) return;
  for (const { whole } of aside.toPlan()) if (kindKeyOf(whole) === key) yield whole;
}

/**
 * The objects of each kind, those of the unit before those around it, both by namespace and name: where the first of several holds,
 * the order in which files are given decides nothing.
 *
 * @param own the objects of the unit
 * @param whole an object with all that it holds, where reading has let it go
 * @param aside what was set aside of the unit
 */
export function buildKindIndex(
  objects: readonly Manifest[],
  { own = objects, whole = (object) => object, aside }: Partial<UnitObjects> = {},
): (kind: ContextKind) => readonly Manifest[] {
  const byKind = new Map<string, Manifest[]>();
  for (const object of objects) {
    const key = kindKeyOf(object);
    const known = byKind.get(key);
    if (known) known.push(object);
    else byKind.set(key, [object]);
  }
  // A run of one unit has one list of thousands, of which no set is made.
  const ownObjects = objects === own ? undefined : new Set(own);
  const sorted = new Map<string, readonly Manifest[]>();
  return (kind) => {
    const key = formatKindKey(kind);
    const known = sorted.get(key);
    if (known) return known;
    const ofKind = sortByNamespaceAndName([...(byKind.get(key) ?? []), ...readDeferredOfKind(key, aside)]);
    const ownFirst = ownObjects
      ? [...ofKind.filter((object) => ownObjects.has(object)), ...ofKind.filter((object) => !ownObjects.has(object))]
      : ofKind;
    const result = ownFirst.map((object) => whole(object));
    sorted.set(key, result);
    return result;
  };
}
