import type * as Re2 from 're2js';
import { checkTimeNow } from '../core/budget/deadline';
import { BoundedMemo } from '../core/collections/memoize';
import { appendToPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { isDeepEqual } from '../core/collections/deep-equal';
import { getFieldsAt, getListAt, getValueAt, isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';

/* Source: apiextensions-apiserver v0.34 pkg/apiserver/schema/validation.go and pkg/apis/apiextensions/validation/validation.go. */

/** Keywords of JSON Schema that no CRD may use. */
const UNSUPPORTED_KEYWORDS = ['$ref', 'additionalItems', 'definitions', 'dependencies', 'id', 'patternProperties'] as const;

const TYPES: ReadonlySet<string> = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** Whether Go can compile a pattern. Definitions repeat the same few. */
const PATTERNS = new BoundedMemo<boolean>();

function canCompile(pattern: string): boolean {
  const { RE2JS } = require('re2js') as typeof Re2;
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}

function isPattern(pattern: string): boolean {
  checkTimeNow();
  return PATTERNS.getOrCompute(pattern, canCompile);
}

function findKeywordProblem(schema: Fields, path: FieldPath): string | undefined {
  const unsupported = UNSUPPORTED_KEYWORDS.find((name) => schema[name] !== undefined && schema[name] !== '');
  if (unsupported !== undefined) return `${appendToPath(path, unsupported)} is not supported`;
  if (schema.uniqueItems === true) return `${appendToPath(path, 'uniqueItems')} cannot be true`;
  if (typeof schema.type === 'string' && schema.type !== '' && !TYPES.has(schema.type))
    return `${appendToPath(path, 'type')} is none of ${[...TYPES].join(', ')}`;
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    return `${appendToPath(path, 'x-kubernetes-preserve-unknown-fields')} is false; it must be true or left out`;
  const { pattern, additionalProperties } = schema;
  if (typeof pattern === 'string' && pattern !== '' && !isPattern(pattern))
    return `${appendToPath(path, 'pattern')} is not a regular expression that Go can compile`;
  const isMap = additionalProperties === false || isFields(additionalProperties);
  if (isMap && Object.keys(getFieldsAt(schema, 'properties')).length > 0)
    return `${appendToPath(path, 'additionalProperties')} and properties exclude each other`;
  if (schema['x-kubernetes-list-type'] === 'map' && getListAt(schema, 'x-kubernetes-list-map-keys').length === 0)
    return `${appendToPath(path, 'x-kubernetes-list-map-keys')} is empty, although the list type is map`;
  return undefined;
}

/** Returns why a schema in allOf, anyOf, oneOf or not is not structural. Two types that mean a number or a text are allowed. */
function findNestedProblem(schema: Fields, path: FieldPath): string | undefined {
  if (getValueAt(schema, 'type') !== undefined && schema.type !== '') return `${appendToPath(path, 'type')} must be empty there`;
  return schema.additionalProperties === undefined ? undefined : `${appendToPath(path, 'additionalProperties')} must be empty there`;
}

function findOwnProblem(schema: Fields, path: FieldPath): string | undefined {
  if (schema.type === 'array' && schema.items === undefined) return `${appendToPath(path, 'items')} is missing`;
  const isOpen = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return (schema.type === undefined || schema.type === '') && !isOpen ? `${appendToPath(path, 'type')} is missing` : undefined;
}

/** Reports whether the schemas of an anyOf mean a number or a text, which may name their types. */
export function isIntOrString(schemas: unknown): boolean {
  return isDeepEqual(schemas, INT_OR_STRING);
}

/**
 * Returns why the API server refuses a schema that has values of the right types, without the schemas below it: it must be structural, and use
 * only the keywords that a CRD may use.
 *
 * @param isNested - whether it is in allOf, anyOf, oneOf or not
 *
 * @throws DeadlineError once the time is over
 */
export function findStructuralProblem(schema: Fields, path: FieldPath, isNested: boolean): string | undefined {
  return findKeywordProblem(schema, path) ?? (isNested ? findNestedProblem(schema, path) : findOwnProblem(schema, path));
}
