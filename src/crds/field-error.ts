import { REDACTED_VALUE } from '../core/document/change';
import type { FieldPath } from '../core/manifest/field-path';
import type { DisplayValue } from '../core/text/display-value';
import type { CostLimit } from './cel/cost-budget';

/** Types of errors that the API server distinguishes. Source: apimachinery v0.34 pkg/util/validation/field, `ErrorType`. */
export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden';

/** The constraint that a value violates. */
export type Constraint =
  | { readonly kind: 'type'; readonly expectedType: string }
  | { readonly kind: 'required' }
  | { readonly kind: 'enum'; readonly allowed: readonly DisplayValue[] }
  | { readonly kind: 'limit'; readonly keyword: string; readonly limit: number }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'format'; readonly format: string }
  | { readonly kind: 'composed'; readonly keyword: 'anyOf' | 'oneOf' | 'not' | 'allOf' }
  | { readonly kind: 'duplicate' }
  /** A CEL rule. */
  | { readonly kind: 'rule'; readonly errorMessage: string; readonly evaluationError?: string }
  /** A CEL rule at which the server exceeds its cost limit for one rule, or for all rules of an object. */
  | { readonly kind: 'cost'; readonly rule: string; readonly budgetScope: CostLimit };

/** Largest number of characters of a schema's text that an error quotes. */
export const MAX_QUOTED_CHARACTERS = 500;

/** Largest number of values or field names of a schema that an error lists. */
const MAX_LISTED_VALUES = 20;

/** Returns the values that an error lists: the first ones, and how many others there are. */
export function truncateValues(values: readonly DisplayValue[]): readonly DisplayValue[] {
  if (values.length <= MAX_LISTED_VALUES) return values;
  const described = `${(values.length - MAX_LISTED_VALUES).toLocaleString('en-US')} more`;
  return [...values.slice(0, MAX_LISTED_VALUES), { described }];
}

/** One error for which the API server refuses an object. */
export interface FieldError {
  readonly path: FieldPath;
  readonly type: FieldErrorType;
  readonly constraint: Constraint;
  readonly value: DisplayValue;
}

/** Hides the value in an error, and the message of a rule, which may repeat values. */
export function redactFieldError(fieldError: FieldError): FieldError {
  const { constraint } = fieldError;
  return {
    ...fieldError,
    value: { described: REDACTED_VALUE },
    constraint: constraint.kind === 'rule' ? { kind: 'rule', errorMessage: REDACTED_VALUE } : constraint,
  };
}

/** Reports whether a list contains an item twice, or a list of maps contains an item that is not a map. */
export function isListTypeError({ type, constraint }: FieldError): boolean {
  return constraint.kind === 'duplicate' || (constraint.kind === 'type' && type === 'FieldValueInvalid');
}
