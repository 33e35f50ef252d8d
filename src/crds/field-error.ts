import type { FieldPath } from '../core/field-path';
import type { DisplayValue } from '../core/display-value';
import type { CostLimit } from './cel/cost-budget';

/** What kinds of faults the API server tells apart. Source: apimachinery v0.34 pkg/util/validation/field, `ErrorType`. */
export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden';

/** What a value departs from. */
export type Constraint =
  | { readonly kind: 'type'; readonly expectedType: string }
  | { readonly kind: 'required' }
  | { readonly kind: 'enum'; readonly allowed: readonly DisplayValue[] }
  | { readonly kind: 'limit'; readonly keyword: string; readonly limit: number }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'format'; readonly format: string }
  | { readonly kind: 'composed'; readonly keyword: 'anyOf' | 'oneOf' | 'not' | 'allOf' }
  | { readonly kind: 'duplicate' }
  /** A CEL rule; `said` is its message. */
  | { readonly kind: 'rule'; readonly errorMessage: string; readonly evaluationError?: string }
  /** A CEL rule at which the server has spent what it spends on one, or on all of an object. */
  | { readonly kind: 'cost'; readonly rule: string; readonly budgetScope: CostLimit };

/** One thing for which the API server refuses an object. */
export interface FieldError {
  readonly path: FieldPath;
  readonly type: FieldErrorType;
  readonly constraint: Constraint;
  readonly value: DisplayValue;
}

/** Is it that a list holds an item twice, or in a list of maps what is not a map? */
export function isListTypeError({ type, constraint }: FieldError): boolean {
  return constraint.kind === 'duplicate' || (constraint.kind === 'type' && type === 'FieldValueInvalid');
}
