import { isFields, ownValue } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { fieldOf } from './schema-node';
import type { SchemaNode } from './schema-node';

function isDropped(value: unknown, schema: SchemaNode | undefined): boolean {
  return value === null && schema !== undefined && schema.nullable !== true && schema.default === undefined;
}

function takesDefault(value: unknown, { nullable, default: standard }: SchemaNode): boolean {
  if (standard === undefined || standard === null) return false;
  return value === undefined || (value === null && nullable !== true);
}

function defaultedFields(fields: Fields, schema: SchemaNode): Fields {
  const missing = Object.entries(schema.properties ?? {}).filter(([name, own]) => takesDefault(ownValue(fields, name), own));
  let isChanged = missing.length > 0;
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields)) {
    const own = fieldOf(schema, name);
    if (isDropped(value, own)) {
      isChanged = true;
      continue;
    }
    const next = own ? defaulted(value, own) : value;
    if (next !== value) isChanged = true;
    kept.push([name, next]);
  }
  if (!isChanged) return fields;
  return { ...Object.fromEntries(kept), ...Object.fromEntries(missing.map(([name, own]) => [name, defaulted(own.default, own)])) };
}

/**
 * A value as the API server stores it: nulls that may not be are dropped, and defaults filled in.
 *
 * Source: apiextensions-apiserver v0.34 pkg/apiserver/schema/defaulting, `PruneNonNullableNullsWithoutDefaults` and `Default`.
 */
export function defaulted(value: unknown, schema: SchemaNode): unknown {
  if (isFields(value)) return defaultedFields(value, schema);
  const { items } = schema;
  if (!Array.isArray(value) || !items) return value;
  const next = value.map((item: unknown) => defaulted(item, items));
  return next.some((item, index) => item !== value[index]) ? next : value;
}
