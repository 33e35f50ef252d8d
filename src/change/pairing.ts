import { greatest } from '../core/extremes';
import { groupOf, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { Unit } from '../core/unit';
import type { ObjectText } from '../plan/told-apart';

/** One side of a change: its objects in their order, and the unit that each belongs to. */
export interface PairedSide {
  readonly objects: readonly Manifest[];
  readonly textOf?: (object: object) => ObjectText | undefined;
}

/** An object of NEW with that of OLD which has its name. */
export interface Pair {
  readonly next: Manifest;
  /** Undefined where OLD has none. */
  readonly old?: Manifest;
}

/** What belongs together, and what OLD alone has. */
export interface Paired {
  /** In the order of NEW. */
  readonly pairs: readonly Pair[];
  /** In the order of OLD. */
  readonly rest: readonly Manifest[];
}

function keyOf(object: Manifest, namespace: string | undefined): string {
  return JSON.stringify([groupOf(object), object.kind, namespace, nameOf(object)]);
}

/** A unit as its side sees it, whatever the side is called: the path below the PATH given. */
export function unitPath(unit: Unit | undefined): string {
  if (unit?.above === undefined) return '';
  let root = unit;
  while (root.above) root = root.above;
  const below = unit.id.slice(root.id.length);
  return below.startsWith('/') ? below.slice(1) : below;
}

/** The names of the path of an object's file; of a file in a revision too, `git:HEAD:dist/web.yaml`. */
function fileNames({ textOf }: PairedSide, object: Manifest): string[] {
  return textOf?.(object)?.file.split(/[/:]/) ?? [];
}

/** The unit of an object, and so many names at the end of its file's path; undefined where the path has fewer. */
function placeOf(side: PairedSide, object: Manifest, length: number): string | undefined {
  const names = fileNames(side, object);
  if (names.length < length) return undefined;
  return JSON.stringify([unitPath(side.textOf?.(object)?.unit), names.slice(names.length - length)]);
}

/** How many names two files have in common at their ends. */
export function commonEnd(one: readonly [PairedSide, Manifest], other: readonly [PairedSide, Manifest]): number {
  const [names, others] = [fileNames(...one).toReversed(), fileNames(...other).toReversed()];
  const differing = names.findIndex((name, index) => name !== others[index]);
  return differing < 0 ? names.length : differing;
}

export function grouped(objects: Iterable<Manifest>, key: (object: Manifest) => string): Map<string, Manifest[]> {
  const groups = new Map<string, Manifest[]>();
  for (const object of objects) {
    const own = key(object);
    const known = groups.get(own);
    if (known) known.push(object);
    else groups.set(own, [object]);
  }
  return groups;
}

export const fullKey = (object: Manifest) => keyOf(object, namespaceOf(object));
const bareKey = (object: Manifest) => keyOf(object, undefined);

/**
 * Which object of NEW is which of OLD: by group, kind, namespace and name; of several of one name, those of the same unit,
 * there those whose files have most in common at the ends of their paths, then in order.
 *
 * A manifest without a namespace goes with a live object of its name where that is the only one:
 * which namespace it is applied to says the command line, and no file.
 */
export function pairedObjects(old: PairedSide, next: PairedSide): Paired {
  const byKey = grouped(old.objects, fullKey);
  const taken = new Set<Manifest>();
  const found = new Map<Manifest, Manifest>();
  const pair = (object: Manifest, before: Manifest) => {
    taken.add(before);
    found.set(object, before);
  };
  for (const [key, objects] of grouped(next.objects, fullKey)) {
    const candidates = byKey.get(key) ?? [];
    if (candidates.length === 1 && objects.length === 1) {
      pair(objects[0]!, candidates[0]!);
      continue;
    }
    const longest = greatest(objects.map((object) => fileNames(next, object).length));
    for (let length = longest; length >= 0; length--) {
      const open = grouped(
        candidates.filter((candidate) => !taken.has(candidate)),
        (candidate) => placeOf(old, candidate, length) ?? '',
      );
      for (const object of objects.filter((each) => !found.has(each))) {
        const place = placeOf(next, object, length);
        const before = place === undefined ? undefined : open.get(place)?.shift();
        if (before) pair(object, before);
      }
    }
    for (const object of objects) {
      const before = found.has(object) ? undefined : candidates.find((candidate) => !taken.has(candidate));
      if (before) pair(object, before);
    }
  }
  pairWithoutNamespace(old, next, taken, found, pair);
  return {
    pairs: next.objects.map((object) => {
      const before = found.get(object);
      return { next: object, ...(before && { old: before }) };
    }),
    rest: old.objects.filter((object) => !taken.has(object)),
  };
}

function pairWithoutNamespace(
  old: PairedSide,
  next: PairedSide,
  taken: ReadonlySet<Manifest>,
  found: ReadonlyMap<Manifest, Manifest>,
  pair: (object: Manifest, before: Manifest) => void,
): void {
  const alone = next.objects.filter((object) => !found.has(object));
  if (alone.length === 0) return;
  const bare = grouped(
    old.objects.filter((object) => !taken.has(object)),
    bareKey,
  );
  for (const [key, objects] of grouped(alone, bareKey)) {
    const candidates = bare.get(key) ?? [];
    const [object] = objects;
    const [before] = candidates;
    if (objects.length !== 1 || candidates.length !== 1) continue;
    if ((namespaceOf(object!) === undefined) !== (namespaceOf(before!) === undefined)) pair(object!, before!);
  }
}
