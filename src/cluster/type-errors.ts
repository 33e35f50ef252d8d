import { buildFieldPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { isDigitString } from '../core/int-or-percent';
import { resolveLazyPath } from '../core/lazy-field-path';
import { createWrongTypeFinding } from '../core/rules/wrong-type';
import { filterProblems, findSchemaProblems } from '../core/schema';
import type { FieldSchema, ProblemOf } from '../core/schema';
import { toRejectionSourceData } from './rejection-source';
import type { RejectionSource } from './rejection-source';
import { checkNonNegative, checkInt32, checkPercent } from './rules/invalid-strategy';
import type { CheckedValue } from './rules/invalid-strategy';
import { buildQuotedLimitFinding, checkQuotedInteger } from './rules/quoted-integer';

/** A value of another type, as it is read. */
interface WrongTypeProblem extends ProblemOf<'wrong-type'> {
  /** As the object has it. @default - as it is read */
  readonly rawValue?: unknown;
}

/** A value of another type than the API wants; a number in quotes or out of range has a code of its own. */
export function buildTypeFinding({ rawValue, ...problem }: WrongTypeProblem, source: RejectionSource = {}): Finding {
  return (
    checkQuotedInteger(problem, source) ??
    checkInt32(problem, rawValue, source) ??
    createWrongTypeFinding(problem, { originalValue: rawValue, ...(source.writer !== undefined && { writer: source.writer }) })
  );
}

/** The fields of a value that have another type than its schema says. */
export function checkFieldTypes(value: unknown, schema: FieldSchema, path: FieldPath = buildFieldPath()): Finding[] {
  return filterProblems(findSchemaProblems(value, schema, path), 'wrong-type').map((problem) => buildTypeFinding(problem));
}

/** What the API server refuses in a whole number or percentage. Another type passes: that is a finding of its own. */
export function checkIntOrPercent(checkedValue: CheckedValue, range?: 'at most 100%'): Finding[] {
  const { path, value } = checkedValue;
  if (typeof value === 'number') return checkNonNegative(checkedValue);
  if (typeof value !== 'string') return [];
  return isDigitString(value)
    ? [buildQuotedLimitFinding(resolveLazyPath(path), value, toRejectionSourceData(checkedValue))]
    : checkPercent(value, checkedValue, range);
}
