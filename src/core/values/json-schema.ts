import type * as Re2 from 're2js';
import { BoundedMemo } from '../collections/memoize';
import { ROOT_PATH, appendMapKey, appendToPath } from '../manifest/field-path';
import type { FieldPath } from '../manifest/field-path';
import { getOwnValue, isFields } from '../manifest/manifest';
import { describeValue } from '../text/display-value';

type TypeName = 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number' | 'null';

/** A schema of draft 2020-12, with the keywords that the schemas of our documents have. Fields that it does not list are allowed. */
export interface JsonSchema extends Readonly<Record<string, unknown>> {
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  /** Reference to one of `$defs` of the document: `#/$defs/rollout`. */
  readonly $ref?: string;
  readonly type?: TypeName | readonly TypeName[];
  /** Schemas of fields; `true` allows any value. */
  readonly properties?: Readonly<Record<string, JsonSchema | true>>;
  readonly required?: readonly string[];
  /** Schema of the values of a map whose keys are data. `false` is not checked. */
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  /** Alternatives. One that fits is enough for both keywords. */
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

const REFERENCE_PREFIX = '#/$defs/';

const TYPES: Readonly<Record<TypeName, { readonly description: string; readonly fits: (value: unknown) => boolean }>> = {
  object: { description: 'a map', fits: isFields },
  array: { description: 'a list', fits: Array.isArray },
  string: { description: 'a string', fits: (value) => typeof value === 'string' },
  boolean: { description: 'true or false', fits: (value) => typeof value === 'boolean' },
  integer: { description: 'a whole number', fits: Number.isInteger },
  number: { description: 'a number', fits: Number.isFinite },
  null: { description: 'null', fits: (value) => value === null },
};

const PATTERNS = new BoundedMemo<Re2.RE2JS>();

/** Reports whether a text matches a pattern. RE2 does not take long on any text. */
function matchesPattern(text: string, pattern: string): boolean {
  const { RE2JS } = require('re2js') as typeof Re2;
  return PATTERNS.getOrCompute(pattern, (source) => RE2JS.compile(source)).test(text);
}

/** Checks of the keywords that limit a value. A value of another type fits. */
const LIMITS: Readonly<Record<string, (value: unknown, limit: never) => boolean>> = {
  const: (value, limit: unknown) => value === limit,
  enum: (value, limit: readonly unknown[]) => limit.includes(value),
  minimum: (value, limit: number) => typeof value !== 'number' || value >= limit,
  exclusiveMinimum: (value, limit: number) => typeof value !== 'number' || value > limit,
  maximum: (value, limit: number) => typeof value !== 'number' || value <= limit,
  minLength: (value, limit: number) => typeof value !== 'string' || value.length >= limit,
  pattern: (value, limit: string) => typeof value !== 'string' || matchesPattern(value, limit),
  minItems: (value, limit: number) => !Array.isArray(value) || value.length >= limit,
  maxItems: (value, limit: number) => !Array.isArray(value) || value.length <= limit,
};

/** A value that does not match its schema. */
interface Mismatch {
  readonly keyword: string;
  /** Builds the path of the value below another one. */
  readonly pathBelow: (parent: FieldPath) => FieldPath;
  /** What is wrong, to follow the path: `is "x", which is not a list`. */
  readonly problem: string;
}

const atValue = (parent: FieldPath) => parent;

function findTypeMismatch(value: unknown, { type }: JsonSchema): Mismatch | undefined {
  if (type === undefined) return undefined;
  const types = typeof type === 'string' ? [type] : type;
  if (types.some((each) => TYPES[each].fits(value))) return undefined;
  const expected = types.map((each) => TYPES[each].description).join(' or ');
  return { keyword: 'type', pathBelow: atValue, problem: `is ${describeValue(value)}, which is not ${expected}` };
}

function findLimitMismatch(value: unknown, schema: JsonSchema): Mismatch | undefined {
  for (const keyword in schema) {
    const fits = getOwnValue(LIMITS, keyword);
    const limit = schema[keyword];
    if (!fits || fits(value, limit as never)) continue;
    return { keyword, pathBelow: atValue, problem: `is ${describeValue(value)}, and its ${keyword} is ${JSON.stringify(limit)}` };
  }
  return undefined;
}

/** Validates values against the schemas of one document. */
class SchemaValidator {
  constructor(private readonly definitions: JsonSchema['$defs'] = {}) {}

  /** Returns the first mismatch of a value and its parts, in the order of the schema. */
  find(value: unknown, schema: JsonSchema): Mismatch | undefined {
    const { $ref, anyOf, oneOf } = schema;
    return (
      findTypeMismatch(value, schema) ??
      findLimitMismatch(value, schema) ??
      ($ref === undefined ? undefined : this.find(value, this.definitions![$ref.slice(REFERENCE_PREFIX.length)]!)) ??
      this.findInMap(value, schema) ??
      this.findInList(value, schema) ??
      this.findInAlternatives(value, anyOf ?? oneOf)
    );
  }

  private findInMap(value: unknown, { properties = {}, additionalProperties, required = [] }: JsonSchema): Mismatch | undefined {
    if (!isFields(value)) return undefined;
    for (const name in properties) {
      const inner = getOwnValue(value, name);
      const schema = properties[name]!;
      const mismatch = inner === undefined || schema === true ? undefined : this.find(inner, schema);
      if (mismatch) return { ...mismatch, pathBelow: (parent) => mismatch.pathBelow(appendToPath(parent, name)) };
    }
    const missing = required.find((name) => getOwnValue(value, name) === undefined);
    if (missing !== undefined) return { keyword: 'required', pathBelow: atValue, problem: `has no ${missing}` };
    if (typeof additionalProperties !== 'object') return undefined;
    for (const [name, inner] of Object.entries(value)) {
      const mismatch = Object.hasOwn(properties, name) ? undefined : this.find(inner, additionalProperties);
      if (mismatch) return { ...mismatch, pathBelow: (parent) => mismatch.pathBelow(appendMapKey(parent, name)) };
    }
    return undefined;
  }

  private findInList(value: unknown, { items }: JsonSchema): Mismatch | undefined {
    if (!Array.isArray(value) || items === undefined) return undefined;
    for (const [index, item] of value.entries()) {
      const mismatch = this.find(item, items);
      if (mismatch) return { ...mismatch, pathBelow: (parent) => mismatch.pathBelow(appendToPath(parent, index)) };
    }
    return undefined;
  }

  /** Returns the mismatch of the alternative that the value was meant for: one of another kind differs in a constant. */
  private findInAlternatives(value: unknown, alternatives: readonly JsonSchema[] = []): Mismatch | undefined {
    const mismatches: Mismatch[] = [];
    for (const alternative of alternatives) {
      const mismatch = this.find(value, alternative);
      if (!mismatch) return undefined;
      mismatches.push(mismatch);
    }
    return mismatches.find(({ keyword }) => keyword !== 'const') ?? mismatches[0];
  }
}

/**
 * Describes the first value of a document that does not match its schema: `rollouts[0].simulation.waves is "x", which is not a list`.
 * Fields that the schema does not list are ignored.
 */
export function findDocumentProblem(document: unknown, schema: JsonSchema): string | undefined {
  const mismatch = new SchemaValidator(schema.$defs).find(document, schema);
  return mismatch && `${mismatch.pathBelow(ROOT_PATH) || 'it'} ${mismatch.problem}`;
}
