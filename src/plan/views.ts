import { ByName } from '../core/by-name';
import { groupOf, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { Unit } from '../core/unit';
import { foldersApart } from './folders-apart';
import type { FoldersApart } from './folders-apart';

/** What is planned together, and all that surrounds it. */
export interface View {
  /** The objects of its own, in input order. */
  readonly own: readonly Manifest[];
  /** Those among which its rollouts are planned: its own first, then those of the units above, then what else was given by name; each name once. */
  readonly visible: readonly Manifest[];
}

/** Where an object stands, as far as it comes from a file. */
export interface Place {
  readonly file: string;
  /** @default - all of the input */
  readonly unit?: Unit;
}

/** The objects of one unit, or of one folder apart; of the PATHs given that are neither, those of all: whoever gives several applies them together. */
interface Group {
  readonly objects: Manifest[];
  /** The keys of the groups around it, the nearest first. */
  readonly above: readonly string[];
  /** Was its unit given by name? */
  readonly isGiven: boolean;
}

/** The key of PATHs given without a marker, and of objects from no file. */
const GIVEN = '';

/** The keys of an unmarked PATH, and of what stands apart in it around a file or folder of it. */
function keysInPath(unit: Unit, file: string, apart: FoldersApart): string[] {
  return [...apart.around({ unit, file }), GIVEN];
}

/** The keys of all units around a place, its own first. */
function keysAround({ unit, file }: Place, apart: FoldersApart): string[] {
  if (unit === undefined) return [GIVEN];
  if (!unit.isMarked) return keysInPath(unit, file, apart);
  return [unit.id, ...(unit.above === undefined ? [] : keysAround({ unit: unit.above, file: unit.name }, apart))];
}

function groupsOf(objects: readonly Manifest[], placeOf: (object: Manifest) => Place | undefined, apart: FoldersApart): Map<string, Group> {
  const groups = new Map<string, Group>();
  // Objects of one file have one place, which may hold thousands of them.
  const byPlace = new Map<Place | undefined, Group>();
  for (const object of objects) {
    const place = placeOf(object);
    const known = byPlace.get(place);
    if (known) {
      known.objects.push(object);
      continue;
    }
    const [key = GIVEN, ...above] = place === undefined ? [] : keysAround(place, apart);
    const group = groups.get(key) ?? {
      objects: [],
      above,
      isGiven: key === GIVEN || (place?.unit?.isMarked === true && place.unit.isGiven),
    };
    group.objects.push(object);
    groups.set(key, group);
    byPlace.set(place, group);
  }
  return groups;
}

/** The key under which a cluster holds one object; undefined for an object that the API server names. */
export function identityOf(object: Manifest): string | undefined {
  const name = nameOf(object);
  return name === '' ? undefined : JSON.stringify([groupOf(object), object.kind, namespaceOf(object), name]);
}

/** Do all objects stand in one place, so that nothing is apart? A file may hold more objects than all others together. */
function isOnePlace(objects: readonly Manifest[], placeOf: (object: Manifest) => Place | undefined): boolean {
  const [first] = objects;
  const place = first && placeOf(first);
  return objects.every((object) => placeOf(object) === place);
}

/** The objects of which another one bears the name: among thousands few. */
function withNamesake(objects: readonly Manifest[]): Manifest[] {
  const seen = new ByName<Manifest>();
  const found = new Set<Manifest>();
  for (const object of objects) {
    const first = seen.first(object, object);
    if (first) found.add(first).add(object);
  }
  return objects.filter((object) => found.has(object));
}

/** The first object of each name. */
function eachNameOnce(objects: readonly Manifest[]): readonly Manifest[] {
  const seen = new ByName<true>();
  const first = objects.filter((object) => seen.first(object, true) === undefined);
  return first.length === objects.length ? objects : first;
}

/**
 * The objects of the input, unit by unit, each with what surrounds it.
 *
 * @param isOneThing - can a cluster hold but one object of its name, so that two in two folders tell that nobody applies both?
 * @param rollsOut - is it planned, so that two in two files tell the same?
 */
export function viewsOf(
  objects: readonly Manifest[],
  placeOf: (object: Manifest) => Place | undefined,
  isOneThing: (object: Manifest) => boolean,
  rollsOut: (object: Manifest) => boolean,
): View[] {
  const places = isOnePlace(objects, placeOf)
    ? []
    : withNamesake(objects.filter(isOneThing)).flatMap((object) => {
        const { unit, file } = placeOf(object) ?? {};
        const identity = identityOf(object);
        if (unit === undefined || file === undefined || unit.isMarked || identity === undefined) return [];
        return [{ unit, file, identity, rollsOut: rollsOut(object) }];
      });
  const groups = groupsOf(objects, placeOf, foldersApart(places));
  const given = [...groups].filter(([, { isGiven }]) => isGiven).map(([key]) => key);
  // Most input is one group, and may be large: it is held once.
  if (groups.size === 1) return [{ own: objects, visible: eachNameOnce(objects) }];
  return [...groups].map(([key, { objects: own, above }]) => {
    const around = new Set([key, ...above, ...given]);
    return { own, visible: eachNameOnce([...around].flatMap((each) => groups.get(each)?.objects ?? [])) };
  });
}
