import { posix } from 'node:path';
import { findMax } from '../../core/values/min-max';
import { groupBy } from '../../core/collections/group-by';
import { groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { ApplyUnit } from '../../core/sources/apply-unit';
import { toCheckoutPath } from '../../core/sources/checkout-path';
import type { InputTree } from '../../input/input-tree';
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
}

function keyOf(object: Manifest, namespace: string | undefined): string {
  return JSON.stringify([groupOf(object), object.kind, namespace, nameOf(object)]);
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

/** Splits the path of an object's file into names. */
function splitFilePath(side: ChangeSide, object: Manifest): string[] {
  const path = checkoutPathOf(side, object);
  return path === '' ? [] : path.split('/');
}

/** Returns the folder of an object's file. */
export function folderOf(side: ChangeSide, object: Manifest): string {
  return splitFilePath(side, object).slice(0, -1).join('/');
}

/** Returns a key of an object's unit and the last `length` names of a path; undefined if the path is shorter. */
function locationKeyOf(side: ChangeSide, object: Manifest, names: readonly string[], length: number): string | undefined {
  if (names.length < length) return undefined;
  return JSON.stringify([unitPathOf(side.textOf?.(object)?.unit), names.slice(names.length - length)]);
}

/** Returns how many names at the end of two file paths are the same. */
function countCommonPathSuffix(one: readonly [ChangeSide, Manifest], other: readonly [ChangeSide, Manifest]): number {
  const [names, others] = [splitFilePath(...one).toReversed(), splitFilePath(...other).toReversed()];
  const differing = names.findIndex((name, index) => name !== others[index]);
  return differing < 0 ? names.length : differing;
}

export const objectKeyOf = (object: Manifest) => keyOf(object, namespaceOf(object));
export const keyWithoutNamespaceOf = (object: Manifest) => keyOf(object, undefined);

/** Pairs objects that are in one location on both sides. An object of NEW without a location is paired with none. */
type PairBy = (
  locationOf: (side: ChangeSide, object: Manifest) => string | undefined,
  candidates: readonly Manifest[],
  objects: readonly Manifest[],
) => void;

const PATHS = [checkoutPathOf, treePathOf];
const FOLDERS = PATHS.map((pathOf) => (side: ChangeSide, object: Manifest) => posix.dirname(pathOf(side, object)));

/** Pairs objects by the ends of their paths, the longest first. */
function pairByEnds(
  pairBy: PairBy,
  namesOf: (side: ChangeSide, object: Manifest) => readonly string[],
  next: ChangeSide,
  candidates: readonly Manifest[],
  objects: readonly Manifest[],
): void {
  const longest = candidates.length === 0 ? -1 : findMax(objects.map((object) => namesOf(next, object).length));
  for (let length = longest; length >= 0; length--)
    pairBy((side, object) => locationKeyOf(side, object, namesOf(side, object), length), candidates, objects);
}

/**
 * Matches the objects of NEW with those of OLD by group, kind, namespace and name. Several objects with one name are matched by
 * their file, then by its folder, then within their unit by the longest common end of their file paths, then in order. The last ones of several in one folder are matched first. Further copies
 * in the same folder are matched with the same object.
 *
 * A manifest without a namespace matches a live object of its name if there is only one:
 * the command line sets its namespace, and no file does. If OLD's has none and NEW has it in several namespaces, or several times in one,
 * the one with the most similar file path replaces it.
 */
export function matchObjects(old: ChangeSide, next: ChangeSide): MatchResult {
  const byKey = groupBy(old.objects, objectKeyOf);
  const matchedOld = new Set<Manifest>();
  const matches = new Map<Manifest, Manifest>();
  const pair = (object: Manifest, before: Manifest) => {
    matchedOld.add(before);
    matches.set(object, before);
  };
  const pairBy: PairBy = (locationOf, candidates, objects) => {
    const open = groupBy(
      candidates.filter((candidate) => !matchedOld.has(candidate)),
      (candidate) => locationOf(old, candidate),
    );
    for (const object of objects.filter((each) => !matches.has(each))) {
      const location = locationOf(next, object);
      const before = location === undefined ? undefined : open.get(location)?.shift();
      if (before) pair(object, before);
    }
  };
  for (const [key, objects] of groupBy(next.objects, objectKeyOf)) {
    const candidates = byKey.get(key) ?? [];
    if (candidates.length === 1 && objects.length === 1) {
      pair(objects[0]!, candidates[0]!);
      continue;
    }
    const lastCopies = [listLastCopies(old, candidates), listLastCopies(next, objects)] as const;
    for (const folderBy of FOLDERS) pairBy(folderBy, ...lastCopies);
    for (const locationOf of [...PATHS, ...FOLDERS]) pairBy(locationOf, candidates, objects);
    pairByEnds(pairBy, (side, object) => splitFilePath(side, object).slice(0, -1), next, ...lastCopies);
    pairByEnds(pairBy, splitFilePath, next, candidates, objects);
    pairBy(() => '', candidates, objects);
    if (objects.length > candidates.length) matchCopies(next, objects, matches, pair);
  }
  matchWithoutNamespace(old, next, matchedOld, matches, pair);
  return {
    pairs: next.objects.map((object) => {
      const before = matches.get(object);
      return { next: object, ...(before && { old: before }) };
    }),
    unmatched: old.objects.filter((object) => !matchedOld.has(object)),
  };
}

/** Lists the last copy of each folder that has several: a cluster keeps this one. */
function listLastCopies(side: ChangeSide, objects: readonly Manifest[]): Manifest[] {
  if (objects.length === 1) return [];
  return [...groupBy(objects, (object) => folderOf(side, object)).values()].flatMap((copies) =>
    copies.length === 1 ? [] : copies.slice(-1),
  );
}

/**
 * Matches the further copies of an object in one folder of NEW. They are applied to the object that the first one is compared with.
 * Copies in separate folders may be for separate clusters.
 */
function matchCopies(
  next: ChangeSide,
  objects: readonly Manifest[],
  matches: ReadonlyMap<Manifest, Manifest>,
  pair: (object: Manifest, before: Manifest) => void,
): void {
  const oldOfFolder = new Map(objects.flatMap((object) => (matches.has(object) ? [[folderOf(next, object), matches.get(object)!]] : [])));
  for (const object of objects) {
    const before = matches.has(object) ? undefined : oldOfFolder.get(folderOf(next, object));
    if (before) pair(object, before);
  }
}

function matchWithoutNamespace(
  old: ChangeSide,
  next: ChangeSide,
  matchedOld: ReadonlySet<Manifest>,
  matches: ReadonlyMap<Manifest, Manifest>,
  pair: (object: Manifest, before: Manifest) => void,
): void {
  const unmatched = next.objects.filter((object) => !matches.has(object));
  if (unmatched.length === 0) return;
  const oldByBareKey = groupBy(
    old.objects.filter((object) => !matchedOld.has(object)),
    keyWithoutNamespaceOf,
  );
  for (const [key, objects] of groupBy(unmatched, keyWithoutNamespaceOf)) {
    const [before, ...others] = oldByBareKey.get(key) ?? [];
    if (before === undefined || others.length > 0) continue;
    const isBare = namespaceOf(before) === undefined;
    const [first, ...further] = objects.filter((object) => (namespaceOf(object) === undefined) !== isBare);
    if (first === undefined) continue;
    const likeness = (object: Manifest) => countCommonPathSuffix([old, before], [next, object]);
    const object = further.reduce((best, other) => (likeness(other) > likeness(best) ? other : best), first);
    pair(object, before);
    const copies = objects.filter((other) => namespaceOf(other) === namespaceOf(object));
    if (copies.length > 1) matchCopies(next, copies, matches, pair);
  }
}
