import type { DetectedApplier } from '../../appliers/detect-applier';
import { isLive } from '../../appliers/live-object';
import { parseFieldPath } from '../../core/manifest/field-path';
import type { PathPart } from '../../core/manifest/field-path';
import { getValueAt, isFields } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { Versions } from '../../core/values/versions';
import { callOrElse } from '../../plan/isolate-objects';
import { refuseUnknownFields } from '../apiserver/decoding-errors';
import type { ObjectPair } from '../match/match-objects';
import { mergeServerFields } from './merge-server-fields';
import { compareObjects, isUnchangedManifest, normalizeIdentity } from './object-comparison';
import type { AdmissionCheck, ObjectComparison } from './object-comparison';

/* Custom resources with fields that their definition lacks: the API server refuses them or drops the fields, which then have no effect. */

/** Fields to remove, by the part of their paths. Undefined for one that is removed with all below it. */
type RemovedParts = Map<PathPart, RemovedParts | undefined>;

function groupByPart(paths: readonly string[]): RemovedParts {
  const root: RemovedParts = new Map();
  for (const path of paths) {
    const parts = parseFieldPath(path);
    let parent: RemovedParts | undefined = root;
    for (const part of parts.slice(0, -1)) {
      if (!parent.has(part)) parent.set(part, new Map());
      // A field that is removed with all below it stays removed.
      parent = parent.get(part);
      if (!parent) break;
    }
    parent?.set(parts.at(-1)!, undefined);
  }
  return root;
}

/** Returns a value without some fields. Each map and list on the way is copied once, however many of its fields are removed. */
function removeParts(value: unknown, parts: RemovedParts): unknown {
  const removeBelow = (part: PathPart, inner: unknown) => {
    const below = parts.get(part);
    return below ? removeParts(inner, below) : inner;
  };
  if (Array.isArray(value)) return value.map((item: unknown, index) => removeBelow(index, item));
  if (!isFields(value)) return value;
  const isKept = (part: string) => !parts.has(part) || parts.get(part) !== undefined;
  return Object.fromEntries(Object.entries(value).flatMap(([part, inner]) => (isKept(part) ? [[part, removeBelow(part, inner)]] : [])));
}

function removeFields(object: Manifest, paths: readonly string[]): Manifest {
  return paths.length === 0 ? object : (removeParts(object, groupByPart(paths)) as Manifest);
}

/** The known fields of a pair of objects, and what is refused because of the others. */
interface KnownPair {
  readonly pair: ObjectPair;
  readonly known: ObjectPair;
  readonly dropped: readonly string[];
}

/** Adds the dropped fields to the objects of a comparison again, so that findings about them have a place, and refuses them. */
function restoreFields(comparison: ObjectComparison, { pair, known, dropped }: KnownPair): ObjectComparison {
  const { next, old, applied, result, kept, hook, ignoredBy, withoutSkip, withoutHook } = comparison;
  const manifest = pair.old && normalizeIdentity(pair.old, pair);
  const restored: ObjectComparison = {
    ...comparison,
    next: pair.next,
    result: ignoredBy !== undefined && manifest ? manifest : mergeServerFields(pair.next, next, result),
    known: { next, result, ...(old && { old: old.manifest }) },
    ...(old && manifest && { old: { ...old, manifest } }),
    ...(withoutSkip && { withoutSkip: restoreFields(withoutSkip, { pair, known, dropped }) }),
    ...(withoutHook && { withoutHook: restoreFields(withoutHook, { pair, known, dropped }) }),
  };
  const { method, acceptsUnknownFields } = applied.applier;
  const refusal = ignoredBy === undefined ? refuseUnknownFields(pair.next, dropped, method, acceptsUnknownFields) : undefined;
  if (!refusal) return restored;
  return {
    next: pair.next,
    applied,
    result: pair.next,
    ...(restored.old && { old: restored.old }),
    ...(kept && { kept }),
    ...(hook && { hook }),
    differences: [],
    isReplaced: false,
    refusal,
  };
}

/**
 * Compares the fields of two objects that the API server keeps.
 *
 * @param listDropped - returns the fields of an object of the pair that its definition lacks
 */
export function compareKnownFields(
  pair: ObjectPair,
  applied: DetectedApplier,
  versions: Versions,
  listDropped: (object: Manifest) => readonly string[],
  admission?: AdmissionCheck,
): ObjectComparison {
  const { old, next } = pair;
  const compare = (objects: ObjectPair) => compareObjects(objects, applied, versions, admission);
  if (old && isUnchangedManifest(old, next)) return compare(pair);
  // A live object has only fields that its definition has.
  const live = old && isLive(old) ? old : undefined;
  const dropped = listDropped(next).filter((path) => getValueAt(live, ...parseFieldPath(path)) === undefined);
  // If the fields of OLD cannot be read, planning it fails too, which is reported.
  const droppedOfOld =
    old && !live
      ? callOrElse(
          () => listDropped(old),
          () => [],
        )
      : [];
  if (dropped.length === 0 && droppedOfOld.length === 0) return compare(pair);
  const known = { ...pair, next: removeFields(next, dropped), ...(old && { old: removeFields(old, droppedOfOld) }) };
  return restoreFields(compare(known), { pair, known, dropped });
}
