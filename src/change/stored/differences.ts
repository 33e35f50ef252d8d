import { deepEqual } from '../../core/deep-equal';
import { childPath, entryPath } from '../../core/field-path';
import { isFields, ownValue } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { nanosOf } from '../../core/quantity';
import { workloadNameOf } from '../../workloads/kinds';
import type { WorkloadName } from '../../workloads/kinds';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { storedKindOf } from './kinds';
import { isSecretName } from '../../core/secret-name';
import { keptBack } from './secrets';
import { SECRET } from './types';
import type { FieldChange, StoredObject } from './types';

/** Where two values are compared. */
interface Place {
  readonly path: string;
  /** Undefined below what no field is known of. */
  readonly field?: ApiField;
  /** Do amounts count as one that only read otherwise? */
  readonly byMeaning: boolean;
  /** Is every value here one that nobody is to read? */
  readonly isSecret: boolean;
}

/** The last part of a path: `password` of `spec.helm.values.db.password` and of `data[password]`. */
function keyOf(path: string): string {
  const bare = path.endsWith(']') ? path.slice(0, -1) : path;
  return bare.slice(Math.max(bare.lastIndexOf('.'), bare.lastIndexOf('[')) + 1);
}

function changed({ path, isSecret, field }: Place, before: unknown, after: unknown): FieldChange {
  const isScalar = ![before, after].some((value) => typeof value === 'object' && value !== null);
  const key = field || !isScalar ? undefined : keyOf(path);
  const shown = isSecret ? { before: SECRET, after: SECRET, secret: true as const } : keptBack(before, after, key);
  return {
    path,
    ...(before !== undefined && { old: shown.before }),
    ...(after !== undefined && { new: shown.after }),
    ...(shown.secret && { secret: true as const }),
  };
}

function isSameAmount(before: unknown, after: unknown): boolean {
  const amount = nanosOf(before);
  return amount !== undefined && amount === nanosOf(after);
}

function comparedMaps(before: Fields, after: Fields, place: Place): FieldChange[] {
  const { field } = place;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const isQuantities = field?.type === 'quantity-map';
  return names.flatMap((name) => {
    // Most fields of an object that differs are the same: no path is made for them.
    const [old, next] = [ownValue(before, name), ownValue(after, name)];
    if (old === next) return [];
    const inner = (field?.fields && ownValue(field.fields, name)) ?? (isQuantities ? ({ type: 'quantity' } satisfies ApiField) : undefined);
    // The keys of a map are data, and so are field names below what is not known.
    const path = field && !field.fields ? entryPath(place.path, name) : childPath(place.path, name);
    const { field: _, ...rest } = place;
    return compared(old, next, { ...rest, path, ...(inner && { field: inner }) });
  });
}

/** A port or a name as text. */
function nameText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** What items of a list are called by: the first of its keys, all of them, or nothing where names stand twice. */
function namesOf(list: readonly unknown[], keys: readonly string[]): string[] | undefined {
  const candidates = [keys.slice(0, 1), keys];
  for (const used of candidates) {
    const names = list.map((item) => used.map((key) => nameText(isFields(item) ? item[key] : undefined)).join('/'));
    if (new Set(names).size === names.length) return names;
  }
  return undefined;
}

function keysOf({ merge }: ApiField): readonly string[] {
  if (!merge) return [];
  return merge.applyKeys.length > 0 ? merge.applyKeys : [merge.key ?? ''].filter((key) => key !== '' && key !== 'value');
}

/** Do the items that stand on both sides come in another order? */
function isReordered(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): boolean {
  return !deepEqual(
    [...before.keys()].filter((name) => after.has(name)),
    [...after.keys()].filter((name) => before.has(name)),
  );
}

function comparedByName(
  before: readonly unknown[],
  after: readonly unknown[],
  place: Place,
  keys: readonly string[],
): FieldChange[] | undefined {
  // Both sides by one kind of name, so that two ports of one number are told apart on either.
  const names = [namesOf(before, keys.slice(0, 1)), namesOf(after, keys.slice(0, 1))];
  const [left, right] = names.every(Boolean) ? names : [namesOf(before, keys), namesOf(after, keys)];
  if (!left || !right) return undefined;
  const old = new Map(left.map((name, index) => [name, before[index]]));
  const next = new Map(right.map((name, index) => [name, after[index]]));
  const item = itemPlace(place);
  const changes = [...new Set([...left, ...right])].flatMap((name) =>
    compared(old.get(name), next.get(name), { ...item, path: entryPath(place.path, name) }),
  );
  return isReordered(old, next) ? [changed({ ...place, isSecret: false }, left, right), ...changes] : changes;
}

function itemPlace(place: Place): Place {
  const { field: list, ...rest } = place;
  return list?.fields ? { ...rest, field: { type: 'map', fields: list.fields } } : rest;
}

function comparedLists(before: readonly unknown[], after: readonly unknown[], place: Place): FieldChange[] {
  const keys = place.field ? keysOf(place.field) : [];
  const byName = keys.length > 0 ? comparedByName(before, after, place, keys) : undefined;
  if (byName) return byName;
  const isOfMaps = before.length === after.length && [...before, ...after].every(isFields);
  if (!isOfMaps) return [changed(place, before, after)];
  return before.flatMap((item, index) => compared(item, after[index], { ...itemPlace(place), path: childPath(place.path, index) }));
}

function compared(before: unknown, after: unknown, place: Place): FieldChange[] {
  if (deepEqual(before, after)) return [];
  if (place.byMeaning && place.field?.type === 'quantity' && isSameAmount(before, after)) return [];
  if (isFields(before) && isFields(after)) {
    return isSecretVariable(before, after) ? comparedMaps(before, after, { ...place, isSecret: true }) : comparedMaps(before, after, place);
  }
  if (Array.isArray(before) && Array.isArray(after)) return comparedLists(before, after, place);
  return [changed(place, before, after)];
}

/** An environment variable whose value nobody is to read. */
function isSecretVariable(before: Fields, after: Fields): boolean {
  return before.name === after.name && isSecretName(before.name) && (before.value ?? after.value) !== undefined;
}

/** Does the controller record a new revision for other bytes, so that `1Gi` in the place of `1073741824` is a change to it? */
const COMPARES_BYTES: Readonly<Record<WorkloadName, boolean>> = { Deployment: false, StatefulSet: true, DaemonSet: true };

function placeOf(object: StoredObject, name: string): Place {
  const fields: ApiFields | undefined = storedKindOf(object)?.fields;
  const field = fields && ownValue(fields, name);
  const isSecret = object.kind === 'Secret' && object.apiVersion === 'v1' && (name === 'data' || name === 'stringData');
  const workload = workloadNameOf(object);
  const byMeaning = !workload || !COMPARES_BYTES[workload];
  return { path: childPath('', name), isSecret, byMeaning, ...(field && { field }) };
}

/**
 * The stored fields that differ, in the order of the fields before:
 * items of lists by their keys (`spec.template.spec.containers[web].image`), another order of such a list as its names before and after,
 * other lists whole. Values that nobody is to read are `(secret)`. `status` and what the server alone writes are not compared.
 */
export function differences(before: StoredObject, after: StoredObject): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => name !== 'status');
  return names.flatMap((name) => {
    const place = placeOf(after, name);
    // A map that is not there on one side is taken as an empty one, so that every entry of a Secret keeps its name.
    const isMap = place.field?.type === 'string-map';
    const empty = isMap ? {} : undefined;
    return compared(ownValue(before, name) ?? empty, ownValue(after, name) ?? empty, place);
  });
}
