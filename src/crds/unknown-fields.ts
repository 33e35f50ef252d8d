import { ROOT_PATH, appendToPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { isFields } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { CrdRegistry } from './crd-registry';
import type { SchemaNode } from './schema-node';

/** A field that the API server drops. */
export interface UnknownField {
  readonly path: FieldPath;
  readonly parentPath: FieldPath;
  readonly field: string;
  /** Fields that the map can have. */
  readonly knownFields: readonly string[];
}

const STANDARD_FIELDS = ['apiVersion', 'kind', 'metadata'] as const;

/** The names of the fields of each map of a schema. One list for thousands of errors. */
const FIELD_NAMES = new WeakMap<object, readonly string[]>();

function listFieldNames(properties: Readonly<Record<string, SchemaNode>>): readonly string[] {
  const names = FIELD_NAMES.get(properties) ?? Object.keys(properties);
  FIELD_NAMES.set(properties, names);
  return names;
}

function hasPreserveUnknownFields(schema: SchemaNode): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function findInFields(value: Fields, schema: SchemaNode, path: FieldPath, isObject: boolean): UnknownField[] {
  const { properties = {}, additionalProperties } = schema;
  const preservesUnknown = hasPreserveUnknownFields(schema) || (additionalProperties !== undefined && additionalProperties !== false);
  let knownFields: readonly string[] | undefined;
  return Object.entries(value).flatMap(([field, inner]): UnknownField[] => {
    if (isObject && STANDARD_FIELDS.some((name) => name === field)) return [];
    const fieldPath = appendToPath(path, field);
    if (Object.hasOwn(properties, field)) return findUnknownFields(inner, properties[field]!, fieldPath);
    if (isFields(additionalProperties)) return findUnknownFields(inner, additionalProperties, fieldPath);
    if (preservesUnknown) return [];
    knownFields ??= isObject ? [...STANDARD_FIELDS, ...listFieldNames(properties)] : listFieldNames(properties);
    return [{ path: fieldPath, parentPath: path, field, knownFields }];
  });
}

/**
 * Returns the fields of a value that its schema does not know. The server drops them, and kubectl refuses the object.
 *
 * Source: apiextensions-apiserver v0.34 pkg/apiserver/schema/pruning.
 */
export function findUnknownFields(value: unknown, schema: SchemaNode, path: FieldPath, isRoot = false): UnknownField[] {
  if (isFields(value)) return findInFields(value, schema, path, isRoot || schema['x-kubernetes-embedded-resource'] === true);
  // Below a list of the wrong type, no field is known.
  const { items = {} } = schema;
  return Array.isArray(value) && !hasPreserveUnknownFields(schema)
    ? value.flatMap((item: unknown, index) => findUnknownFields(item, items, appendToPath(path, index)))
    : [];
}

/** Lists the fields of an object that its CRD does not know; undefined if no CRD defines its kind. */
export function listPrunedFields(object: Manifest, definitions: CrdRegistry): readonly FieldPath[] | undefined {
  if (!definitions.definesKind(object)) return undefined;
  const schema = definitions.get(object)?.schema;
  return schema ? findUnknownFields(object, schema, ROOT_PATH, true).map(({ path }) => path) : [];
}

/** Returns a value without the fields that its schema does not know, as the server validates it. */
export function pruneUnknownFields(value: unknown, schema: SchemaNode, isRoot = false): unknown {
  const { items = {}, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (hasPreserveUnknownFields(schema) && schema.items === undefined) return value;
    const next = value.map((item: unknown) => pruneUnknownFields(item, items));
    return next.some((item, index) => item !== value[index]) ? next : value;
  }
  if (!isFields(value)) return value;
  const isObject = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  const preservesUnknown = hasPreserveUnknownFields(schema) || (additionalProperties !== undefined && additionalProperties !== false);
  const entries = Object.entries(value).flatMap(([field, inner]): [string, unknown][] => {
    if (isObject && STANDARD_FIELDS.some((name) => name === field)) return [[field, inner]];
    if (Object.hasOwn(properties, field)) return [[field, pruneUnknownFields(inner, properties[field]!)]];
    if (isFields(additionalProperties)) return [[field, pruneUnknownFields(inner, additionalProperties)]];
    return preservesUnknown ? [[field, inner]] : [];
  });
  const isSame = entries.length === Object.keys(value).length && entries.every(([field, inner]) => inner === value[field]);
  return isSame ? value : Object.fromEntries(entries);
}
