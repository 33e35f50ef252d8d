import { posix } from 'node:path';
import { findMax } from '../../core/values/min-max';
import { addToGroup, groupBy } from '../../core/collections/group-by';
import { getValueAt, groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { ApplyUnit } from '../../core/sources/apply-unit';
import { toCheckoutPath } from '../../core/sources/checkout-path';
import type { InputTree } from '../../input/input-tree';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';
import type { ObjectSource } from '../../plan/disambiguate-names';

/** One side of a change: its objects in order, and the unit of each. */
export interface ChangeSide {
  readonly objects: readonly Manifest[];
  /** The files of its folders. @default - it has none, so its files are compared by their names */
  readonly tree?: Pick<InputTree, 'paths'>;
  readonly textOf?: (object: object) => ObjectSource | undefined;
}

/** An object of NEW with the object of OLD that it replaces. */
export interface ObjectPair {
  readonly next: Manifest;
  /** The object of OLD; undefined if there is none. */
  readonly old?: Manifest;
}

/** The matched objects, and those that only OLD has. */
export interface MatchResult {
  /** The objects of NEW, in their order. */
  readonly pairs: readonly ObjectPair[];
  /** The objects of OLD without a match, in their order. */
  readonly unmatched: readonly Manifest[];
  /** The copies of OLD that a later copy in the same folder supersedes, and that no copy of NEW replaces. */
  readonly superseded: readonly Manifest[];
}

function keyOf(object: Manifest, namespace: string | undefined): string {
  const name = nameOf(object);
  const key = [groupOf(object), object.kind, namespace, name];
  return JSON.stringify(name === '' ? [...key, getValueAt(object, 'metadata', 'generateName')] : key);
}

/** Returns the path of a unit below the PATH argument, so that units of both sides compare equal. */
export function unitPathOf(unit: ApplyUnit | undefined): string {
  if (unit?.parent === undefined) return '';
  let root = unit;
  while (root.parent) root = root.parent;
  const below = unit.id.slice(root.id.length);
  return below.startsWith('/') ? below.slice(1) : below;
}

/** Returns how the file of an object is named. A file of a revision has the name of the checkout: `dist/web.yaml` for `git:HEAD:dist/web.yaml`. */
function checkoutPathOf({ textOf }: ChangeSide, object: Manifest): string {
  return toCheckoutPath(textOf?.(object)?.file ?? '');
}

/** Returns the path of an object's file below its PATH, which both sides share if they are folders. */
function treePathOf(side: ChangeSide, object: Manifest): string {
  return side.tree?.paths.get(side.textOf?.(object)?.file ?? '') ?? checkoutPathOf(side, object);
}

/** Returns the folder of an object's file. */
export function folderOf(side: ChangeSide, object: Manifest): string {
  return posix.dirname(checkoutPathOf(side, object));
}

/** Where an object is, on both sides; undefined if it has no such place. */
type LocationOf = (side: ChangeSide, object: Manifest) => string | undefined;

/** Locations that both sides share if no folder was moved: the file before its folder. */
const SAME_LOCATIONS: readonly LocationOf[] = [
  checkoutPathOf,
  folderOf,
  treePathOf,
  (side, object) => posix.dirname(treePathOf(side, object)),
];

/** Creates the location of an object by its unit and the last names of a path. */
function createPathEnd(pathOf: (side: ChangeSide, object: Manifest) => string, length: number): LocationOf {
  return (side, object) => {
    const names = pathOf(side, object).split('/');
    return names.length < length
      ? undefined
      : JSON.stringify([unitPathOf(side.textOf?.(object)?.unit), names.slice(names.length - length)]);
  };
}

/** Lists where objects are, the most exact location first. */
function* listLocations(next: ChangeSide, objects: readonly Manifest[]): Generator<LocationOf> {
  yield* SAME_LOCATIONS;
  for (let length = findMax(objects.map((object) => checkoutPathOf(next, object).split('/').length)); length > 0; length--) {
    yield createPathEnd(checkoutPathOf, length);
    if (length > 1) yield createPathEnd(folderOf, length - 1);
  }
  yield createPathEnd(folderOf, 0);
  yield () => '';
}

export const objectKeyOf = (object: Manifest) => keyOf(object, namespaceOf(object));
export const keyWithoutNamespaceOf = (object: Manifest) => keyOf(object, undefined);

/**
 * Creates the key of an object on one side. Two bundles of Fleet are the same if their fleet.yaml files have one name or, without a name, are in
 * one folder below the PATH: Fleet deletes the bundle of a folder that is moved, with its pods. Source: fleet v0.16.1 internal/names/name.go.
 */
function createSideKey(side: ChangeSide, key: (object: Manifest) => string): (object: Manifest) => string {
  return (object) => {
    if (!isFleetYaml(object)) return key(object);
    const { name } = object.content;
    const isNamed = typeof name === 'string' && name !== '';
    const path = side.tree?.paths.get(side.textOf?.(object)?.file ?? '') ?? '';
    return JSON.stringify([key(object), isNamed ? { name } : { folder: posix.dirname(path) }]);
  };
}

/** Groups the copies of an object in one folder of a unit. A cluster keeps the last one of them. */
function groupCopies(side: ChangeSide, objects: readonly Manifest[]): Manifest[][] {
  const keyOfCopy = (object: Manifest) =>
    JSON.stringify([unitPathOf(side.textOf?.(object)?.unit), folderOf(side, object), objectKeyOf(object)]);
  return objects.length === 1 ? [[...objects]] : [...groupBy(objects, keyOfCopy).values()];
}

/** Matches the objects of two sides. */
class ObjectMatcher {
  private readonly matches = new Map<Manifest, Manifest>();
  /** Objects of OLD in folders that are matched. */
  private readonly done = new Set<Manifest>();

  constructor(
    private readonly old: ChangeSide,
    private readonly next: ChangeSide,
  ) {}

  /** Matches each folder of NEW with one of OLD, by the most exact location that they share. */
  matchFolders(candidates: readonly Manifest[], objects: readonly Manifest[]): void {
    const [oldFolders, folders] = [groupCopies(this.old, candidates), groupCopies(this.next, objects)];
    if (oldFolders.length === 0) return;
    if (oldFolders.length === 1 && folders.length === 1) {
      this.matchCopies(oldFolders[0]!, folders[0]!);
      return;
    }
    const [openOld, open] = [new Set(oldFolders), new Set(folders)];
    for (const locationOf of listLocations(this.next, objects)) {
      const byLocation = new Map<string | undefined, Manifest[][]>();
      // The first folder is the last one of its list, since removing that takes no time.
      for (const before of [...openOld].toReversed()) for (const copy of before) addToGroup(byLocation, locationOf(this.old, copy), before);
      byLocation.delete(undefined);
      const takeFolder = (copy: Manifest) => {
        const found = byLocation.get(locationOf(this.next, copy));
        let before = found?.pop();
        while (before && !openOld.has(before)) before = found?.pop();
        return before;
      };
      for (const copies of open) {
        let before: Manifest[] | undefined;
        for (const copy of copies) before ??= takeFolder(copy);
        if (!before) continue;
        this.matchCopies(before, copies);
        openOld.delete(before);
        open.delete(copies);
      }
      if (openOld.size === 0) return;
    }
  }

  /**
   * Matches the copies of an object in a folder: the last ones, then those in files of one name, then in order. Further copies of NEW are applied
   * to the object that the last copy of OLD left.
   */
  private matchCopies(before: readonly Manifest[], copies: readonly Manifest[]): void {
    const last = before.at(-1)!;
    this.matches.set(copies.at(-1)!, last);
    for (const copy of before) this.done.add(copy);
    const open = new Set(before.slice(0, -1));
    const byName = groupBy(open, (copy) => posix.basename(checkoutPathOf(this.old, copy)));
    const others = copies.slice(0, -1);
    for (const copy of others) {
      const found = byName.get(posix.basename(checkoutPathOf(this.next, copy)))?.shift();
      if (!found) continue;
      this.matches.set(copy, found);
      open.delete(found);
    }
    const rest = [...open];
    for (const copy of others) if (!this.matches.has(copy)) this.matches.set(copy, rest.shift() ?? last);
  }

  /** Lists the objects of OLD in folders that are not matched. */
  listOpenOld(): Manifest[] {
    return this.old.objects.filter((object) => !this.done.has(object));
  }

  listOpen(): Manifest[] {
    return this.next.objects.filter((object) => !this.matches.has(object));
  }

  buildResult(): MatchResult {
    const pairs = this.next.objects.map((object): ObjectPair => {
      const old = this.matches.get(object);
      return { next: object, ...(old && { old }) };
    });
    const lastCopies = new Set(groupCopies(this.old, this.listOpenOld()).map((copies) => copies.at(-1)!));
    const matched = new Set(this.matches.values());
    return {
      pairs,
      unmatched: this.old.objects.filter((object) => lastCopies.has(object)),
      superseded: this.old.objects.filter((object) => !lastCopies.has(object) && !matched.has(object)),
    };
  }
}

/**
 * Matches the objects of NEW with those of OLD by group, kind, namespace and name. Each folder may be for a cluster of its own, so each folder of NEW
 * with such an object is matched with one of OLD. The copies of an object in one folder are for one cluster.
 *
 * A manifest without a namespace matches an object of its name that has one: the command line sets the namespace, and no file does.
 * If it may be that of several namespaces, it matches none.
 */
export function matchObjects(old: ChangeSide, next: ChangeSide): MatchResult {
  const matcher = new ObjectMatcher(old, next);
  const byKey = groupBy(old.objects, createSideKey(old, objectKeyOf));
  for (const [key, objects] of groupBy(next.objects, createSideKey(next, objectKeyOf))) matcher.matchFolders(byKey.get(key) ?? [], objects);
  const open = matcher.listOpen();
  const oldByBareKey = open.length === 0 ? undefined : groupBy(matcher.listOpenOld(), createSideKey(old, keyWithoutNamespaceOf));
  for (const [key, objects] of groupBy(open, createSideKey(next, keyWithoutNamespaceOf))) {
    const candidates = groupBy(oldByBareKey?.get(key) ?? [], namespaceOf);
    const isBare = (object: Manifest) => namespaceOf(object) === undefined;
    const [bare, named] = [objects.filter(isBare), objects.filter((object) => !isBare(object))];
    matcher.matchFolders(candidates.get(undefined) ?? [], named);
    candidates.delete(undefined);
    if (candidates.size === 1) matcher.matchFolders([...candidates.values()][0]!, bare);
  }
  return matcher.buildResult();
}
