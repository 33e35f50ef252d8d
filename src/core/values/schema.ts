import { appendToPath, appendMapKey, getFieldName, appendLazily, resolveLazyPath } from '../manifest/field-path';
import type { FieldPath, LazyFieldPath } from '../manifest/field-path';
import { TYPE_CHECKS, MAP_ENTRY_TYPES, LIST_ITEM_TYPES, describeType } from './field-type';
import type { FieldType } from './field-type';
import { isFields, isClassInstance } from '../manifest/manifest';
import type { Fields } from '../manifest/manifest';
import { isSecretName } from '../manifest/secret-name';
import type { AllowedValues, ValueLimit } from './value-limit';
import { isAtLeast } from './versions';

/** Schema of one field. */
export interface FieldSchema {
  readonly type: FieldType;
  /** Fields of a map, or of each item of a list; other fields are ignored. @default - all content is ignored */
  readonly fields?: FieldSchemas;
  /** Whether these are all fields, so that any other is unknown. @default false */
  readonly isClosed?: boolean;
  /** Whether null counts as a value of the wrong type. @default false: null counts as omitted */
  readonly isNonNull?: boolean;
  /** Whether an item of a list may be null, which counts as an empty item. @default false */
  readonly allowsNulls?: boolean;
  /** First version of its product that knows the field; earlier ones drop it. */
  readonly since?: string;
  /** First version of its product that no longer knows the field. */
  readonly until?: string;
  /**
   * First version that keeps the field; earlier ones that know it silently drop it because a feature gate is off.
   * `never` for a gate that is off in all known versions.
   *
   * @default - every version that knows it
   */
  readonly persistedSince?: string;
  /** Values that a program may write. Only props have limits; rules report values of manifests. @default - every value of the type */
  readonly limit?: ValueLimit;
  /** What a program must write, for a message: `a map`. Only props are required, because a manifest may be a patch. @default - nothing */
  readonly required?: string;
}

/** Fields of a map by name. */
export type FieldSchemas = Readonly<Record<string, FieldSchema>>;

/** A schema for every field of a type; a field that is added without one does not compile. */
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

/** Creates the schema of a map with these relevant fields. */
export function defineMap(fields: FieldSchemas): FieldSchema {
  return { type: 'map', fields };
}

/** Creates the schema of a list of maps with these relevant fields. */
export function defineList(fields: FieldSchemas): FieldSchema {
  return { type: 'list', fields };
}

/** Returns a schema in which every other field is unknown. */
export function closeSchema(schema: FieldSchema): FieldSchema {
  return { ...schema, isClosed: true };
}

/** Returns a schema that does not allow null. */
export function requireNonNull(schema: FieldSchema): FieldSchema {
  return { ...schema, isNonNull: true };
}

/**
 * Returns the schema of a prop that only has these values.
 *
 * @param why clause about any other value: `which the API server refuses`
 */
export function limitValues(schema: FieldSchema, values: AllowedValues, why: string): FieldSchema {
  return { ...schema, limit: { ...values, why } };
}

/**
 * Returns the schema of a prop that a program must write. TypeScript requires it too, but JavaScript and casts do not.
 *
 * @param expected what to write: `a URI such as hf://Qwen/Qwen3-8B`
 */
export function requireProp(schema: FieldSchema, expected = describeType(schema.type)): FieldSchema {
  return { ...schema, required: expected };
}

/** Name, namespace, labels and annotations, which every object of the API has. */
export const METADATA = defineMap({ name: STRING, namespace: STRING, labels: STRING_MAP, annotations: STRING_MAP });

/** How a component reads an object. */
export interface SchemaReader {
  /** Version of the product whose schema it is; without one, every field is known. */
  readonly version?: string;
  /**
   * Whether case is ignored: Go's encoding/json accepts `maxunavailable` for maxUnavailable, but the API server does not. @default false
   */
  readonly ignoresCase?: boolean;
  /** Whether an instance of a class may represent a value that is not known yet: a token of an adapter. @default true */
  readonly allowsTokens?: boolean;
  /**
   * Whether null counts as omitted. A program that writes null means a value; a file with `null` leaves the field to its default. @default
   * true
   */
  readonly allowsNulls?: boolean;
}

/** A problem of one field. */
export type SchemaProblem =
  | {
      readonly kind: 'wrong-type';
      readonly path: FieldPath;
      readonly value: unknown;
      readonly expected: FieldType;
      /** Whether it is the value of a secret variable. */
      readonly isSecret?: true;
    }
  | { readonly kind: 'unknown'; readonly path: FieldPath; readonly value: unknown; readonly knownFields: readonly string[] }
  | { readonly kind: 'too-new'; readonly path: FieldPath; readonly value: unknown; readonly since: string }
  | { readonly kind: 'gone'; readonly path: FieldPath; readonly value: unknown; readonly until: string }
  | { readonly kind: 'dropped'; readonly path: FieldPath; readonly value: unknown; readonly persistedSince: string };

export type ProblemOf<K extends SchemaProblem['kind']> = Extract<SchemaProblem, { readonly kind: K }>;

/** Returns the problems of these kinds. */
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

/** Reports whether a value has another type than its field. Tokens always have the right type. */
function isMistyped(value: unknown, { type, isNonNull }: FieldSchema, reader: SchemaReader): boolean {
  if (value === undefined || (value === null && !isNonNull && (reader.allowsNulls ?? true))) return false;
  return !TYPE_CHECKS[type](value) && !isToken(value, reader);
}

/** Returns the schema of a field by its name, as its reader finds it. */
function findFieldSchema(name: string, fields: FieldSchemas, { ignoresCase = false }: SchemaReader): FieldSchema | undefined {
  if (Object.hasOwn(fields, name)) return fields[name];
  const known = ignoresCase ? findKnownName(name, fields) : undefined;
  return known === undefined ? undefined : fields[known];
}

/** Returns the name of a field in the schema, ignoring case. */
function findKnownName(name: string, fields: FieldSchemas): string | undefined {
  if (Object.hasOwn(fields, name)) return name;
  return Object.keys(fields).find((field) => field.toLowerCase() === name.toLowerCase());
}

/** Reports whether a version knows a field, also if it drops its value. */
export function isKnown({ since, until }: FieldSchema, version: string | undefined): boolean {
  if (version === undefined) return true;
  return (since === undefined || isAtLeast(version, since)) && (until === undefined || !isAtLeast(version, until));
}

/** Reports whether a version that knows the field also keeps it. */
function isPersistedBy({ persistedSince }: FieldSchema, version: string | undefined): boolean {
  if (version === undefined || persistedSince === undefined) return true;
  return persistedSince !== 'never' && isAtLeast(version, persistedSince);
}

/** Reports whether the server of a version knows a field and keeps its value. */
export function isPersisted(field: FieldSchema, version: string): boolean {
  return isKnown(field, version) && isPersistedBy(field, version);
}

/** Returns the schema of the items of a list. The versions of the list do not apply to its items. */
function getItemSchema({ type, fields, isClosed = false, allowsNulls = false }: FieldSchema): FieldSchema | undefined {
  const itemType = LIST_ITEM_TYPES[type];
  if (itemType) return { type: itemType, isNonNull: !allowsNulls };
  return fields && { type: 'map', fields, isNonNull: !allowsNulls, isClosed };
}

/** Adds the problems in the parts of a value that has the type of its field. */
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
      // An undefined item is null in JSON.
      addProblems(problems, inner ?? null, item, appendLazily(path, part), reader);
    }
  } else if (fields && isFields(value)) {
    addFieldProblems(problems, value, schema, path, reader);
  }
}

/** Reports whether a field has no parts to check, and no version that does not know or keep it. */
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

/** Marks the values of the problems from an index on as secret. */
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

/** Reports whether a value has no problem. A token is left to the full check, and so is null if it does not count as omitted. */
type ValueCheck = (value: unknown) => boolean;

const ACCEPT_ALL: ValueCheck = () => true;
const REJECT_ALL: ValueCheck = () => false;

/** Options that a check depends on, in addition to the schema. */
type CheckOptions = Required<Pick<SchemaReader, 'allowsNulls'>> & { readonly version: string | undefined };

function compileFieldsCheck({ fields, isClosed = false }: FieldSchema, reader: CheckOptions): ValueCheck {
  if (fields === undefined) return ACCEPT_ALL;
  const unknownFieldCheck = isClosed ? REJECT_ALL : ACCEPT_ALL;
  let known: ReadonlyMap<string, ValueCheck> | undefined;
  return (value) => {
    // Checks are compiled on first use, since a plan uses only a few of the many kinds of volumes.
    known ??= new Map(Object.entries(fields).map(([name, schema]) => [name, compileValueCheck(schema, reader)]));
    // Most values pass, so no list of keys is created. An inherited property that does not fit is ignored.
    for (const name in value as Fields) {
      const inner = (value as Fields)[name];
      if (inner !== undefined && !(known.get(name) ?? unknownFieldCheck)(inner) && Object.hasOwn(value as Fields, name)) return false;
    }
    return true;
  };
}

/** Reports whether all items pass a check. An undefined or missing item is null in JSON. */
function areItemsValid(items: readonly unknown[], check: ValueCheck): boolean {
  for (const item of items) if (!check(item ?? null)) return false;
  return true;
}

/** Compiles a check that passes if `addProblems` finds nothing, for a case-sensitive reader. */
function compileValueCheck(schema: FieldSchema, reader: CheckOptions): ValueCheck {
  const { type, isNonNull = false } = schema;
  if (!isKnown(schema, reader.version) || !isPersistedBy(schema, reader.version)) return REJECT_ALL;
  const allowsNull = reader.allowsNulls && !isNonNull;
  const isOfType = TYPE_CHECKS[type];
  if (isPlain(schema)) return (value) => value === undefined || (value === null ? allowsNull : isOfType(value));
  // A map is not a list; its item schema would be the map itself.
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

/** Check of each schema for the reader that used it last. */
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
 * Returns everything that is wrong with a value by its schema, in document order: fields of another type, unknown fields, and fields that
 * the reader's version does not know. A missing field is not a problem.
 *
 * @param path of the value; empty for an object itself
 */
export function findSchemaProblems(value: unknown, schema: FieldSchema, path: FieldPath, reader: SchemaReader = {}): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  // Most objects have no problem, which the compiled check finds quickly. Only the others need the full check with paths.
  if (!reader.ignoresCase && getValueCheck(schema, reader)(value)) return problems;
  addProblems(problems, value, schema, path, reader);
  return problems;
}

/** Returns what the reader sees of a value: the fields that its version knows, under their names in the schema, without nulls. */
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

/** Returns the name of a field for a message, with the map or list that it is an entry of: `maxSurge`, `labels[a.b]`. */
export function getProblemFieldName({ path }: Pick<SchemaProblem, 'path'>): string {
  return getFieldName(path);
}
