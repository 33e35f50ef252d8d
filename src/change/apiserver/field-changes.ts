import { isDeepEqual } from '../../core/deep-equal';
import { appendToPath, appendMapKey } from '../../core/field-path';
import { isFields, getOwnValue } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { parseQuantityNanos } from '../../core/quantity';
import { workloadNameOf } from '../../workloads/kinds';
import type { WorkloadName } from '../../workloads/kinds';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { getStoredKind } from './kinds';
import { isSecretName } from '../../core/secret-name';
import { redactSecrets } from './redact-secrets';
import { REDACTED_VALUE } from './types';
import type { FieldChange, StoredObject } from './types';

/** Where two values are compared. */
interface DiffLocation {
  readonly path: string;
  /** Undefined below what no field is known of. */
  readonly field?: ApiField;
  /** Do amounts count as one that only read otherwise? */
  readonly isSemantic: boolean;
  /** Is every value here one that nobody is to read? */
  readonly isSecret: boolean;
}

/** The last part of a path: `password` of `spec.helm.values.db.password` and of `data[password]`. */
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

function compareMaps(before: Fields, after: Fields, location: DiffLocation): FieldChange[] {
  const { field } = location;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const isQuantities = field?.type === 'quantity-map';
  return names.flatMap((name) => {
    // Most fields of an object that differs are the same: no path is made for them.
    const [old, next] = [getOwnValue(before, name), getOwnValue(after, name)];
    if (old === next) return [];
    const inner =
      (field?.fields && getOwnValue(field.fields, name)) ?? (isQuantities ? ({ type: 'quantity' } satisfies ApiField) : undefined);
    // The keys of a map are data, and so are field names below what is not known.
    const path = field && !field.fields ? appendMapKey(location.path, name) : appendToPath(location.path, name);
    const { field: _, ...rest } = location;
    return compareValues(old, next, { ...rest, path, ...(inner && { field: inner }) });
  });
}

/** A port or a name as text. */
function formatItemName(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** What items of a list are called by: the first of its keys, all of them, or nothing where names stand twice. */
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

/** Do the items that stand on both sides come in another order? */
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
  // Both sides by one kind of name, so that two ports of one number are told apart on either.
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
  if (isDeepEqual(before, after)) return [];
  if (location.isSemantic && location.field?.type === 'quantity' && isSameAmount(before, after)) return [];
  if (isFields(before) && isFields(after)) {
    return isSecretVariable(before, after)
      ? compareMaps(before, after, { ...location, isSecret: true })
      : compareMaps(before, after, location);
  }
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, location);
  return [buildFieldChange(location, before, after)];
}

/** An environment variable whose value nobody is to read. */
function isSecretVariable(before: Fields, after: Fields): boolean {
  return before.name === after.name && isSecretName(before.name) && (before.value ?? after.value) !== undefined;
}

/** Does the controller record a new revision for other bytes, so that `1Gi` in the place of `1073741824` is a change to it? */
const COMPARES_QUANTITY_TEXT: Readonly<Record<WorkloadName, boolean>> = { Deployment: false, StatefulSet: true, DaemonSet: true };

function locationOf(object: StoredObject, name: string): DiffLocation {
  const fields: ApiFields | undefined = getStoredKind(object)?.fields;
  const field = fields && getOwnValue(fields, name);
  const isSecret = object.kind === 'Secret' && object.apiVersion === 'v1' && (name === 'data' || name === 'stringData');
  const workload = workloadNameOf(object);
  const isSemantic = !workload || !COMPARES_QUANTITY_TEXT[workload];
  return { path: appendToPath('', name), isSecret, isSemantic, ...(field && { field }) };
}

/**
 * The stored fields that differ, in the order of the fields before:
 * items of lists by their keys (`spec.template.spec.containers[web].image`), another order of such a list as its names before and after,
 * other lists whole. Values that nobody is to read are `(secret)`. `status` and what the server alone writes are not compared.
 */
export function diffStoredObjects(before: StoredObject, after: StoredObject): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => name !== 'status');
  return names.flatMap((name) => {
    const location = locationOf(after, name);
    // A map that is not there on one side is taken as an empty one, so that every entry of a Secret keeps its name.
    const isMap = location.field?.type === 'string-map';
    const empty = isMap ? {} : undefined;
    return compareValues(getOwnValue(before, name) ?? empty, getOwnValue(after, name) ?? empty, location);
  });
}
