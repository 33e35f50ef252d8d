import type * as Re2 from 're2js';
import { isDeepEqual } from '../core/collections/deep-equal';
import { appendToPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { isFields, getOwnValue } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { toDisplayValue } from '../core/text/display-value';
import { truncateText } from '../core/text/text-format';
import { toSafeText } from '../core/text/value-text';
import type { DisplayValue } from '../core/text/display-value';
import { MAX_QUOTED_CHARACTERS, truncateValues } from './field-error';
import type { Constraint, FieldError, FieldErrorType } from './field-error';
import { countCompileTicks, countSearchTicks, exceedsPatternLimit } from './pattern-size';
import { fitsFormat } from './schema-formats';
import { fieldSchemaOf } from './schema-node';
import type { SchemaNode } from './schema-node';
import { ValidationLimitError } from './validation-clock';
import type { ValidationClock } from './validation-clock';

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isFields,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  // The server decodes a larger number as a float, which is then no integer. Here 2 ** 63 - 1 has been rounded to 2 ** 63.
  integer: (value) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2 ** 63,
  number: (value) => typeof value === 'number',
};

/** Compiled patterns of schemas as Go reads them, cached across values; undefined for a pattern that Go cannot read. */
export type PatternCache = Map<string, Re2.RE2JS | undefined>;

/** Compiles a pattern. One that Go cannot read matches everything, since no server would have accepted the CRD. */
function compilePattern(pattern: string): Re2.RE2JS | undefined {
  const { RE2JS } = require('re2js') as typeof Re2;
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

/** The allowed values of an enum, prepared once, since each of thousands of items may be compared with thousands of values. */
interface PreparedEnum {
  /** Texts, numbers, booleans and null. */
  readonly plain: ReadonlySet<unknown>;
  /** Maps and lists. */
  readonly others: readonly unknown[];
  /** All of them, for messages. */
  readonly displayed: readonly DisplayValue[];
}

const PREPARED_ENUMS = new WeakMap<readonly unknown[], PreparedEnum>();

function prepareEnum(allowed: readonly unknown[]): PreparedEnum {
  const known = PREPARED_ENUMS.get(allowed);
  if (known) return known;
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
  const prepared = {
    plain: new Set(allowed.filter(isPlain)),
    others: allowed.filter((value) => !isPlain(value)),
    displayed: truncateValues(allowed.map(toDisplayValue)),
  };
  PREPARED_ENUMS.set(allowed, prepared);
  return prepared;
}

/** Counts characters as Go does. */
function countCharacters(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Number of characters that are read in the time of a step. */
const CHARACTERS_PER_STEP = 100;

/** Validates one value, and everything below it, against a structural schema. */
class StructuralValidator {
  readonly errors: FieldError[] = [];

  constructor(
    private readonly patterns: PatternCache,
    private readonly clock: ValidationClock | undefined,
  ) {}

  private compileOnce(pattern: string): Re2.RE2JS | undefined {
    if (this.patterns.has(pattern)) return this.patterns.get(pattern);
    const compiled = compilePattern(pattern);
    this.patterns.set(pattern, compiled);
    if (compiled) this.clock?.tick(countCompileTicks(compiled));
    return compiled;
  }

  private matchesPattern(value: string, pattern: string): boolean {
    const compiled = this.compileOnce(pattern);
    if (!compiled) return true;
    if (exceedsPatternLimit(compiled, value)) throw new ValidationLimitError('pattern');
    this.clock?.tick(countSearchTicks(compiled, value));
    return compiled.test(value);
  }

  private addError(path: FieldPath, type: FieldErrorType, constraint: Constraint, value: unknown): void {
    this.errors.push({ path, type, constraint, value: toDisplayValue(value) });
  }

  validateValue(value: unknown, schema: SchemaNode, path: FieldPath): void {
    this.clock?.tick();
    if (value === null) {
      if (schema.nullable !== true && (schema.type !== undefined || schema['x-kubernetes-int-or-string'])) {
        this.addError(path, 'FieldValueTypeInvalid', { kind: 'type', expectedType: schema.type ?? 'integer or string' }, value);
      }
      return;
    }
    this.checkEnum(value, schema, path);
    if (!this.checkType(value, schema, path)) {
      if (typeof value === 'number') this.checkNumber(value, schema, path);
      return;
    }
    this.checkConstraints(value, schema, path);
    this.checkComposition(value, schema, path);
    if (isFields(value)) this.checkFields(value, schema, path);
    else if (Array.isArray(value)) this.checkItems(value, schema, path);
  }

  private checkType(value: unknown, schema: SchemaNode, path: FieldPath): boolean {
    const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
    const expectedType = isIntOrString ? 'integer or string' : schema.type;
    if (expectedType === undefined || expectedType === '') return true;
    // The server checks only the format of a text, and accepts a list there.
    const isFormatted = schema.format !== undefined && schema.format !== '' && expectedType === 'string' && Array.isArray(value);
    if (isFormatted) return true;
    const fits = isIntOrString ? TYPES.integer!(value) || TYPES.string!(value) : (getOwnValue(TYPES, expectedType)?.(value) ?? true);
    if (!fits) this.addError(path, 'FieldValueTypeInvalid', { kind: 'type', expectedType }, value);
    return fits;
  }

  private addLimitError(
    path: FieldPath,
    value: unknown,
    keyword: keyof SchemaNode & string,
    limit: number,
    type: FieldErrorType = 'FieldValueInvalid',
  ): void {
    this.addError(path, type, { kind: 'limit', keyword, limit }, value);
  }

  private checkEnum(value: unknown, { enum: allowed }: SchemaNode, path: FieldPath): void {
    if (!allowed) return;
    const { plain, others, displayed } = prepareEnum(allowed);
    if (plain.has(value)) return;
    if (typeof value === 'object') {
      this.clock?.tick(others.length);
      if (others.some((each) => isDeepEqual(each, value))) return;
    }
    this.addError(path, 'FieldValueNotSupported', { kind: 'enum', allowed: displayed }, value);
  }

  private checkConstraints(value: unknown, schema: SchemaNode, path: FieldPath): void {
    const { format } = schema;
    if (typeof value === 'string') this.checkString(value, schema, path);
    if (typeof value === 'number') this.checkNumber(value, schema, path);
    if (format !== undefined && !fitsFormat(value, format)) this.addError(path, 'FieldValueTypeInvalid', { kind: 'format', format }, value);
  }

  private checkString(value: string, schema: SchemaNode, path: FieldPath): void {
    const { minLength, maxLength, pattern } = schema;
    this.clock?.tick(value.length / CHARACTERS_PER_STEP);
    // The server reports only the first of these errors.
    if (maxLength !== undefined && countCharacters(value) > maxLength)
      this.addLimitError(path, value, 'maxLength', maxLength, 'FieldValueTooLong');
    else if (minLength !== undefined && countCharacters(value) < minLength) this.addLimitError(path, value, 'minLength', minLength);
    else if (pattern && !this.matchesPattern(value, pattern)) {
      this.addError(path, 'FieldValueInvalid', { kind: 'pattern', pattern: truncateText(pattern, MAX_QUOTED_CHARACTERS) }, value);
    }
  }

  private checkNumber(
    value: number,
    { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: SchemaNode,
    path: FieldPath,
  ): void {
    if (minimum !== undefined && (value < minimum || (exclusiveMinimum === true && value === minimum)))
      this.addLimitError(path, value, exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum', minimum);
    if (maximum !== undefined && (value > maximum || (exclusiveMaximum === true && value === maximum)))
      this.addLimitError(path, value, exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum', maximum);
    if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) this.addLimitError(path, value, 'multipleOf', multipleOf);
  }

  private checkFields(value: Fields, schema: SchemaNode, path: FieldPath): void {
    const { required = [], minProperties, maxProperties } = schema;
    const count = Object.keys(value).length;
    this.clock?.tick(count + required.length);
    if (minProperties !== undefined && count < minProperties) this.addLimitError(path, value, 'minProperties', minProperties);
    if (maxProperties !== undefined && count > maxProperties)
      this.addLimitError(path, value, 'maxProperties', maxProperties, 'FieldValueTooMany');
    for (const item of required) {
      // Go decodes null as an empty text.
      const name = item ?? '';
      if (Object.hasOwn(value, name)) continue;
      const missing = appendToPath(path, truncateText(toSafeText(name), MAX_QUOTED_CHARACTERS));
      this.addError(missing, 'FieldValueRequired', { kind: 'required' }, undefined);
    }
    for (const [name, field] of Object.entries(value)) {
      const own = fieldSchemaOf(schema, name);
      if (own) this.validateValue(field, own, appendToPath(path, name));
    }
  }

  private checkItems(value: readonly unknown[], schema: SchemaNode, path: FieldPath): void {
    const { items, minItems, maxItems } = schema;
    if (minItems !== undefined && value.length < minItems) this.addLimitError(path, value, 'minItems', minItems);
    if (maxItems !== undefined && value.length > maxItems) this.addLimitError(path, value, 'maxItems', maxItems, 'FieldValueTooMany');
    if (items) value.forEach((item, index) => this.validateValue(item, items, appendToPath(path, index)));
    this.checkDuplicates(value, schema, path);
  }

  /** Checks for duplicate items. Source: apiextensions-apiserver v0.34 pkg/apiserver/schema/listtype. */
  private checkDuplicates(value: readonly unknown[], schema: SchemaNode, path: FieldPath): void {
    const keys = schema['x-kubernetes-list-map-keys'];
    const type = schema['x-kubernetes-list-type'];
    if (type !== 'set' && type !== 'map') return;
    const invalidIndex = type === 'map' ? value.findIndex((item) => item !== null && !isFields(item)) : -1;
    if (invalidIndex >= 0) {
      this.addError(appendToPath(path, invalidIndex), 'FieldValueInvalid', { kind: 'type', expectedType: 'object' }, value[invalidIndex]);
      return;
    }
    const counts = new Map<string, number>();
    value.forEach((item, index) => {
      const key =
        type === 'map' && isFields(item) ? JSON.stringify((keys ?? []).map((name) => getOwnValue(item, name))) : JSON.stringify(item);
      const count = counts.get(key) ?? 0;
      // Only the second of several equal items is reported.
      if (count === 1) this.addError(appendToPath(path, index), 'FieldValueDuplicate', { kind: 'duplicate' }, item);
      counts.set(key, count + 1);
    });
  }

  private checkComposition(value: unknown, { allOf = [], anyOf = [], oneOf = [], not }: SchemaNode, path: FieldPath): void {
    for (const schema of allOf) this.validateValue(value, schema, path);
    if (anyOf.length > 0 && !anyOf.some((schema) => validateStructure(value, schema, path, this.patterns, this.clock).length === 0))
      this.addCompositionError(value, 'anyOf', path);
    if (
      oneOf.length > 0 &&
      oneOf.filter((schema) => validateStructure(value, schema, path, this.patterns, this.clock).length === 0).length !== 1
    )
      this.addCompositionError(value, 'oneOf', path);
    if (not && validateStructure(value, not, path, this.patterns, this.clock).length === 0) this.addCompositionError(value, 'not', path);
  }

  private addCompositionError(value: unknown, keyword: 'anyOf' | 'oneOf' | 'not', path: FieldPath): void {
    this.addError(path, 'FieldValueInvalid', { kind: 'composed', keyword }, value);
  }
}

/**
 * Returns where a value violates its schema. Defaults must be filled in before.
 *
 * @throws ValidationLimitError if it takes too long
 *
 * Source: kube-openapi pkg/validation/validate as apiextensions-apiserver v0.34 calls it (`ValidateCustomResource`), and listtype.
 */
export function validateStructure(
  value: unknown,
  schema: SchemaNode,
  path: FieldPath,
  patterns: PatternCache,
  clock?: ValidationClock,
): FieldError[] {
  const validator = new StructuralValidator(patterns, clock);
  validator.validateValue(value, schema, path);
  return validator.errors;
}
