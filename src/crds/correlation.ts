import { isDeepEqual } from '../core/collections/deep-equal';
import { parseFieldPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { isFields, getOwnValue } from '../core/manifest/manifest';
import { fieldSchemaOf } from './schema-node';
import type { SchemaNode } from './schema-node';

/*
 * Correlation of the parts of an object with those of the old object. Source: apiextensions-apiserver v0.34
 * pkg/apiserver/validation/ratcheting.go and apiserver pkg/cel/common/equality.go, `CorrelatedObject`.
 */

/**
 * Returns the old value of each item of a list. Items of a map-like list are matched by their keys; items of other lists have no old value.
 */
export function findOldItems(items: readonly unknown[], old: unknown, schema: SchemaNode): readonly unknown[] {
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (item: unknown) => {
    const values = isFields(item) ? keys.map((key) => getOwnValue(item, key)) : [undefined];
    return values.includes(undefined) ? undefined : JSON.stringify(values);
  };
  const oldItems = new Map(old.map((item: unknown) => [keyOf(item), item]));
  oldItems.delete(undefined);
  return items.map((item) => oldItems.get(keyOf(item)));
}

/**
 * Reports whether the value at a path, or a value that contains it, is unchanged. The server then accepts it, whatever it violates.
 *
 * @param path - relative to the given values
 */
export function isUnchanged(value: unknown, old: unknown, schema: SchemaNode | undefined, path: FieldPath): boolean {
  let [now, before, node]: [unknown, unknown, SchemaNode | undefined] = [value, old, schema];
  for (const part of parseFieldPath(path)) {
    if (before === undefined || node === undefined) return false;
    if (isDeepEqual(now, before)) return true;
    if (Array.isArray(now)) {
      const index = Number(part);
      before = findOldItems(now, before, node)[index];
      now = now[index];
      node = node.items;
      continue;
    }
    if (!isFields(now) || !isFields(before)) return false;
    now = getOwnValue(now, String(part));
    before = getOwnValue(before, String(part));
    node = fieldSchemaOf(node, String(part));
  }
  return before !== undefined && isDeepEqual(now, before);
}
