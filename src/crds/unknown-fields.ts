import { childPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { isFields } from '../core/manifest';
import type { Fields } from '../core/manifest';
import type { SchemaNode } from './schema-node';

/** A field that the API server drops. */
export interface UnknownField {
  readonly path: FieldPath;
  readonly holder: FieldPath;
  readonly field: string;
  /** The fields that the map has. */
  readonly known: readonly string[];
}

const OF_EVERY_OBJECT = ['apiVersion', 'kind', 'metadata'] as const;

function keepsAll(schema: SchemaNode): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function inFields(value: Fields, schema: SchemaNode, path: FieldPath, isObject: boolean): UnknownField[] {
  const { properties = {}, additionalProperties } = schema;
  const keeps = keepsAll(schema) || (additionalProperties !== undefined && additionalProperties !== false);
  return Object.entries(value).flatMap(([field, inner]): UnknownField[] => {
    if (isObject && OF_EVERY_OBJECT.some((name) => name === field)) return [];
    const place = childPath(path, field);
    if (Object.hasOwn(properties, field)) return unknownFields(inner, properties[field]!, place);
    if (isFields(additionalProperties)) return unknownFields(inner, additionalProperties, place);
    if (keeps) return [];
    return [{ path: place, holder: path, field, known: [...(isObject ? OF_EVERY_OBJECT : []), ...Object.keys(properties)] }];
  });
}

/**
 * The fields of a value that its schema does not know; the server drops them, and kubectl refuses the object.
 *
 * Source: apiextensions-apiserver v0.34 pkg/apiserver/schema/pruning.
 */
export function unknownFields(value: unknown, schema: SchemaNode, path: FieldPath, isRoot = false): UnknownField[] {
  if (isFields(value)) return inFields(value, schema, path, isRoot || schema['x-kubernetes-embedded-resource'] === true);
  // Below a list that ought to be something else nothing is known.
  const { items = {} } = schema;
  return Array.isArray(value) && !keepsAll(schema)
    ? value.flatMap((item: unknown, index) => unknownFields(item, items, childPath(path, index)))
    : [];
}

/** A value without the fields that its schema does not know, which is what the server judges. */
export function pruned(value: unknown, schema: SchemaNode, isRoot = false): unknown {
  const { items = {}, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (keepsAll(schema) && schema.items === undefined) return value;
    const next = value.map((item: unknown) => pruned(item, items));
    return next.some((item, index) => item !== value[index]) ? next : value;
  }
  if (!isFields(value)) return value;
  const isObject = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  const keeps = keepsAll(schema) || (additionalProperties !== undefined && additionalProperties !== false);
  const entries = Object.entries(value).flatMap(([field, inner]): [string, unknown][] => {
    if (isObject && OF_EVERY_OBJECT.some((name) => name === field)) return [[field, inner]];
    if (Object.hasOwn(properties, field)) return [[field, pruned(inner, properties[field]!)]];
    if (isFields(additionalProperties)) return [[field, pruned(inner, additionalProperties)]];
    return keeps ? [[field, inner]] : [];
  });
  const isSame = entries.length === Object.keys(value).length && entries.every(([field, inner]) => inner === value[field]);
  return isSame ? value : Object.fromEntries(entries);
}
