import { buildFieldPath, resolveLazyPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { isDigitString } from '../../core/values/int-or-percent';
import { createWrongTypeFinding } from '../../core/rules/wrong-type';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema, ProblemOf } from '../../core/values/schema';
import { toRejectionSourceData } from '../rejections/rejection-source';
import type { RejectionSource } from '../rejections/rejection-source';
import { checkNonNegative, checkInt32, checkPercent } from './invalid-strategy';
import type { CheckedValue } from './invalid-strategy';
import { buildQuotedLimitFinding, checkQuotedInteger } from './quoted-integer';

/** A parsed value of the wrong type. */
interface WrongTypeProblem extends ProblemOf<'wrong-type'> {
  /** The value as written in the object. @default - the parsed value */
  readonly rawValue?: unknown;
}

/** Builds the finding for a value of the wrong type. A number in quotes or out of range has a code of its own. */
export function buildTypeFinding({ rawValue, ...problem }: WrongTypeProblem, source: RejectionSource = {}): Finding {
  return (
    checkQuotedInteger(problem, source) ??
    checkInt32(problem, rawValue, source) ??
    createWrongTypeFinding(problem, { originalValue: rawValue, ...(source.writer !== undefined && { writer: source.writer }) })
  );
}

/** Reports the fields of a value whose type differs from their schema. */
export function checkFieldTypes(value: unknown, schema: FieldSchema, path: FieldPath = buildFieldPath()): Finding[] {
  return filterProblems(findSchemaProblems(value, schema, path), 'wrong-type').map((problem) => buildTypeFinding(problem));
}

/** Reports what the API server refuses in a whole number or percentage. Ignores values of other types, which are a separate finding. */
export function checkIntOrPercent(checkedValue: CheckedValue, range?: 'at most 100%'): Finding[] {
  const { path, value } = checkedValue;
  if (typeof value === 'number') return checkNonNegative(checkedValue);
  if (typeof value !== 'string') return [];
  return isDigitString(value)
    ? [buildQuotedLimitFinding(resolveLazyPath(path), value, toRejectionSourceData(checkedValue))]
    : checkPercent(value, checkedValue, range);
}
