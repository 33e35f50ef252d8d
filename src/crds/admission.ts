import type { ApplyRejection } from '../core/document/change';
import { DeadlineError } from '../core/budget/deadline';
import { ROOT_PATH } from '../core/manifest/field-path';
import type { Manifest } from '../core/manifest/manifest';
import { formatDisplayValue } from '../core/text/display-value';
import { pluralize } from '../core/text/text-format';
import type { CrdRegistry } from './crd-registry';
import type { Constraint, FieldError } from './field-error';
import { CrdValidator } from './crd-validator';
import { toValidationClock, ValidationLimitError } from './validation-clock';
import type { ValidationClock } from './validation-clock';

type MessagesByConstraint = {
  readonly [Kind in Constraint['kind']]: (constraint: Extract<Constraint, { readonly kind: Kind }>, fieldError: FieldError) => string;
};

const LIMIT_TEXTS: Readonly<Record<string, string>> = {
  minimum: 'should be greater than or equal to',
  maximum: 'should be less than or equal to',
  exclusiveMinimum: 'should be greater than',
  exclusiveMaximum: 'should be less than',
  multipleOf: 'should be a multiple of',
  minLength: 'should be at least this many characters long:',
  maxLength: 'may not be longer than',
  minItems: 'should have at least this many items:',
  maxItems: 'must have at most this many items:',
  minProperties: 'should have at least this many properties:',
  maxProperties: 'must have at most this many items:',
};

/** Messages of the server, if they add more than the position of the error. */
const CONSTRAINT_MESSAGES: MessagesByConstraint = {
  type: ({ expectedType }, { value }) => `Invalid value: ${formatDisplayValue(value)}: must be of type ${expectedType}`,
  required: () => 'Required value',
  enum: ({ allowed }, { value }) =>
    `Unsupported value: ${formatDisplayValue(value)}: supported values: ${allowed.map(formatDisplayValue).join(', ')}`,
  limit: ({ keyword, limit }, { value }) => `Invalid value: ${formatDisplayValue(value)}: ${LIMIT_TEXTS[keyword] ?? keyword} ${limit}`,
  pattern: ({ pattern }, { value }) => `Invalid value: ${formatDisplayValue(value)}: should match '${pattern}'`,
  format: ({ format }, { value }) => `Invalid value: ${formatDisplayValue(value)}: must be of type ${format}`,
  composed: ({ keyword }) => `Invalid value: must validate ${keyword} of the schema`,
  duplicate: (_, { value }) => `Duplicate value: ${formatDisplayValue(value)}`,
  cost: ({ rule, budgetScope }) =>
    budgetScope === 'rule'
      ? `Invalid value: no further validation rules will be run due to call cost exceeds limit for rule: ${rule.trim()}`
      : 'Invalid value: validation failed due to running out of cost budget, no further validation rules will be run',
  rule: ({ errorMessage }, { type }) => (type === 'FieldValueForbidden' ? `Forbidden: ${errorMessage}` : `Invalid value: ${errorMessage}`),
};

function formatFieldError(fieldError: FieldError): string {
  const { constraint } = fieldError;
  return (CONSTRAINT_MESSAGES[constraint.kind] as (constraint: Constraint, fieldError: FieldError) => string)(constraint, fieldError);
}

/** Maximum number of further errors that a message lists. */
const MAX_NAMED_PATHS = 3;

/** Describes the errors after the first, with the paths of those that are not about the whole object: ` (and 2 further errors: spec.a)`. */
function describeFurtherErrors(fieldErrors: readonly FieldError[]): string {
  if (fieldErrors.length === 0) return '';
  const paths = fieldErrors.map(({ path }) => path).filter((path) => path !== ROOT_PATH);
  const listed = [...paths.slice(0, MAX_NAMED_PATHS), ...(paths.length > MAX_NAMED_PATHS ? ['…'] : [])].join(', ');
  return ` (and ${pluralize(fieldErrors.length, 'further error')}${listed === '' ? '' : `: ${listed}`})`;
}

/**
 * Returns the errors of an object. If it exceeds another limit than the time, `checkCustomResources` reports that.
 *
 * @throws DeadlineError if the time is exceeded
 */
function validateWithinLimits(validator: CrdValidator, object: Manifest, old: Manifest | undefined): readonly FieldError[] {
  try {
    return validator.validate(object, old)?.fieldErrors ?? [];
  } catch (error) {
    if (!(error instanceof ValidationLimitError)) throw error;
    if (error.reason === 'seconds') throw new DeadlineError();
    return [];
  }
}

/** Creates a function that returns why a server refuses an object by its CRD, for a create or for an update of an existing object. */
export function createCrdAdmission(
  definitions: CrdRegistry,
  limit: number | ValidationClock = Infinity,
): (object: Manifest, old: Manifest | undefined) => ApplyRejection | undefined {
  let validator: CrdValidator | undefined;
  return (object, old) => {
    // The time begins with the first object, after the files and the cluster have been read.
    validator ??= new CrdValidator(definitions, toValidationClock(limit));
    const [fieldError, ...others] = validateWithinLimits(validator, object, old);
    return fieldError && { path: fieldError.path, message: `${formatFieldError(fieldError)}${describeFurtherErrors(others)}` };
  };
}
