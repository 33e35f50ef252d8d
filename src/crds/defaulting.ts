import { isFields, getOwnValue } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { fieldSchemaOf } from './schema-node';
import type { SchemaNode } from './schema-node';
import type { ValidationClock } from './validation-clock';

function isDropped(value: unknown, schema: SchemaNode | undefined): boolean {
  return value === null && schema !== undefined && schema.nullable !== true && schema.default === undefined;
}

function shouldDefault(value: unknown, { nullable, default: defaultValue }: SchemaNode): boolean {
  if (defaultValue === undefined || defaultValue === null) return false;
  return value === undefined || (value === null && nullable !== true);
}

function applyFieldDefaults(fields: Fields, schema: SchemaNode, clock: ValidationClock | undefined): Fields {
  const missing = Object.entries(schema.properties ?? {}).filter(([name, own]) => shouldDefault(getOwnValue(fields, name), own));
  clock?.tick(Object.keys(schema.properties ?? {}).length);
  clock?.addDefaults(missing.length);
  let isChanged = missing.length > 0;
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields)) {
    const own = fieldSchemaOf(schema, name);
    if (isDropped(value, own)) {
      isChanged = true;
      continue;
    }
    const next = own ? applySchemaDefaults(value, own, clock) : value;
    if (next !== value) isChanged = true;
    entries.push([name, next]);
  }
  if (!isChanged) return fields;
  return {
    ...Object.fromEntries(entries),
    ...Object.fromEntries(missing.map(([name, own]) => [name, applySchemaDefaults(own.default, own, clock)])),
  };
}

/**
 * Returns a value as the API server stores it: without nulls that are not allowed, and with defaults filled in.
 *
 * Source: apiextensions-apiserver v0.34 pkg/apiserver/schema/defaulting, `PruneNonNullableNullsWithoutDefaults` and `Default`.
 */
export function applySchemaDefaults(value: unknown, schema: SchemaNode, clock?: ValidationClock): unknown {
  if (isFields(value)) return applyFieldDefaults(value, schema, clock);
  const { items } = schema;
  if (!Array.isArray(value) || !items) return value;
  const next = value.map((item: unknown) => applySchemaDefaults(item, items, clock));
  return next.some((item, index) => item !== value[index]) ? next : value;
}
