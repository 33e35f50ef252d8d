import type * as Re2 from 're2js';
import { deepEqual } from '../core/deep-equal';
import { childPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { isFields, ownValue } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { seen } from '../core/seen';
import type { Constraint, Fault, FaultType } from './fault';
import { fitsFormat } from './formats';
import { fieldOf } from './schema-node';
import type { SchemaNode } from './schema-node';

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isFields,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => typeof value === 'number' && Number.isInteger(value),
  number: (value) => typeof value === 'number',
};

/** The patterns of schemas as Go reads them, kept by whoever asks for many values; undefined where it reads none. */
export type Patterns = Map<string, Re2.RE2JS | undefined>;

/** A pattern that Go can't read fits everything: no server would have taken the CRD. */
function compiled(pattern: string): Re2.RE2JS | undefined {
  const { RE2JS } = require('re2js') as typeof Re2;
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

/** Characters as Go counts them. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** A structural schema held against one value, and all below it. */
class Validation {
  readonly faults: Fault[] = [];

  constructor(private readonly patterns: Patterns) {}

  private fits(value: string, pattern: string): boolean {
    if (!this.patterns.has(pattern)) this.patterns.set(pattern, compiled(pattern));
    return this.patterns.get(pattern)?.test(value) ?? true;
  }

  private add(path: FieldPath, type: FaultType, constraint: Constraint, value: unknown): void {
    this.faults.push({ path, type, constraint, value: seen(value) });
  }

  value(value: unknown, schema: SchemaNode, path: FieldPath): void {
    if (value === null) {
      if (schema.nullable !== true && (schema.type !== undefined || schema['x-kubernetes-int-or-string'])) {
        this.add(path, 'FieldValueTypeInvalid', { kind: 'type', wanted: schema.type ?? 'integer or string' }, value);
      }
      return;
    }
    this.enumeration(value, schema, path);
    if (!this.fitsType(value, schema, path)) {
      if (typeof value === 'number') this.number(value, schema, path);
      return;
    }
    this.constraints(value, schema, path);
    this.composed(value, schema, path);
    if (isFields(value)) this.fields(value, schema, path);
    else if (Array.isArray(value)) this.items(value, schema, path);
  }

  private fitsType(value: unknown, schema: SchemaNode, path: FieldPath): boolean {
    const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
    const wanted = isIntOrString ? 'integer or string' : schema.type;
    if (wanted === undefined || wanted === '') return true;
    // The server asks the format alone of a text, and lets a list pass there.
    const isFormatted = schema.format !== undefined && schema.format !== '' && wanted === 'string' && Array.isArray(value);
    if (isFormatted) return true;
    const fits = isIntOrString ? TYPES.integer!(value) || TYPES.string!(value) : (ownValue(TYPES, wanted)?.(value) ?? true);
    if (!fits) this.add(path, 'FieldValueTypeInvalid', { kind: 'type', wanted }, value);
    return fits;
  }

  private limit(
    path: FieldPath,
    value: unknown,
    keyword: keyof SchemaNode & string,
    limit: number,
    type: FaultType = 'FieldValueInvalid',
  ): void {
    this.add(path, type, { kind: 'limit', keyword, limit }, value);
  }

  private enumeration(value: unknown, { enum: allowed }: SchemaNode, path: FieldPath): void {
    if (allowed && !allowed.some((each) => deepEqual(each, value))) {
      this.add(path, 'FieldValueNotSupported', { kind: 'enum', allowed: allowed.map(seen) }, value);
    }
  }

  private constraints(value: unknown, schema: SchemaNode, path: FieldPath): void {
    const { format } = schema;
    if (typeof value === 'string') this.text(value, schema, path);
    if (typeof value === 'number') this.number(value, schema, path);
    if (format !== undefined && !fitsFormat(value, format)) this.add(path, 'FieldValueTypeInvalid', { kind: 'format', format }, value);
  }

  private text(value: string, schema: SchemaNode, path: FieldPath): void {
    const { minLength, maxLength, pattern } = schema;
    // The first of them alone is said.
    if (maxLength !== undefined && lengthOf(value) > maxLength) this.limit(path, value, 'maxLength', maxLength, 'FieldValueTooLong');
    else if (minLength !== undefined && lengthOf(value) < minLength) this.limit(path, value, 'minLength', minLength);
    else if (pattern && !this.fits(value, pattern)) {
      this.add(path, 'FieldValueInvalid', { kind: 'pattern', pattern }, value);
    }
  }

  private number(value: number, { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: SchemaNode, path: FieldPath): void {
    if (minimum !== undefined && (value < minimum || (exclusiveMinimum === true && value === minimum)))
      this.limit(path, value, 'minimum', minimum);
    if (maximum !== undefined && (value > maximum || (exclusiveMaximum === true && value === maximum)))
      this.limit(path, value, 'maximum', maximum);
    if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) this.limit(path, value, 'multipleOf', multipleOf);
  }

  private fields(value: Fields, schema: SchemaNode, path: FieldPath): void {
    const { required = [], minProperties, maxProperties } = schema;
    const count = Object.keys(value).length;
    if (minProperties !== undefined && count < minProperties) this.limit(path, value, 'minProperties', minProperties);
    if (maxProperties !== undefined && count > maxProperties) this.limit(path, value, 'maxProperties', maxProperties, 'FieldValueTooMany');
    for (const name of required) {
      if (!Object.hasOwn(value, name)) this.add(childPath(path, name), 'FieldValueRequired', { kind: 'required' }, undefined);
    }
    for (const [name, field] of Object.entries(value)) {
      const own = fieldOf(schema, name);
      if (own) this.value(field, own, childPath(path, name));
    }
  }

  private items(value: readonly unknown[], schema: SchemaNode, path: FieldPath): void {
    const { items, minItems, maxItems } = schema;
    if (minItems !== undefined && value.length < minItems) this.limit(path, value, 'minItems', minItems);
    if (maxItems !== undefined && value.length > maxItems) this.limit(path, value, 'maxItems', maxItems, 'FieldValueTooMany');
    if (items) value.forEach((item, index) => this.value(item, items, childPath(path, index)));
    this.duplicates(value, schema, path);
  }

  /** Source: apiextensions-apiserver v0.34 pkg/apiserver/schema/listtype. */
  private duplicates(value: readonly unknown[], schema: SchemaNode, path: FieldPath): void {
    const keys = schema['x-kubernetes-list-map-keys'];
    const type = schema['x-kubernetes-list-type'];
    if (type !== 'set' && type !== 'map') return;
    const misfit = type === 'map' ? value.findIndex((item) => item !== null && !isFields(item)) : -1;
    if (misfit >= 0) {
      this.add(childPath(path, misfit), 'FieldValueInvalid', { kind: 'type', wanted: 'object' }, value[misfit]);
      return;
    }
    const times = new Map<string, number>();
    value.forEach((item, index) => {
      const key =
        type === 'map' && isFields(item) ? JSON.stringify((keys ?? []).map((name) => ownValue(item, name))) : JSON.stringify(item);
      const before = times.get(key) ?? 0;
      // Of many that are alike the second is told.
      if (before === 1) this.add(childPath(path, index), 'FieldValueDuplicate', { kind: 'duplicate' }, item);
      times.set(key, before + 1);
    });
  }

  private composed(value: unknown, { allOf = [], anyOf = [], oneOf = [], not }: SchemaNode, path: FieldPath): void {
    for (const schema of allOf) this.value(value, schema, path);
    if (anyOf.length > 0 && !anyOf.some((schema) => faultsOf(value, schema, path, this.patterns).length === 0))
      this.composition(value, 'anyOf', path);
    if (oneOf.length > 0 && oneOf.filter((schema) => faultsOf(value, schema, path, this.patterns).length === 0).length !== 1)
      this.composition(value, 'oneOf', path);
    if (not && faultsOf(value, not, path, this.patterns).length === 0) this.composition(value, 'not', path);
  }

  private composition(value: unknown, keyword: 'anyOf' | 'oneOf' | 'not', path: FieldPath): void {
    this.add(path, 'FieldValueInvalid', { kind: 'composed', keyword }, value);
  }
}

/**
 * Where a value departs from its schema. Defaults are to be filled in before.
 *
 * Source: kube-openapi pkg/validation/validate as apiextensions-apiserver v0.34 calls it (`ValidateCustomResource`), and listtype.
 */
export function faultsOf(value: unknown, schema: SchemaNode, path: FieldPath, patterns: Patterns): Fault[] {
  const validation = new Validation(patterns);
  validation.value(value, schema, path);
  return validation.faults;
}
