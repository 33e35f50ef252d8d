import { appendToPath, appendMapKey, getFieldName } from './field-path';
import type { FieldPath } from './field-path';
import { TYPE_CHECKS, MAP_ENTRY_TYPES, LIST_ITEM_TYPES } from './field-type';
import type { FieldType } from './field-type';
import { isFields, isClassInstance } from './manifest';
import type { Fields } from './manifest';
import { appendLazily, resolveLazyPath } from './lazy-field-path';
import type { LazyFieldPath } from './lazy-field-path';
import { isSecretName } from './secret-name';
import { isAtLeast } from './versions';

/** What is known of one field. */
export interface FieldSchema {
  readonly type: FieldType;
  /** The fields of a map, or of each item of a list; what is not listed passes. @default - whatever stands in it passes */
  readonly fields?: FieldSchemas;
  /** Are these all the fields that there are, so that any other is unknown? @default false */
  readonly isClosed?: boolean;
  /** Does null count as a value of another type? @default false: null counts as left out */
  readonly isNonNull?: boolean;
  /** May an item of a list be null, which is an empty one then? @default false */
  readonly allowsNulls?: boolean;
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
  readonly persistedSince?: string;
}

/** The fields of a map by name. */
export type FieldSchemas = Readonly<Record<string, FieldSchema>>;

/** A schema for every field of a type, so that a field that is added without one does not compile. */
export type SchemasFor<T> = Readonly<Record<keyof T, FieldSchema>>;

export const ANY: FieldSchema = { type: 'any' };
export const STRING: FieldSchema = { type: 'string' };
export const BOOLEAN: FieldSchema = { type: 'boolean' };
export const INT32: FieldSchema = { type: 'int32' };
export const INT64: FieldSchema = { type: 'int64' };
export const INT_OR_PERCENT: FieldSchema = { type: 'int-or-percent' };
export const STRING_LIST: FieldSchema = { type: 'string-list' };
export const STRING_MAP: FieldSchema = { type: 'string-map' };
export const MAP: FieldSchema = { type: 'map' };
export const LIST: FieldSchema = { type: 'list' };

/** A map of which these fields matter. */
export function defineMap(fields: FieldSchemas): FieldSchema {
  return { type: 'map', fields };
}

/** A list of maps of which these fields matter. */
export function defineList(fields: FieldSchemas): FieldSchema {
  return { type: 'list', fields };
}

/** The same with no other field known in it. */
export function closeSchema(schema: FieldSchema): FieldSchema {
  return { ...schema, isClosed: true };
}

/** The same where null will not do. */
export function requireNonNull(schema: FieldSchema): FieldSchema {
  return { ...schema, isNonNull: true };
}

/** Name, namespace, labels and annotations, which every object of the API has. */
export const METADATA = defineMap({ name: STRING, namespace: STRING, labels: STRING_MAP, annotations: STRING_MAP });

/** Who reads an object, and how. */
export interface SchemaReader {
  /** Of the product whose schema it is; every `since` and `until` holds without one. */
  readonly version?: string;
  /** Go's encoding/json finds `maxunavailable` for maxUnavailable; the API server does not. @default false */
  readonly ignoresCase?: boolean;
  /** May an instance of a class stand for a value that is not known yet: a token of an adapter? @default true */
  readonly allowsTokens?: boolean;
  /** Does null count as left out? A program that writes null means a value; a file that says `null` leaves the field to its default. @default true */
  readonly allowsNulls?: boolean;
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
  | { readonly kind: 'unknown'; readonly path: FieldPath; readonly value: unknown; readonly knownFields: readonly string[] }
  | { readonly kind: 'too-new'; readonly path: FieldPath; readonly value: unknown; readonly since: string }
  | { readonly kind: 'gone'; readonly path: FieldPath; readonly value: unknown; readonly until: string }
  | { readonly kind: 'dropped'; readonly path: FieldPath; readonly value: unknown; readonly persistedSince: string };

export type ProblemOf<K extends SchemaProblem['kind']> = Extract<SchemaProblem, { readonly kind: K }>;

/** The problems of these kinds. */
export function filterProblems<K extends SchemaProblem['kind']>(
  problems: readonly SchemaProblem[],
  ...kinds: readonly K[]
): ProblemOf<K>[] {
  if (problems.length === 0) return [];
  return problems.filter((problem): problem is ProblemOf<K> => kinds.some((kind) => kind === problem.kind));
}

function isToken(value: unknown, { allowsTokens = true }: SchemaReader): boolean {
  return allowsTokens && isClassInstance(value);
}

/** Is there a value of another type than the field has? Tokens are not judged. */
function isMistyped(value: unknown, { type, isNonNull }: FieldSchema, reader: SchemaReader): boolean {
  if (value === undefined || (value === null && !isNonNull && (reader.allowsNulls ?? true))) return false;
  return !TYPE_CHECKS[type](value) && !isToken(value, reader);
}

/** The schema of a field by its name, as its reader finds it. */
function findFieldSchema(name: string, fields: FieldSchemas, { ignoresCase = false }: SchemaReader): FieldSchema | undefined {
  if (Object.hasOwn(fields, name)) return fields[name];
  const known = ignoresCase ? findKnownName(name, fields) : undefined;
  return known === undefined ? undefined : fields[known];
}

/** The name that the schema gives a field, upper and lower case apart. */
function findKnownName(name: string, fields: FieldSchemas): string | undefined {
  if (Object.hasOwn(fields, name)) return name;
  return Object.keys(fields).find((field) => field.toLowerCase() === name.toLowerCase());
}

function isKnown({ since, until }: FieldSchema, version: string | undefined): boolean {
  if (version === undefined) return true;
  return (since === undefined || isAtLeast(version, since)) && (until === undefined || !isAtLeast(version, until));
}

/** Does a version that knows the field do something with it? */
function isPersistedBy({ persistedSince }: FieldSchema, version: string | undefined): boolean {
  if (version === undefined || persistedSince === undefined) return true;
  return persistedSince !== 'never' && isAtLeast(version, persistedSince);
}

/** Does the server of a version know a field, and keep what is written there? */
export function isPersisted(field: FieldSchema, version: string): boolean {
  return isKnown(field, version) && isPersistedBy(field, version);
}

/** What each item of a list has to be; the version that knows the list is asked of the list alone. */
function getItemSchema({ type, fields, isClosed = false, allowsNulls = false }: FieldSchema): FieldSchema | undefined {
  const plain = LIST_ITEM_TYPES[type];
  if (plain) return { type: plain, isNonNull: !allowsNulls };
  return fields && { type: 'map', fields, isNonNull: !allowsNulls, isClosed };
}

/** What is wrong with the parts of a value that has the type of its field. */
function addPartProblems(problems: SchemaProblem[], value: unknown, schema: FieldSchema, path: LazyFieldPath, reader: SchemaReader): void {
  const { type, fields } = schema;
  const expected = MAP_ENTRY_TYPES[type];
  if (expected && isFields(value)) {
    for (const [name, entry] of Object.entries(value)) {
      if (!isMistyped(entry, { type: expected }, reader)) continue;
      problems.push({ kind: 'wrong-type', path: appendMapKey(resolveLazyPath(path), name), value: entry, expected });
    }
  }
  if (Array.isArray(value)) {
    const item = getItemSchema(schema);
    if (!item) return;
    for (const [part, inner] of value.entries()) {
      // An item that is undefined is null in JSON.
      addProblems(problems, inner ?? null, item, appendLazily(path, part), reader);
    }
  } else if (fields && isFields(value)) {
    addFieldProblems(problems, value, schema, path, reader);
  }
}

/** Has a field no parts to look into, and no version that does not know or keep it? */
function isPlain({ type, fields, since, until, persistedSince }: FieldSchema): boolean {
  return (
    fields === undefined &&
    since === undefined &&
    until === undefined &&
    persistedSince === undefined &&
    !MAP_ENTRY_TYPES[type] &&
    !LIST_ITEM_TYPES[type]
  );
}

function addFieldProblems(
  problems: SchemaProblem[],
  value: Fields,
  { fields = {}, isClosed }: FieldSchema,
  parent: LazyFieldPath,
  reader: SchemaReader,
): void {
  for (const part of Object.keys(value)) {
    const inner = value[part];
    if (inner === undefined) continue;
    const schema = findFieldSchema(part, fields, reader);
    if (schema === undefined) {
      if (isClosed)
        problems.push({
          kind: 'unknown',
          path: appendToPath(resolveLazyPath(parent), part),
          value: inner,
          knownFields: Object.keys(fields),
        });
    } else if (!isPlain(schema) || isMistyped(inner, schema, reader)) {
      const first = problems.length;
      addProblems(problems, inner, schema, appendLazily(parent, part), reader);
      if (part === 'value' && problems.length > first && isSecretName(value.name)) markSecret(problems, first);
    }
  }
}

/** Marks the values of the problems from there on as ones that nobody is to read. */
function markSecret(problems: SchemaProblem[], first: number): void {
  for (const [index, problem] of problems.entries()) {
    if (index >= first && problem.kind === 'wrong-type') problems[index] = { ...problem, isSecret: true };
  }
}

function addProblems(problems: SchemaProblem[], value: unknown, schema: FieldSchema, path: LazyFieldPath, reader: SchemaReader): void {
  const { since, until } = schema;
  if (!isKnown(schema, reader.version)) {
    if (since !== undefined && !isAtLeast(reader.version!, since))
      problems.push({ kind: 'too-new', path: resolveLazyPath(path), value, since });
    else problems.push({ kind: 'gone', path: resolveLazyPath(path), value, until: until! });
  } else if (!isPersistedBy(schema, reader.version)) {
    problems.push({ kind: 'dropped', path: resolveLazyPath(path), value, persistedSince: schema.persistedSince! });
  }
  if (isMistyped(value, schema, reader)) problems.push({ kind: 'wrong-type', path: resolveLazyPath(path), value, expected: schema.type });
  else addPartProblems(problems, value, schema, path, reader);
}

/** Is there nothing wrong with a value? A token is left to the walker, and so is null where it does not count as left out. */
type ValueCheck = (value: unknown) => boolean;

const ACCEPT_ALL: ValueCheck = () => true;
const REJECT_ALL: ValueCheck = () => false;

/** What a fit depends on beside the schema. */
type CheckOptions = Required<Pick<SchemaReader, 'allowsNulls'>> & { readonly version: string | undefined };

function compileFieldsCheck({ fields, isClosed = false }: FieldSchema, reader: CheckOptions): ValueCheck {
  if (fields === undefined) return ACCEPT_ALL;
  const others = isClosed ? REJECT_ALL : ACCEPT_ALL;
  let known: ReadonlyMap<string, ValueCheck> | undefined;
  return (value) => {
    // Made when they are first asked for, since of the many kinds of volumes a plan meets few.
    known ??= new Map(Object.entries(fields).map(([name, schema]) => [name, compileValueCheck(schema, reader)]));
    // No list of the keys is made, since most of what is read passes here; what is not the map's own is passed over where it does not fit.
    for (const name in value as Fields) {
      const inner = (value as Fields)[name];
      if (inner !== undefined && !(known.get(name) ?? others)(inner) && Object.hasOwn(value as Fields, name)) return false;
    }
    return true;
  };
}

/** An item that is undefined, or not there, is null in JSON. */
function areItemsValid(items: readonly unknown[], check: ValueCheck): boolean {
  for (const item of items) if (!check(item ?? null)) return false;
  return true;
}

/** What `addProblems` finds nothing in, for a reader that tells upper from lower case. */
function compileValueCheck(schema: FieldSchema, reader: CheckOptions): ValueCheck {
  const { type, isNonNull = false } = schema;
  if (!isKnown(schema, reader.version) || !isPersistedBy(schema, reader.version)) return REJECT_ALL;
  const allowsNull = reader.allowsNulls && !isNonNull;
  const isOfType = TYPE_CHECKS[type];
  if (isPlain(schema)) return (value) => value === undefined || (value === null ? allowsNull : isOfType(value));
  // A map is no list, and what its items would be is itself.
  const item = type === 'map' ? undefined : getItemSchema(schema);
  const checkItem = item && compileValueCheck(item, reader);
  const entry = MAP_ENTRY_TYPES[type];
  const checkEntry = entry && compileValueCheck({ type: entry }, reader);
  const checkFields = compileFieldsCheck(schema, reader);
  return (value) => {
    if (value === undefined || value === null) return value === undefined || allowsNull;
    if (!isOfType(value)) return false;
    if (Array.isArray(value)) return checkItem === undefined || areItemsValid(value, checkItem);
    if (!isFields(value)) return true;
    return (checkEntry === undefined || Object.values(value).every(checkEntry)) && checkFields(value);
  };
}

interface CachedCheck {
  readonly reader: CheckOptions;
  readonly check: ValueCheck;
}

/** Of each schema the fit for the reader that last asked. */
const CHECK_CACHE = new WeakMap<FieldSchema, CachedCheck>();

function getValueCheck(schema: FieldSchema, { version, allowsNulls = true }: SchemaReader): ValueCheck {
  const known = CHECK_CACHE.get(schema);
  if (known && known.reader.version === version && known.reader.allowsNulls === allowsNulls) return known.check;
  const reader: CheckOptions = { version, allowsNulls };
  const check = compileValueCheck(schema, reader);
  CHECK_CACHE.set(schema, { reader, check });
  return check;
}

/**
 * Everything that is wrong with a value by its schema, in the order in which it stands:
 * fields of another type, unknown ones, and those that the reader's version does not know yet or any more. What is not there is no problem.
 *
 * @param path where the value stands; empty for a whole object
 */
export function findSchemaProblems(value: unknown, schema: FieldSchema, path: FieldPath, reader: SchemaReader = {}): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  // Most objects are right, which is quickly seen; what is wrong with the others, and where, takes a walk.
  if (!reader.ignoresCase && getValueCheck(schema, reader)(value)) return problems;
  addProblems(problems, value, schema, path, reader);
  return problems;
}

/** What the reader sees of a value: the fields that its version knows, under the names that the schema gives them, without nulls. */
export function pickKnownFields(value: Fields, fields: FieldSchemas, reader: SchemaReader): Fields {
  const read: Record<string, unknown> = {};
  for (const [writtenName, inner] of Object.entries(value)) {
    const name = reader.ignoresCase ? findKnownName(writtenName, fields) : writtenName;
    const schema = name === undefined ? undefined : findFieldSchema(name, fields, reader);
    if (!schema || inner === null || inner === undefined || !isKnown(schema, reader.version)) continue;
    read[name!] = pickKnownValue(inner, schema, reader);
  }
  return read;
}

function pickKnownValue(value: unknown, { fields }: FieldSchema, reader: SchemaReader): unknown {
  if (!fields) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (isFields(item) ? pickKnownFields(item, fields, reader) : item));
  return isFields(value) ? pickKnownFields(value, fields, reader) : value;
}

/** A field as a message names it, with the map or list that it is an entry of: `maxSurge`, `labels[a.b]`. */
export function getProblemFieldName({ path }: Pick<SchemaProblem, 'path'>): string {
  return getFieldName(path);
}
