import { ObjectNameMap } from '../core/manifest/object-name-map';
import { groupOf, nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { ApplyUnit } from '../core/sources/apply-unit';
import { findIndependentFolders } from './independent-folders';
import type { IndependentFolders } from './independent-folders';
import { replaceRefusedObjects } from './served-objects';
import type { RefusedObjects } from './served-objects';

/** Objects that are planned together, and their context. */
export interface PlanScope {
  /** Objects to plan, in input order. */
  readonly own: readonly Manifest[];
  /** Context of the rollouts, each name once: the own objects, then those of the parent units, then all others that were given by name. */
  readonly visible: readonly Manifest[];
}

/** Location of an object that comes from a file. */
export interface FileLocation {
  readonly file: string;
  /** Unit of the file. @default - all of the input is one unit */
  readonly unit?: ApplyUnit;
}

/** Objects of one unit or independent folder. All other given PATHs are one group, because their objects are applied together. */
interface ObjectGroup {
  readonly objects: Manifest[];
  /** Keys of the enclosing groups, the nearest first. */
  readonly above: readonly string[];
  /** Whether its unit was given by name. */
  readonly isGiven: boolean;
}

/** Key of the group for PATHs without a marker file, and for objects from no file. */
const UNMARKED_KEY = '';

/** Lists the keys of the independent folders around a file or folder in an unmarked PATH, and the key of the PATH. */
function listKeysInPath(unit: ApplyUnit, file: string, independentFolders: IndependentFolders): string[] {
  return [...independentFolders.listEnclosingKeys({ unit, file }), UNMARKED_KEY];
}

/** Lists the keys of all units that enclose a location, the innermost first. */
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
  // All objects of one file share a location, and there may be thousands of them.
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

/** Returns the key that is unique in a cluster; undefined for an object whose name the API server generates. */
export function objectIdentityOf(object: Manifest): string | undefined {
  const name = nameOf(object);
  return name === '' ? undefined : JSON.stringify([groupOf(object), object.kind, namespaceOf(object), name]);
}

/** Reports whether all objects share one location, so that they are one group. */
function hasSingleLocation(objects: readonly Manifest[], locationOf: (object: Manifest) => FileLocation | undefined): boolean {
  const [first] = objects;
  const place = first && locationOf(first);
  return objects.every((object) => locationOf(object) === place);
}

/** Keeps the objects that share their name with another one. There are few of them, even among thousands of objects. */
function filterNamesakes(objects: readonly Manifest[]): Manifest[] {
  const seen = new ObjectNameMap<Manifest>();
  const found = new Set<Manifest>();
  for (const object of objects) {
    const first = seen.addIfAbsent(object, object);
    if (first) found.add(first).add(object);
  }
  return objects.filter((object) => found.has(object));
}

/**
 * Keeps one object of each name: that of the first list with one, and the last in this list. A cluster keeps what is applied last, so a copy
 * in an earlier file decides nothing.
 */
function deduplicateByName(lists: readonly (readonly Manifest[])[]): readonly Manifest[] {
  const seen = new ObjectNameMap<true>();
  const kept = lists.map((objects) => {
    const last = objects.toReversed().filter((object) => seen.addIfAbsent(object, true) === undefined);
    return last.length === objects.length ? objects : last.toReversed();
  });
  return kept.length === 1 ? kept[0]! : kept.flat();
}

/**
 * Groups the objects of the input into units, each with its context.
 *
 * @param isUnique - reports whether two objects with the same name in two folders cannot be applied together
 * @param rollsOut - reports whether an object is a rollout, so that the same is true for two files
 * @param refused - the refused objects, which are planned and are no context of the others
 */
export function buildPlanScopes(
  objects: readonly Manifest[],
  locationOf: (object: Manifest) => FileLocation | undefined,
  isUnique: (object: Manifest) => boolean,
  rollsOut: (object: Manifest) => boolean,
  refused: RefusedObjects = new Map(),
): PlanScope[] {
  const listVisible = (lists: readonly (readonly Manifest[])[]) =>
    deduplicateByName(lists.map((list) => replaceRefusedObjects(list, refused)));
  if (objects.length > 0 && hasSingleLocation(objects, locationOf)) return [{ own: objects, visible: listVisible([objects]) }];
  const places = filterNamesakes(objects.filter(isUnique)).flatMap((object) => {
    const { unit, file } = locationOf(object) ?? {};
    const identity = objectIdentityOf(object);
    if (unit === undefined || file === undefined || unit.hasMarkerFile || identity === undefined) return [];
    return [{ unit, file, identity, rollsOut: rollsOut(object) }];
  });
  const groups = groupByUnit(objects, locationOf, findIndependentFolders(places));
  const inputPathKeys = [...groups].filter(([, { isGiven }]) => isGiven).map(([key]) => key);
  // Most input is one group and may be large, so the list is not copied.
  if (groups.size === 1) return [{ own: objects, visible: listVisible([objects]) }];
  return [...groups].map(([key, { objects: own, above }]) => {
    const visibleKeys = new Set([key, ...above, ...inputPathKeys]);
    return { own, visible: listVisible([...visibleKeys].map((each) => groups.get(each)?.objects ?? [])) };
  });
}
