import { checkTime } from '../../core/budget/deadline';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { appendToPath, appendMapKey, parseFieldPath } from '../../core/manifest/field-path';
import { isKustomization } from '../../core/sources/kustomization-kind';
import { groupOf, isFields, getOwnValue } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { parseQuantityNanos } from '../../core/values/quantity';
import { workloadNameOf } from '../../workloads/kinds';
import type { WorkloadName } from '../../workloads/kinds';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { getStoredKind } from './kinds';
import { containsSecretKind, isSecretName } from '../../core/manifest/secret-name';
import { isSecretField, isSecretHolder, isSecretValue } from '../../core/manifest/secret-holder';
import { redactSecrets } from './redact-secrets';
import { REDACTED_VALUE } from './types';
import type { FieldChange, StoredObject } from './types';

/** The location at which two values are compared. */
interface DiffLocation {
  readonly path: string;
  /** The schema of the field; undefined below an unknown field. */
  readonly field?: ApiField;
  /** Whether quantities are compared by amount and not by spelling. */
  readonly isSemantic: boolean;
  /** Whether every value at this location is redacted. */
  readonly isSecret: boolean;
  /** Path below which every value is redacted. @default - none */
  readonly secretPath?: string;
}

/** Returns the last part of a path: `password` of `spec.helm.values.db.password` and of `data[password]`. */
function lastKeyOf(path: string): string {
  const bare = path.endsWith(']') ? path.slice(0, -1) : path;
  return bare.slice(Math.max(bare.lastIndexOf('.'), bare.lastIndexOf('[')) + 1);
}

function buildFieldChange({ path, isSecret, field }: DiffLocation, before: unknown, after: unknown): FieldChange {
  const isScalar = ![before, after].some((value) => typeof value === 'object' && value !== null);
  const key = field || !isScalar ? undefined : lastKeyOf(path);
  const redacted = isSecret ? { before: REDACTED_VALUE, after: REDACTED_VALUE, secret: true as const } : redactSecrets(before, after, key);
  return {
    path,
    ...(before !== undefined && { old: redacted.before }),
    ...(after !== undefined && { new: redacted.after }),
    ...(redacted.secret && { secret: true as const }),
  };
}

function isSameAmount(before: unknown, after: unknown): boolean {
  const amount = parseQuantityNanos(before);
  return amount !== undefined && amount === parseQuantityNanos(after);
}

function toFieldLocation({ field, ...location }: DiffLocation, name: string): DiffLocation {
  const isQuantities = field?.type === 'quantity-map';
  const inner =
    (field?.fields && getOwnValue(field.fields, name)) ?? (isQuantities ? ({ type: 'quantity' } satisfies ApiField) : undefined);
  // The keys of a map are data, and so are field names below an unknown field.
  const path = field && !field.fields ? appendMapKey(location.path, name) : appendToPath(location.path, name);
  const isSecret = location.isSecret || path === location.secretPath || isSecretField(name);
  return { ...location, path, isSecret, ...(inner && { field: inner }) };
}

function compareMaps(before: Fields, after: Fields, location: DiffLocation): FieldChange[] {
  const changes: FieldChange[] = [];
  // A loop, since a callback for each level would need twice the stack.
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    // Skip equal fields before building their paths: most fields of a changed object are the same.
    const [old, next] = [getOwnValue(before, name), getOwnValue(after, name)];
    if (old === next) continue;
    for (const change of compareValues(old, next, toFieldLocation(location, name))) changes.push(change);
  }
  return changes;
}

/** Formats a port or a name as text. */
function formatItemName(value: unknown): string {
  if (typeof value === 'string') return containsSecretKind(value) ? REDACTED_VALUE : value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** Returns unique names of list items: their first key or all keys; undefined if the names are not unique. */
function findUniqueNames(list: readonly unknown[], keys: readonly string[]): string[] | undefined {
  const candidates = [keys.slice(0, 1), keys];
  for (const used of candidates) {
    const names = list.map((item) => used.map((key) => formatItemName(isFields(item) ? item[key] : undefined)).join('/'));
    if (new Set(names).size === names.length) return names;
  }
  return undefined;
}

function mergeKeysOf({ merge }: ApiField): readonly string[] {
  if (!merge) return [];
  return merge.applyKeys.length > 0 ? merge.applyKeys : [merge.key ?? ''].filter((key) => key !== '' && key !== 'value');
}

/** Reports whether the items that both sides have are in another order. */
function isReordered(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): boolean {
  return !isDeepEqual(
    [...before.keys()].filter((name) => after.has(name)),
    [...after.keys()].filter((name) => before.has(name)),
  );
}

function compareByName(
  before: readonly unknown[],
  after: readonly unknown[],
  location: DiffLocation,
  keys: readonly string[],
): FieldChange[] | undefined {
  // Name both sides by the same keys, so that two ports with one number are distinguished on either side.
  const names = [findUniqueNames(before, keys.slice(0, 1)), findUniqueNames(after, keys.slice(0, 1))];
  const [left, right] = names.every(Boolean) ? names : [findUniqueNames(before, keys), findUniqueNames(after, keys)];
  if (!left || !right) return undefined;
  const old = new Map(left.map((name, index) => [name, before[index]]));
  const next = new Map(right.map((name, index) => [name, after[index]]));
  const item = toItemLocation(location);
  const changes = [...new Set([...left, ...right])].flatMap((name) =>
    compareValues(old.get(name), next.get(name), { ...item, path: appendMapKey(location.path, name) }),
  );
  return isReordered(old, next) ? [buildFieldChange({ ...location, isSecret: false }, left, right), ...changes] : changes;
}

function toItemLocation(location: DiffLocation): DiffLocation {
  const { field: list, ...rest } = location;
  return list?.fields ? { ...rest, field: { type: 'map', fields: list.fields } } : rest;
}

function compareLists(before: readonly unknown[], after: readonly unknown[], location: DiffLocation): FieldChange[] {
  const keys = location.field ? mergeKeysOf(location.field) : [];
  const byName = keys.length > 0 ? compareByName(before, after, location, keys) : undefined;
  if (byName) return byName;
  const isOfMaps = before.length === after.length && [...before, ...after].every(isFields);
  if (!isOfMaps) return [buildFieldChange(location, before, after)];
  return before.flatMap((item, index) =>
    compareValues(item, after[index], { ...toItemLocation(location), path: appendToPath(location.path, index) }),
  );
}

function compareValues(before: unknown, after: unknown, location: DiffLocation): FieldChange[] {
  checkTime();
  if (isDeepEqual(before, after)) return [];
  if (location.isSemantic && location.field?.type === 'quantity' && isSameAmount(before, after)) return [];
  if (location.isSecret && isSecretValue(parseFieldPath(location.path))) return [buildFieldChange(location, before, after)];
  if (isFields(before) && isFields(after)) {
    return isSecretVariable(before, after) || isSecretHolder(before) || isSecretHolder(after)
      ? compareMaps(before, after, { ...location, isSecret: true })
      : compareMaps(before, after, location);
  }
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, location);
  return [buildFieldChange(location, before, after)];
}

/** Reports whether a map is an environment variable whose value must be redacted. */
function isSecretVariable(before: Fields, after: Fields): boolean {
  return before.name === after.name && isSecretName(before.name) && (before.value ?? after.value) !== undefined;
}

/** The values of the Secrets that a kustomization generates. Go reads its name in any case, and a long s for an s. */
const SECRET_GENERATOR = /^secretgenerator$/iu;

/** Whether the controller records a new revision for another spelling of a quantity, such as `1Gi` for `1073741824`. */
const COMPARES_QUANTITY_TEXT: Readonly<Record<WorkloadName, boolean>> = { Deployment: false, StatefulSet: true, DaemonSet: true };

/** Fields of a Secret whose values are shown. Tools repeat the others in annotations. */
const SHOWN_SECRET_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'immutable', 'type']);
const ANNOTATIONS_PATH = 'metadata.annotations';

/** Returns a function that locates the fields of an object. What it needs to know about the entire object takes time for each of them. */
function createFieldLocator(object: StoredObject): (name: string) => DiffLocation {
  const fields: ApiFields | undefined = getStoredKind(object)?.fields;
  // NEW decides the version, so it may be one that no server knows.
  const isOfSecret = object.kind === 'Secret' && groupOf(object) === '';
  const holdsSecret = isOfSecret || isSecretHolder(object);
  const generatesSecrets = isKustomization(object);
  const workload = workloadNameOf(object);
  const isSemantic = !workload || !COMPARES_QUANTITY_TEXT[workload];
  return (name) => {
    const field = fields && getOwnValue(fields, name);
    const isSecret = holdsSecret ? !SHOWN_SECRET_FIELDS.has(name) : generatesSecrets && SECRET_GENERATOR.test(name);
    return {
      path: appendToPath('', name),
      isSecret,
      isSemantic,
      ...(holdsSecret && { secretPath: ANNOTATIONS_PATH }),
      ...(field && { field }),
    };
  };
}

/**
 * Returns the stored fields that differ, in the order of the old fields. Items of lists are named by their keys (`spec.template.spec.containers[web].image`).
 * A reordered list of such items is listed with its names before and after; other lists are listed as one value.
 * Secret values are `(secret)`. `status` and fields that only the server writes are not compared.
 */
export function diffStoredObjects(before: StoredObject, after: StoredObject): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => name !== 'status');
  const locationOf = createFieldLocator(after);
  return names.flatMap((name) => {
    const location = locationOf(name);
    // Treat a missing map as empty, so that every entry of a Secret keeps its name.
    const isMap = location.field?.type === 'string-map';
    const empty = isMap ? {} : undefined;
    return compareValues(getOwnValue(before, name) ?? empty, getOwnValue(after, name) ?? empty, location);
  });
}
