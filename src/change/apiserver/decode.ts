import { parseTime } from '../../core/values/time';
import { checkTime } from '../../core/budget/deadline';
import { isFields, isClassInstance } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { isKnown, isPersisted } from '../../core/values/schema';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { normalizeQuantity } from '../../core/values/normalize-quantity';
import { gateOf } from './field-gates';
import type { FieldGates } from './field-gates';

/** Reports whether Go cannot distinguish a value from an omitted one in a field without a pointer. */
export function isEmptyGoValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isFields(value) && !isClassInstance(value) && Object.keys(value).length === 0;
}

/** Reports whether a field is a struct that Go stores as a value and not as a pointer, so that it is always present. */
function isEmbedded({ type, fields, isPointer }: ApiField): boolean {
  return type === 'map' && fields !== undefined && !isPointer;
}

/** The fields of a map that a version knows, the gates of those that it drops, and those that are present even if omitted. */
interface VersionFields {
  readonly all: ReadonlyMap<string, ApiField>;
  readonly gates: ReadonlyMap<ApiField, string>;
  readonly defaulted: readonly (readonly [name: string, field: ApiField])[];
}

function isAlwaysPresent(field: ApiField): boolean {
  return field.defaultValue !== undefined || isEmbedded(field) || (field.type === 'quantity' && !field.isPointer);
}

/** Caches the fields of each version: ten thousand objects need the same ones. */
const VERSION_FIELDS_CACHE = new Map<string, WeakMap<ApiFields, VersionFields>>();

function getVersionFields(fields: ApiFields, version: string): VersionFields {
  const known = VERSION_FIELDS_CACHE.get(version) ?? new WeakMap<ApiFields, VersionFields>();
  VERSION_FIELDS_CACHE.set(version, known);
  const found = known.get(fields);
  if (found) return found;
  const entries = Object.entries(fields).filter(([, field]) => isKnown(field, version));
  const isDropped = (field: ApiField) => !isPersisted(field, version);
  const versionFields = {
    all: new Map(entries),
    gates: new Map(entries.flatMap(([, field]) => (isDropped(field) ? [[field, gateOf(field)] as const] : []))),
    defaulted: entries.filter(([, field]) => isAlwaysPresent(field) && !isDropped(field)),
  };
  known.set(fields, versionFields);
  return versionFields;
}

function decodeMap(value: Fields, fields: ApiFields, server: FieldGates): Fields {
  const { all, gates, defaulted } = getVersionFields(fields, server.version);
  const result: Record<string, unknown> = {};
  for (const [name, rawValue] of Object.entries(value)) {
    const field = all.get(name);
    const inner = field && decodeField(rawValue, field, server);
    if (inner === undefined) continue;
    const gate = gates.get(field!);
    if (gate === undefined || server.keepsDisabled(gate)) result[name] = inner;
  }
  for (const [name, field] of defaulted) {
    if (!Object.hasOwn(result, name)) result[name] = decodeField(undefined, field, server);
  }
  return result;
}

function mapEntries(value: unknown, entry: (inner: unknown) => unknown): unknown {
  if (!isFields(value) || isClassInstance(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, entry(inner)]));
}

function decodeList(value: readonly unknown[], field: ApiField, server: FieldGates): unknown[] {
  return value.map((item: unknown) => {
    if (field.fields && (isFields(item) || item === null)) return decodeMap(item ?? {}, field.fields, server);
    return item;
  });
}

/** Formats a time as the server writes it: to the second, in UTC. */
function normalizeTime(value: unknown): unknown {
  const time = parseTime(value);
  return time === undefined ? value : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns a value in the spelling that the server stores. A value of another type than its field stays as it is. */
function normalizeValue(value: unknown, field: ApiField, server: FieldGates): unknown {
  if (field.type === 'quantity') return normalizeQuantity(value, false);
  if (field.type === 'quantity-map') return mapEntries(value, (amount) => normalizeQuantity(amount ?? 0, true));
  if (field.type === 'time') return normalizeTime(value);
  if (field.type === 'string-map') return mapEntries(value, (text) => text ?? '');
  if (Array.isArray(value)) return decodeList(value, field, server);
  return field.fields && isFields(value) && !isClassInstance(value) ? decodeMap(value, field.fields, server) : value;
}

/** Returns what the server stores of a field, with its defaults; undefined if that is nothing. */
function decodeField(value: unknown, field: ApiField, server: FieldGates): unknown {
  checkTime();
  const isLeftOut = value === undefined || value === null || (!field.isPointer && isEmptyGoValue(value));
  if (!isLeftOut) return normalizeValue(value, field, server);
  if (field.defaultValue !== undefined) return normalizeValue(field.defaultValue, field, server);
  if (field.type === 'quantity' && !field.isPointer) return '0';
  return isEmbedded(field) ? decodeMap({}, field.fields!, server) : undefined;
}

/**
 * Decodes a map as the API server does: it drops unknown fields, omits empty values as Go's JSON does, normalizes quantities
 * and fills in defaults. Defaults that depend on other fields are filled in by `pod-defaults.ts` and `kind-defaults.ts`.
 */
export function decodeFields(value: Fields, fields: ApiFields, server: FieldGates): Fields {
  return decodeMap(value, fields, server);
}
