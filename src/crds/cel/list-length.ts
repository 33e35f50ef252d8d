import { valueSchemaOf } from '../schema-node';
import type { SchemaNode } from '../schema-node';

/** Maximum size of a request in bytes. Source: apiserver v0.34 pkg/apis/cel/config.go, `MaxRequestSizeBytes`. */
const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** Smallest size of a value in JSON, in bytes. Source: apiserver v0.34 pkg/cel/limits.go. */
const MIN_SIZES: Readonly<Record<string, number>> = { integer: 1, number: 1, boolean: 4, string: 2, array: 2 };

/** Levels of a schema below which the size of required fields is not added up. */
const MAX_SCHEMA_LEVELS = 20;

/** Returns an upper limit of the smallest size of a value in JSON, in bytes. */
function minSizeOf(schema: SchemaNode | undefined, level = 0): number {
  if (!schema) return Infinity;
  if (schema.type === 'string' && schema.format !== undefined) return 21;
  const type = schema.type ?? '';
  if (type !== 'object') return Object.hasOwn(MIN_SIZES, type) ? MIN_SIZES[type]! : Infinity;
  if (level > MAX_SCHEMA_LEVELS) return Infinity;
  return (schema.required ?? []).reduce(
    (sum, name) => sum + Buffer.byteLength(name ?? '') + 4 + minSizeOf(schema.properties?.[name ?? ''], level + 1),
    2,
  );
}

/** Returns the largest number of items or entries that a schema allows in one request; 0 if it is not known. */
export function maxItemsOf(schema: SchemaNode | undefined): number {
  if (schema?.items) return schema.maxItems ?? Math.floor((MAX_REQUEST_BYTES - 2) / (minSizeOf(schema.items) + 1));
  const values = schema && valueSchemaOf(schema);
  return values ? (schema.maxProperties ?? Math.floor((MAX_REQUEST_BYTES - 2) / (minSizeOf(values) + 6))) : 0;
}
