import { isFields, isInstance } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { isStored } from '../../core/schema';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { quantityText } from '../../core/quantity-text';

/** Is it as good as left out where Go has no pointer? */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isFields(value) && !isInstance(value) && Object.keys(value).length === 0;
}

/** A map that Go holds as a value and not behind a pointer: it is always there. */
function isEmbedded({ type, fields, isPointer }: ApiField): boolean {
  return type === 'map' && fields !== undefined && !isPointer;
}

/** The fields of a map that a version keeps, and those of them that are there even where they are left out. */
interface KeptFields {
  readonly all: ReadonlyMap<string, ApiField>;
  readonly filled: readonly (readonly [name: string, field: ApiField])[];
}

function isFilled(field: ApiField): boolean {
  return field.filled !== undefined || isEmbedded(field) || (field.type === 'quantity' && !field.isPointer);
}

/** Ten thousand objects ask for the same fields, so what a version keeps of them is worked out once. */
const KEPT = new Map<string, WeakMap<ApiFields, KeptFields>>();

function keptFields(fields: ApiFields, version: string): KeptFields {
  const known = KEPT.get(version) ?? new WeakMap<ApiFields, KeptFields>();
  KEPT.set(version, known);
  const found = known.get(fields);
  if (found) return found;
  const entries = Object.entries(fields).filter(([, field]) => isStored(field, version));
  const kept = { all: new Map(entries), filled: entries.filter(([, field]) => isFilled(field)) };
  known.set(fields, kept);
  return kept;
}

function decodedMap(value: Fields, fields: ApiFields, version: string): Fields {
  const { all, filled } = keptFields(fields, version);
  const result: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    const field = all.get(name);
    const inner = field && decodedField(given, field, version);
    if (inner !== undefined) result[name] = inner;
  }
  for (const [name, field] of filled) {
    if (!Object.hasOwn(result, name)) result[name] = decodedField(undefined, field, version);
  }
  return result;
}

function mapped(value: unknown, entry: (inner: unknown) => unknown): unknown {
  if (!isFields(value) || isInstance(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, entry(inner)]));
}

function decodedList(value: readonly unknown[], field: ApiField, version: string): unknown[] {
  return value.map((item: unknown) => {
    if (field.fields && (isFields(item) || item === null)) return decodedMap(item ?? {}, field.fields, version);
    return item;
  });
}

/** A time as the server writes it: to the second, in UTC. */
function timeText(value: unknown): unknown {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? value : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A value in the spelling that the server keeps; of another type than its field has it stays as it is. */
function spelled(value: unknown, field: ApiField, version: string): unknown {
  if (field.type === 'quantity') return quantityText(value, false);
  if (field.type === 'quantity-map') return mapped(value, (amount) => quantityText(amount ?? 0, true));
  if (field.type === 'time') return timeText(value);
  if (field.type === 'string-map') return mapped(value, (text) => text ?? '');
  if (Array.isArray(value)) return decodedList(value, field, version);
  return field.fields && isFields(value) && !isInstance(value) ? decodedMap(value, field.fields, version) : value;
}

/** What the server keeps of a field, with what it fills in there; undefined where that is nothing. */
function decodedField(value: unknown, field: ApiField, version: string): unknown {
  const isLeftOut = value === undefined || value === null || (!field.isPointer && isEmpty(value));
  if (!isLeftOut) return spelled(value, field, version);
  if (field.filled !== undefined) return spelled(field.filled, field, version);
  if (field.type === 'quantity' && !field.isPointer) return '0';
  return isEmbedded(field) ? decodedMap({}, field.fields!, version) : undefined;
}

/**
 * A map as the API server decodes it: unknown fields dropped, empty values left out as Go's JSON does, quantities in their own spelling,
 * what is left out filled in. What depends on other fields is filled in by `pod-defaults.ts` and `kinds.ts`.
 */
export function decoded(value: Fields, fields: ApiFields, version: string): Fields {
  return decodedMap(value, fields, version);
}
