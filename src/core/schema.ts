import { childPath, entryPath, fieldName } from './field-path';
import type { FieldPath } from './field-path';
import { isInt32 } from './int-or-percent';
import { isFields, isInstance } from './manifest';
import type { Fields } from './manifest';
import { inside, pathOf } from './place';
import type { Place } from './place';
import { isQuantity } from './quantity';
import { isAtLeast } from './versions';

/** The types of fields, as far as rollouts need them. */
export type FieldType =
  | 'any'
  | 'map'
  | 'list'
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'int-or-percent'
  | 'int-or-string'
  | 'quantity'
  | 'time'
  | 'string-map'
  | 'quantity-map'
  | 'string-list'
  | 'int32-list'
  | 'int64-list';

/** What is known of one field. */
export interface FieldSchema {
  readonly type: FieldType;
  /** The fields of a map, or of each item of a list; what is not listed passes. @default - whatever stands in it passes */
  readonly fields?: FieldSchemas;
  /** Are these all the fields that there are, so that any other is unknown? @default false */
  readonly isWhole?: boolean;
  /** Does null count as a value of another type? @default false: null counts as left out */
  readonly isNeeded?: boolean;
  /** May an item of a list be null, which is an empty one then? @default false */
  readonly takesNulls?: boolean;
  /** The first version of its product that knows the field; earlier ones drop it. */
  readonly since?: string;
  /** The first version of its product that knows the field no more. */
  readonly until?: string;
  /**
   * The first version that keeps the field; earlier ones that know it drop it in silence, for want of a feature gate.
   * `never` so far for a gate that is off in all of them.
   *
   * @default - every version that knows it
   */
  readonly keptSince?: string;
}

/** The fields of a map by name. */
export type FieldSchemas = Readonly<Record<string, FieldSchema>>;

/** A schema for every field of a type, so that a field that is added without one does not compile. */
export type SchemasOf<T> = Readonly<Record<keyof T, FieldSchema>>;

export const ANY: FieldSchema = { type: 'any' };
export const STRING: FieldSchema = { type: 'string' };
export const BOOLEAN: FieldSchema = { type: 'boolean' };
export const INT32: FieldSchema = { type: 'int32' };
export const INT64: FieldSchema = { type: 'int64' };
export const INT_OR_PERCENT: FieldSchema = { type: 'int-or-percent' };
export const STRINGS: FieldSchema = { type: 'string-list' };
export const STRING_MAP: FieldSchema = { type: 'string-map' };
export const MAP: FieldSchema = { type: 'map' };
export const LIST: FieldSchema = { type: 'list' };

/** A map of which these fields matter. */
export function map(fields: FieldSchemas): FieldSchema {
  return { type: 'map', fields };
}

/** A list of maps of which these fields matter. */
export function listOf(fields: FieldSchemas): FieldSchema {
  return { type: 'list', fields };
}

/** The same with no other field known in it. */
export function whole(schema: FieldSchema): FieldSchema {
  return { ...schema, isWhole: true };
}

/** The same where null will not do. */
export function needed(schema: FieldSchema): FieldSchema {
  return { ...schema, isNeeded: true };
}

/** Name, namespace, labels and annotations, which every object of the API has. */
export const METADATA = map({ name: STRING, namespace: STRING, labels: STRING_MAP, annotations: STRING_MAP });

/** Who reads an object, and how. */
export interface SchemaReader {
  /** Of the product whose schema it is; every `since` and `until` holds without one. */
  readonly version?: string;
  /** Go's encoding/json finds `maxunavailable` for maxUnavailable; the API server does not. @default false */
  readonly ignoresCase?: boolean;
  /** May an instance of a class stand for a value that is not known yet: a token of an adapter? @default true */
  readonly takesTokens?: boolean;
  /** Does null count as left out? A program that writes null means a value; a file that says `null` leaves the field to its default. @default true */
  readonly takesNulls?: boolean;
}

/** What is wrong with one field. */
export type SchemaProblem =
  | { readonly kind: 'wrong-type'; readonly path: FieldPath; readonly value: unknown; readonly expected: FieldType }
  | { readonly kind: 'unknown'; readonly path: FieldPath; readonly value: unknown; readonly known: readonly string[] }
  | { readonly kind: 'too-new'; readonly path: FieldPath; readonly value: unknown; readonly since: string }
  | { readonly kind: 'gone'; readonly path: FieldPath; readonly value: unknown; readonly until: string }
  | { readonly kind: 'dropped'; readonly path: FieldPath; readonly value: unknown; readonly keptSince: string };

export type ProblemOf<K extends SchemaProblem['kind']> = Extract<SchemaProblem, { readonly kind: K }>;

/** The problems of these kinds. */
export function ofKind<K extends SchemaProblem['kind']>(found: readonly SchemaProblem[], ...kinds: readonly K[]): ProblemOf<K>[] {
  if (found.length === 0) return [];
  return found.filter((problem): problem is ProblemOf<K> => kinds.some((kind) => kind === problem.kind));
}

/** What the entries of a map of plain values have to be; null counts as an empty one. */
const ENTRIES: Readonly<Partial<Record<FieldType, FieldType>>> = { 'string-map': 'string', 'quantity-map': 'quantity' };

/** What the items of a list of plain values have to be. */
const ITEMS: Readonly<Partial<Record<FieldType, FieldType>>> = { 'string-list': 'string', 'int32-list': 'int32', 'int64-list': 'int64' };

const TIME_OF_DAY = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const CHECKS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  any: () => true,
  map: isFields,
  list: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  int32: isInt32,
  // Beyond 2^53 a number of JSON is not exact any more, and no field of the API means one.
  // 9223372036854775807, the largest of all, is read as 2 ** 63.
  int64: (value) => Number.isInteger(value) && Math.abs(value as number) <= 2 ** 63,
  // Which strings are fine is a rule of its own (a percent, not a quoted number), so any string passes here.
  'int-or-percent': (value) => typeof value === 'string' || isInt32(value),
  'int-or-string': (value) => typeof value === 'string' || isInt32(value),
  quantity: isQuantity,
  time: (value) => typeof value === 'string' && TIME_OF_DAY.test(value),
  'string-map': isFields,
  'quantity-map': isFields,
  'string-list': Array.isArray,
  'int32-list': Array.isArray,
  'int64-list': Array.isArray,
};

const DESCRIPTIONS: Readonly<Record<FieldType, string>> = {
  any: 'any value',
  map: 'a map',
  list: 'a list',
  string: 'a string',
  boolean: 'true or false',
  int32: 'a whole number',
  int64: 'a whole number',
  'int-or-percent': 'a whole number or a percentage such as "25%"',
  'int-or-string': 'a whole number or a string',
  quantity: 'a quantity such as "500m" or "1Gi"',
  time: 'a time such as "2026-01-31T08:00:00Z"',
  'string-map': 'a map of strings',
  'quantity-map': 'a map of quantities',
  'string-list': 'a list of strings',
  'int32-list': 'a list of whole numbers',
  'int64-list': 'a list of whole numbers',
};

/** A type as a message names it: "a whole number". */
export function describeType(type: FieldType): string {
  return DESCRIPTIONS[type];
}

function isToken(value: unknown, { takesTokens = true }: SchemaReader): boolean {
  return takesTokens && isInstance(value);
}

/** Is there a value of another type than the field has? Tokens are not judged. */
function isMistyped(value: unknown, { type, isNeeded }: FieldSchema, reader: SchemaReader): boolean {
  if (value === undefined || (value === null && !isNeeded && (reader.takesNulls ?? true))) return false;
  return !CHECKS[type](value) && !isToken(value, reader);
}

/** The schema of a field by its name, as its reader finds it. */
function fieldOf(name: string, fields: FieldSchemas, { ignoresCase = false }: SchemaReader): FieldSchema | undefined {
  if (Object.hasOwn(fields, name)) return fields[name];
  const known = ignoresCase ? knownName(name, fields) : undefined;
  return known === undefined ? undefined : fields[known];
}

/** The name that the schema gives a field, upper and lower case apart. */
function knownName(name: string, fields: FieldSchemas): string | undefined {
  if (Object.hasOwn(fields, name)) return name;
  return Object.keys(fields).find((field) => field.toLowerCase() === name.toLowerCase());
}

function isKnown({ since, until }: FieldSchema, version: string | undefined): boolean {
  if (version === undefined) return true;
  return (since === undefined || isAtLeast(version, since)) && (until === undefined || !isAtLeast(version, until));
}

/** Does a version that knows the field do something with it? */
function isKept({ keptSince }: FieldSchema, version: string | undefined): boolean {
  if (version === undefined || keptSince === undefined) return true;
  return keptSince !== 'never' && isAtLeast(version, keptSince);
}

/** What each item of a list has to be; the version that knows the list is asked of the list alone. */
function itemSchema({ type, fields, isWhole = false, takesNulls = false }: FieldSchema): FieldSchema | undefined {
  const plain = ITEMS[type];
  if (plain) return { type: plain, isNeeded: !takesNulls };
  return fields && { type: 'map', fields, isNeeded: !takesNulls, isWhole };
}

/** What is wrong with the parts of a value that has the type of its field. */
function addPartProblems(found: SchemaProblem[], value: unknown, schema: FieldSchema, place: Place, reader: SchemaReader): void {
  const { type, fields } = schema;
  const expected = ENTRIES[type];
  if (expected && isFields(value)) {
    for (const [name, entry] of Object.entries(value)) {
      if (!isMistyped(entry, { type: expected }, reader)) continue;
      found.push({ kind: 'wrong-type', path: entryPath(pathOf(place), name), value: entry, expected });
    }
  }
  if (Array.isArray(value)) {
    const item = itemSchema(schema);
    if (!item) return;
    for (const [part, inner] of value.entries()) {
      // An item that is undefined is null in JSON.
      addProblems(found, inner ?? null, item, inside(place, part), reader);
    }
  } else if (fields && isFields(value)) {
    addFieldProblems(found, value, schema, place, reader);
  }
}

/** Has a field no parts to look into, and no version that does not know or keep it? */
function isPlain({ type, fields, since, until, keptSince }: FieldSchema): boolean {
  return fields === undefined && since === undefined && until === undefined && keptSince === undefined && !ENTRIES[type] && !ITEMS[type];
}

function addFieldProblems(
  found: SchemaProblem[],
  value: Fields,
  { fields = {}, isWhole }: FieldSchema,
  holder: Place,
  reader: SchemaReader,
): void {
  for (const part of Object.keys(value)) {
    const inner = value[part];
    if (inner === undefined) continue;
    const schema = fieldOf(part, fields, reader);
    if (schema === undefined) {
      if (isWhole) found.push({ kind: 'unknown', path: childPath(pathOf(holder), part), value: inner, known: Object.keys(fields) });
    } else if (!isPlain(schema) || isMistyped(inner, schema, reader)) {
      addProblems(found, inner, schema, inside(holder, part), reader);
    }
  }
}

function addProblems(found: SchemaProblem[], value: unknown, schema: FieldSchema, place: Place, reader: SchemaReader): void {
  const { since, until } = schema;
  if (!isKnown(schema, reader.version)) {
    if (since !== undefined && !isAtLeast(reader.version!, since)) found.push({ kind: 'too-new', path: pathOf(place), value, since });
    else found.push({ kind: 'gone', path: pathOf(place), value, until: until! });
  } else if (!isKept(schema, reader.version)) {
    found.push({ kind: 'dropped', path: pathOf(place), value, keptSince: schema.keptSince! });
  }
  if (isMistyped(value, schema, reader)) found.push({ kind: 'wrong-type', path: pathOf(place), value, expected: schema.type });
  else addPartProblems(found, value, schema, place, reader);
}

/**
 * Everything that is wrong with a value by its schema, in the order in which it stands:
 * fields of another type, unknown ones, and those that the reader's version does not know yet or any more. What is not there is no problem.
 *
 * @param path where the value stands; empty for a whole object
 */
export function schemaProblems(value: unknown, schema: FieldSchema, path: FieldPath, reader: SchemaReader = {}): SchemaProblem[] {
  const found: SchemaProblem[] = [];
  addProblems(found, value, schema, path, reader);
  return found;
}

/** What the reader sees of a value: the fields that its version knows, under the names that the schema gives them, without nulls. */
export function knownFields(value: Fields, fields: FieldSchemas, reader: SchemaReader): Fields {
  const read: Record<string, unknown> = {};
  for (const [written, inner] of Object.entries(value)) {
    const name = reader.ignoresCase ? knownName(written, fields) : written;
    const schema = name === undefined ? undefined : fieldOf(name, fields, reader);
    if (!schema || inner === null || inner === undefined || !isKnown(schema, reader.version)) continue;
    read[name!] = knownValue(inner, schema, reader);
  }
  return read;
}

function knownValue(value: unknown, { fields }: FieldSchema, reader: SchemaReader): unknown {
  if (!fields) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (isFields(item) ? knownFields(item, fields, reader) : item));
  return isFields(value) ? knownFields(value, fields, reader) : value;
}

/** A field as a message names it, with the map or list that it is an entry of: `maxSurge`, `labels[a.b]`. */
export function nameOfField({ path }: Pick<SchemaProblem, 'path'>): string {
  return fieldName(path);
}
