import { isDeepEqual } from '../core/collections/deep-equal';
import { memoize } from '../core/collections/memoize';
import type { PathPart } from '../core/manifest/field-path';
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
 * A value, the old value that it corresponds to, and their schema. Each of thousands of errors may be in the same list, so both values are compared
 * once, and the items of a list are matched once.
 */
export class CorrelatedValue {
  private readonly isEqual = memoize(() => this.old !== undefined && isDeepEqual(this.value, this.old));
  private readonly oldItems = memoize(() => (this.schema ? findOldItems(this.value as readonly unknown[], this.old, this.schema) : []));
  private readonly children = new Map<PathPart, CorrelatedValue>();

  constructor(
    private readonly value: unknown,
    private readonly old: unknown,
    private readonly schema: SchemaNode | undefined,
  ) {}

  /** Reports whether the value at a path, or a value that contains it, is unchanged. The server then accepts it, whatever it violates. */
  isUnchangedAt([part, ...rest]: readonly PathPart[]): boolean {
    if (this.isEqual()) return true;
    return part !== undefined && this.old !== undefined && this.schema !== undefined && this.childAt(part).isUnchangedAt(rest);
  }

  private childAt(part: PathPart): CorrelatedValue {
    const child = this.children.get(part) ?? this.createChild(part);
    this.children.set(part, child);
    return child;
  }

  private createChild(part: PathPart): CorrelatedValue {
    const { value, old, schema } = this;
    if (Array.isArray(value)) return new CorrelatedValue(value[Number(part)], this.oldItems()[Number(part)], schema?.items);
    const name = String(part);
    const [now, before] = isFields(value) && isFields(old) ? [getOwnValue(value, name), getOwnValue(old, name)] : [];
    return new CorrelatedValue(now, before, schema && fieldSchemaOf(schema, name));
  }
}
