import { groupOf, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { Unit } from '../core/unit';

/** What is planned together, and all that surrounds it. */
export interface View {
  /** The objects of its own, in input order. */
  readonly own: readonly Manifest[];
  /** Those among which its rollouts are planned: its own first, then those of the units above, then what else was given by name; each name once. */
  readonly visible: readonly Manifest[];
}

/** The objects of one unit; of the PATHs given that no marker makes a unit of their own, those of all: whoever gives several applies them together. */
interface Group {
  readonly unit: Unit | undefined;
  readonly objects: Manifest[];
}

/** The key of PATHs given without a marker, and of objects from no file. */
const GIVEN = '';

function keyOf(unit: Unit | undefined): string {
  return unit?.isMarked ? unit.id : GIVEN;
}

function groupsOf(objects: readonly Manifest[], unitOf: (object: Manifest) => Unit | undefined): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const object of objects) {
    const unit = unitOf(object);
    const key = keyOf(unit);
    const known = groups.get(key);
    if (!known) groups.set(key, { unit, objects: [object] });
    else known.objects.push(object);
  }
  return groups;
}

function keysAbove(unit: Unit | undefined): string[] {
  return unit?.above === undefined ? [] : [keyOf(unit.above), ...keysAbove(unit.above)];
}

/** The key under which a cluster holds one object; undefined for an object that the API server names. */
export function identityOf(object: Manifest): string | undefined {
  const name = nameOf(object);
  return name === '' ? undefined : JSON.stringify([groupOf(object), object.kind, namespaceOf(object), name]);
}

/** The first object of each name. */
function eachNameOnce(objects: readonly Manifest[]): Manifest[] {
  const seen = new Set<string>();
  return objects.filter((object) => {
    const identity = identityOf(object);
    if (identity === undefined) return true;
    const isNew = !seen.has(identity);
    seen.add(identity);
    return isNew;
  });
}

/** The objects of the input, unit by unit, each with what surrounds it. */
export function viewsOf(objects: readonly Manifest[], unitOf: (object: Manifest) => Unit | undefined): View[] {
  const groups = groupsOf(objects, unitOf);
  const given = [...groups].filter(([key, { unit }]) => key === GIVEN || unit?.isGiven === true).map(([key]) => key);
  return [...groups].map(([key, group]) => {
    const around = new Set([key, ...(key === GIVEN ? [] : keysAbove(group.unit)), ...given]);
    return { own: group.objects, visible: eachNameOnce([...around].flatMap((each) => groups.get(each)?.objects ?? [])) };
  });
}
