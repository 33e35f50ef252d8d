import { childPath, entryPath, fieldName } from './field-path';
import type { FieldPath } from './field-path';
import { CHECKS, ENTRIES, ITEMS } from './field-type';
import type { FieldType } from './field-type';
import { isFields, isInstance } from './manifest';
import type { Fields } from './manifest';
import { inside, pathOf } from './place';
import type { Place } from './place';
import { isSecretName } from './secret-name';
import { isAtLeast } from './versions';

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
  | {
      readonly kind: 'wrong-type';
      readonly path: FieldPath;
      readonly value: unknown;
      readonly expected: FieldType;
      /** Is it the value of a variable that nobody is to read? */
      readonly isSecret?: true;
    }
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

/** Does the server of a version know a field, and keep what is written there? */
export function isStored(field: FieldSchema, version: string): boolean {
  return isKnown(field, version) && isKept(field, version);
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
      const first = found.length;
      addProblems(found, inner, schema, inside(holder, part), reader);
      if (part === 'value' && found.length > first && isSecretName(value.name)) keepBack(found, first);
    }
  }
}

/** Marks the values of the problems from there on as ones that nobody is to read. */
function keepBack(found: SchemaProblem[], first: number): void {
  for (const [index, problem] of found.entries()) {
    if (index >= first && problem.kind === 'wrong-type') found[index] = { ...problem, isSecret: true };
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

/** Is there nothing wrong with a value? A token is left to the walker, and so is null where it does not count as left out. */
type Fits = (value: unknown) => boolean;

const ANYTHING: Fits = () => true;
const NOTHING: Fits = () => false;

/** What a fit depends on beside the schema. */
type FitReader = Required<Pick<SchemaReader, 'takesNulls'>> & { readonly version: string | undefined };

function fieldsFit({ fields, isWhole = false }: FieldSchema, reader: FitReader): Fits {
  if (fields === undefined) return ANYTHING;
  const others = isWhole ? NOTHING : ANYTHING;
  let known: ReadonlyMap<string, Fits> | undefined;
  return (value) => {
    // Made when they are first asked for, since of the many kinds of volumes a plan meets few.
    known ??= new Map(Object.entries(fields).map(([name, schema]) => [name, fitOf(schema, reader)]));
    // No list of the keys is made, since most of what is read passes here; what is not the map's own is passed over where it does not fit.
    for (const name in value as Fields) {
      const inner = (value as Fields)[name];
      if (inner !== undefined && !(known.get(name) ?? others)(inner) && Object.hasOwn(value as Fields, name)) return false;
    }
    return true;
  };
}

/** An item that is undefined, or not there, is null in JSON. */
function itemsFit(items: readonly unknown[], fits: Fits): boolean {
  for (const item of items) if (!fits(item ?? null)) return false;
  return true;
}

/** What `addProblems` finds nothing in, for a reader that tells upper from lower case. */
function fitOf(schema: FieldSchema, reader: FitReader): Fits {
  const { type, isNeeded = false } = schema;
  if (!isKnown(schema, reader.version) || !isKept(schema, reader.version)) return NOTHING;
  const nullFits = reader.takesNulls && !isNeeded;
  const isOfType = CHECKS[type];
  if (isPlain(schema)) return (value) => value === undefined || (value === null ? nullFits : isOfType(value));
  // A map is no list, and what its items would be is itself.
  const item = type === 'map' ? undefined : itemSchema(schema);
  const itemFits = item && fitOf(item, reader);
  const entry = ENTRIES[type];
  const entryFits = entry && fitOf({ type: entry }, reader);
  const fit = fieldsFit(schema, reader);
  return (value) => {
    if (value === undefined || value === null) return value === undefined || nullFits;
    if (!isOfType(value)) return false;
    if (Array.isArray(value)) return itemFits === undefined || itemsFit(value, itemFits);
    if (!isFields(value)) return true;
    return (entryFits === undefined || Object.values(value).every(entryFits)) && fit(value);
  };
}

interface KnownFit {
  readonly reader: FitReader;
  readonly fits: Fits;
}

/** Of each schema the fit for the reader that last asked. */
const FITS = new WeakMap<FieldSchema, KnownFit>();

function fitFor(schema: FieldSchema, { version, takesNulls = true }: SchemaReader): Fits {
  const known = FITS.get(schema);
  if (known && known.reader.version === version && known.reader.takesNulls === takesNulls) return known.fits;
  const reader: FitReader = { version, takesNulls };
  const fits = fitOf(schema, reader);
  FITS.set(schema, { reader, fits });
  return fits;
}

/**
 * Everything that is wrong with a value by its schema, in the order in which it stands:
 * fields of another type, unknown ones, and those that the reader's version does not know yet or any more. What is not there is no problem.
 *
 * @param path where the value stands; empty for a whole object
 */
export function schemaProblems(value: unknown, schema: FieldSchema, path: FieldPath, reader: SchemaReader = {}): SchemaProblem[] {
  const found: SchemaProblem[] = [];
  // Most objects are right, which is quickly seen; what is wrong with the others, and where, takes a walk.
  if (!reader.ignoresCase && fitFor(schema, reader)(value)) return found;
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
