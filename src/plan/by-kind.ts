import { kindKey } from '../cluster/context-kinds';
import type { ContextKind } from '../cluster/context-kinds';
import { groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { byNamespaceAndName } from '../core/sorted-by';
import type { ObjectsAside } from './objects-aside';

interface OfUnit {
  readonly own: readonly Manifest[];
  readonly whole: (object: Manifest) => Manifest;
  readonly aside: ObjectsAside | undefined;
}

function keyOf(object: Manifest): string {
  return kindKey({ group: groupOf(object), kind: object.kind });
}

/** The planned objects of a kind that were set aside, all of them held from now on: few plans ask for them. */
function* asideOfKind(key: string, aside: ObjectsAside | undefined): Generator<Manifest> {
  if (!aside?.kindsToPlan.some((object) => keyOf(object) === key)) return;
  for (const { whole } of aside.toPlan()) if (keyOf(whole) === key) yield whole;
}

/**
 * The objects of each kind, those of the unit before those around it, both by namespace and name: where the first of several holds,
 * the order in which files are given decides nothing.
 *
 * @param own the objects of the unit
 * @param whole an object with all that it holds, where reading has let it go
 * @param aside what was set aside of the unit
 */
export function allByKind(
  objects: readonly Manifest[],
  { own = objects, whole = (object) => object, aside }: Partial<OfUnit> = {},
): (kind: ContextKind) => readonly Manifest[] {
  const byKind = new Map<string, Manifest[]>();
  for (const object of objects) {
    const key = keyOf(object);
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
    const ofKind = byNamespaceAndName([...(byKind.get(key) ?? []), ...asideOfKind(key, aside)]);
    const ownFirst = isOwn ? [...ofKind.filter((object) => isOwn.has(object)), ...ofKind.filter((object) => !isOwn.has(object))] : ofKind;
    const held = ownFirst.map((object) => whole(object));
    sorted.set(key, held);
    return held;
  };
}
