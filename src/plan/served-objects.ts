import type { PlanContext, RolloutSystem } from '../cluster/context/context';
import { checkRemovedApi } from '../cluster/rules/removed-api';
import { checkUnknownKind } from '../cluster/rules/unknown-kind';
import { ROOT_PATH } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { describeObject, objectReferenceOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { countUtf8Bytes } from '../core/values/bytes';
import { unreadable } from '../core/rules/unreadable';

/** Objects that the API server accepts, and findings about the others, which are not part of any context. */
export interface ServedObjects {
  readonly objects: readonly Manifest[];
  readonly findings: readonly Finding[];
}

/**
 * Maximum size of a request that the API server accepts, in bytes.
 *
 * Source: k/k staging/src/k8s.io/apiserver/pkg/server/config.go, `NewConfig`, MaxRequestBodyBytes.
 */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** Returns a lower bound of the size of a value as JSON: each character counts as one byte. Stops counting beyond `maxBytes`. */
function countMinBytes(value: unknown, maxBytes: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let bytes = 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && bytes <= maxBytes; index++) bytes += countMinBytes(value[index], maxBytes - bytes) + 1;
    return bytes;
  }
  for (const key in value) {
    if (bytes > maxBytes) break;
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    // JSON has no such field: constructs leave a field out with it.
    if (inner === undefined) continue;
    bytes += key.length + 4 + countMinBytes(inner, maxBytes - bytes);
  }
  return bytes;
}

/** Most bytes of JSON for each byte of the lower bound: a number may have 24 characters, and counts as one of them and a comma. */
const MAX_BYTES_PER_COUNTED = 16;

/** Reports whether an object as JSON is larger than any request that the API server accepts. */
export function isTooLarge(object: object): boolean {
  const minBytes = countMinBytes(object, MAX_REQUEST_BYTES);
  if (minBytes > MAX_REQUEST_BYTES) return true;
  // Few objects are so large that their text must be built.
  return minBytes * MAX_BYTES_PER_COUNTED > MAX_REQUEST_BYTES && countUtf8Bytes(JSON.stringify(object)) > MAX_REQUEST_BYTES;
}

/** Reports an object that is too large for a request. */
function checkRequestSize(object: Manifest): Finding | undefined {
  if (!isTooLarge(object)) return undefined;
  return unreadable.createFinding('too-large', {
    path: ROOT_PATH,
    data: { resource: describeObject(object), bytes: MAX_REQUEST_BYTES },
  });
}

/** What is in the cluster in place of each object that is refused: the one that it would replace; undefined for nothing. */
export type RefusedObjects = ReadonlyMap<Manifest, Manifest | undefined>;

/** Finds the objects that are refused, with what is in the cluster in their place. */
export function findRefusedObjects(
  objects: readonly Manifest[],
  appliedFormOf: (object: Manifest) => Manifest | undefined,
): RefusedObjects {
  const refused = new Map<Manifest, Manifest | undefined>();
  for (const object of objects) {
    const form = appliedFormOf(object);
    if (form !== object) refused.set(object, form);
  }
  return refused;
}

/** Returns objects as they are in the cluster. Most input has no refused object and may be large, so the list is not copied then. */
export function replaceRefusedObjects(objects: readonly Manifest[], refused: RefusedObjects): readonly Manifest[] {
  return refused.size === 0 ? objects : objects.flatMap((object) => (refused.has(object) ? (refused.get(object) ?? []) : object));
}

/** Keeps the objects whose apiVersion and kind the planned version serves, and that fit into a request. */
export function filterServedObjects(
  objects: readonly Manifest[],
  systems: readonly RolloutSystem[],
  { versions, locate }: Pick<PlanContext, 'versions' | 'locate'>,
): ServedObjects {
  const isPlanned = (object: Manifest) => systems.some((system) => system.recognises(object));
  const findings: Finding[] = [];
  const served = objects.filter((object) => {
    const finding =
      checkRemovedApi(object, versions.kubernetes) ?? (isPlanned(object) ? checkRequestSize(object) : checkUnknownKind(object));
    // The object is named, so that a change does not take it for the same problem of another object, which OLD has.
    if (finding) findings.push({ ...finding, object: objectReferenceOf(object), source: locate(object, finding.path) });
    return finding === undefined;
  });
  return { objects: findings.length === 0 ? objects : served, findings };
}
