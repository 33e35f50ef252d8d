import { parseTime } from '../../core/values/time';
import { checkTime } from '../../core/budget/deadline';
import { isFields, isClassInstance } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { isPersisted } from '../../core/values/schema';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { normalizeQuantity } from '../../core/values/normalize-quantity';

/** Reports whether Go cannot distinguish a value from an omitted one in a field without a pointer. */
export function isEmptyGoValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isFields(value) && !isClassInstance(value) && Object.keys(value).length === 0;
}

/** Reports whether a field is a struct that Go stores as a value and not as a pointer, so that it is always present. */
function isEmbedded({ type, fields, isPointer }: ApiField): boolean {
  return type === 'map' && fields !== undefined && !isPointer;
}

/** The fields of a map that a version keeps, and those that are present even if omitted. */
interface VersionFields {
  readonly all: ReadonlyMap<string, ApiField>;
  readonly defaulted: readonly (readonly [name: string, field: ApiField])[];
}

function isAlwaysPresent(field: ApiField): boolean {
  return field.defaultValue !== undefined || isEmbedded(field) || (field.type === 'quantity' && !field.isPointer);
}

/** Caches the fields that a version keeps: ten thousand objects need the same ones. */
const VERSION_FIELDS_CACHE = new Map<string, WeakMap<ApiFields, VersionFields>>();

function getVersionFields(fields: ApiFields, version: string): VersionFields {
  const known = VERSION_FIELDS_CACHE.get(version) ?? new WeakMap<ApiFields, VersionFields>();
  VERSION_FIELDS_CACHE.set(version, known);
  const found = known.get(fields);
  if (found) return found;
  const entries = Object.entries(fields).filter(([, field]) => isPersisted(field, version));
  const versionFields = { all: new Map(entries), defaulted: entries.filter(([, field]) => isAlwaysPresent(field)) };
  known.set(fields, versionFields);
  return versionFields;
}

function decodeMap(value: Fields, fields: ApiFields, version: string): Fields {
  const { all, defaulted } = getVersionFields(fields, version);
  const result: Record<string, unknown> = {};
  for (const [name, rawValue] of Object.entries(value)) {
    const field = all.get(name);
    const inner = field && decodeField(rawValue, field, version);
    if (inner !== undefined) result[name] = inner;
  }
  for (const [name, field] of defaulted) {
    if (!Object.hasOwn(result, name)) result[name] = decodeField(undefined, field, version);
  }
  return result;
}

function mapEntries(value: unknown, entry: (inner: unknown) => unknown): unknown {
  if (!isFields(value) || isClassInstance(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, entry(inner)]));
}

function decodeList(value: readonly unknown[], field: ApiField, version: string): unknown[] {
  return value.map((item: unknown) => {
    if (field.fields && (isFields(item) || item === null)) return decodeMap(item ?? {}, field.fields, version);
    return item;
  });
}

/** Formats a time as the server writes it: to the second, in UTC. */
function normalizeTime(value: unknown): unknown {
  const time = parseTime(value);
  return time === undefined ? value : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns a value in the spelling that the server stores. A value of another type than its field stays as it is. */
function normalizeValue(value: unknown, field: ApiField, version: string): unknown {
  if (field.type === 'quantity') return normalizeQuantity(value, false);
  if (field.type === 'quantity-map') return mapEntries(value, (amount) => normalizeQuantity(amount ?? 0, true));
  if (field.type === 'time') return normalizeTime(value);
  if (field.type === 'string-map') return mapEntries(value, (text) => text ?? '');
  if (Array.isArray(value)) return decodeList(value, field, version);
  return field.fields && isFields(value) && !isClassInstance(value) ? decodeMap(value, field.fields, version) : value;
}

/** Returns what the server stores of a field, with its defaults; undefined if that is nothing. */
function decodeField(value: unknown, field: ApiField, version: string): unknown {
  checkTime();
  const isLeftOut = value === undefined || value === null || (!field.isPointer && isEmptyGoValue(value));
  if (!isLeftOut) return normalizeValue(value, field, version);
  if (field.defaultValue !== undefined) return normalizeValue(field.defaultValue, field, version);
  if (field.type === 'quantity' && !field.isPointer) return '0';
  return isEmbedded(field) ? decodeMap({}, field.fields!, version) : undefined;
}

/**
 * Decodes a map as the API server does: it drops unknown fields, omits empty values as Go's JSON does, normalizes quantities
 * and fills in defaults. Defaults that depend on other fields are filled in by `pod-defaults.ts` and `kind-defaults.ts`.
 */
export function decodeFields(value: Fields, fields: ApiFields, version: string): Fields {
  return decodeMap(value, fields, version);
}
