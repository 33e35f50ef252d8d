import { ObjectNameMap } from '../core/object-name-map';
import { groupOf, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { ApplyUnit } from '../core/apply-unit';
import { findIndependentFolders } from './independent-folders';
import type { IndependentFolders } from './independent-folders';

/** What is planned together, and all that surrounds it. */
export interface PlanScope {
  /** The objects of its own, in input order. */
  readonly own: readonly Manifest[];
  /** Those among which its rollouts are planned: its own first, then those of the units above, then what else was given by name; each name once. */
  readonly visible: readonly Manifest[];
}

/** Where an object stands, as far as it comes from a file. */
export interface FileLocation {
  readonly file: string;
  /** @default - all of the input */
  readonly unit?: ApplyUnit;
}

/** The objects of one unit, or of one folder apart; of the PATHs given that are neither, those of all: whoever gives several applies them together. */
interface ObjectGroup {
  readonly objects: Manifest[];
  /** The keys of the groups around it, the nearest first. */
  readonly above: readonly string[];
  /** Was its unit given by name? */
  readonly isGiven: boolean;
}

/** The key of PATHs given without a marker, and of objects from no file. */
const UNMARKED_KEY = '';

/** The keys of an unmarked PATH, and of what stands apart in it around a file or folder of it. */
function listKeysInPath(unit: ApplyUnit, file: string, independentFolders: IndependentFolders): string[] {
  return [...independentFolders.listEnclosingKeys({ unit, file }), UNMARKED_KEY];
}

/** The keys of all units around a place, its own first. */
function listEnclosingKeys({ unit, file }: FileLocation, independentFolders: IndependentFolders): string[] {
  if (unit === undefined) return [UNMARKED_KEY];
  if (!unit.hasMarkerFile) return listKeysInPath(unit, file, independentFolders);
  return [unit.id, ...(unit.parent === undefined ? [] : listEnclosingKeys({ unit: unit.parent, file: unit.name }, independentFolders))];
}

function groupByUnit(
  objects: readonly Manifest[],
  locationOf: (object: Manifest) => FileLocation | undefined,
  independentFolders: IndependentFolders,
): Map<string, ObjectGroup> {
  const groups = new Map<string, ObjectGroup>();
  // Objects of one file have one place, which may hold thousands of them.
  const byPlace = new Map<FileLocation | undefined, ObjectGroup>();
  for (const object of objects) {
    const place = locationOf(object);
    const known = byPlace.get(place);
    if (known) {
      known.objects.push(object);
      continue;
    }
    const [key = UNMARKED_KEY, ...above] = place === undefined ? [] : listEnclosingKeys(place, independentFolders);
    const group = groups.get(key) ?? {
      objects: [],
      above,
      isGiven: key === UNMARKED_KEY || (place?.unit?.hasMarkerFile === true && place.unit.isNamedInput),
    };
    group.objects.push(object);
    groups.set(key, group);
    byPlace.set(place, group);
  }
  return groups;
}

/** The key under which a cluster holds one object; undefined for an object that the API server names. */
export function objectIdentityOf(object: Manifest): string | undefined {
  const name = nameOf(object);
  return name === '' ? undefined : JSON.stringify([groupOf(object), object.kind, namespaceOf(object), name]);
}

/** Do all objects stand in one place, so that nothing is apart? A file may hold more objects than all others together. */
function hasSingleLocation(objects: readonly Manifest[], locationOf: (object: Manifest) => FileLocation | undefined): boolean {
  const [first] = objects;
  const place = first && locationOf(first);
  return objects.every((object) => locationOf(object) === place);
}

/** The objects of which another one bears the name: among thousands few. */
function filterNamesakes(objects: readonly Manifest[]): Manifest[] {
  const seen = new ObjectNameMap<Manifest>();
  const found = new Set<Manifest>();
  for (const object of objects) {
    const first = seen.addIfAbsent(object, object);
    if (first) found.add(first).add(object);
  }
  return objects.filter((object) => found.has(object));
}

/** The first object of each name. */
function deduplicateByName(objects: readonly Manifest[]): readonly Manifest[] {
  const seen = new ObjectNameMap<true>();
  const first = objects.filter((object) => seen.addIfAbsent(object, true) === undefined);
  return first.length === objects.length ? objects : first;
}

/**
 * The objects of the input, unit by unit, each with what surrounds it.
 *
 * @param isOneThing - can a cluster hold but one object of its name, so that two in two folders tell that nobody applies both?
 * @param rollsOut - is it planned, so that two in two files tell the same?
 */
export function buildPlanScopes(
  objects: readonly Manifest[],
  locationOf: (object: Manifest) => FileLocation | undefined,
  isUnique: (object: Manifest) => boolean,
  rollsOut: (object: Manifest) => boolean,
): PlanScope[] {
  const places = hasSingleLocation(objects, locationOf)
    ? []
    : filterNamesakes(objects.filter(isUnique)).flatMap((object) => {
        const { unit, file } = locationOf(object) ?? {};
        const identity = objectIdentityOf(object);
        if (unit === undefined || file === undefined || unit.hasMarkerFile || identity === undefined) return [];
        return [{ unit, file, identity, rollsOut: rollsOut(object) }];
      });
  const groups = groupByUnit(objects, locationOf, findIndependentFolders(places));
  const inputPathKeys = [...groups].filter(([, { isGiven }]) => isGiven).map(([key]) => key);
  // Most input is one group, and may be large: it is held once.
  if (groups.size === 1) return [{ own: objects, visible: deduplicateByName(objects) }];
  return [...groups].map(([key, { objects: own, above }]) => {
    const visibleKeys = new Set([key, ...above, ...inputPathKeys]);
    return { own, visible: deduplicateByName([...visibleKeys].flatMap((each) => groups.get(each)?.objects ?? [])) };
  });
}
