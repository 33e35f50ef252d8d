import { fieldPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { isDigitString } from '../core/int-or-percent';
import { pathOf } from '../core/place';
import { wrongTypeFinding } from '../core/rules/wrong-type';
import { ofKind, schemaProblems } from '../core/schema';
import type { FieldSchema, ProblemOf } from '../core/schema';
import { refusedBy } from './refuser';
import type { Refused } from './refuser';
import { negativeFindings, notInt32Finding, percentFindings } from './rules/invalid-strategy';
import type { JudgedValue } from './rules/invalid-strategy';
import { quotedLimitFinding, quotedNumberFinding } from './rules/quoted-integer';

/** A value of another type, as it is read. */
interface WrongType extends ProblemOf<'wrong-type'> {
  /** As the object has it. @default - as it is read */
  readonly written?: unknown;
}

/** A value of another type than the API wants; a number in quotes or out of range has a code of its own. */
export function typeFinding({ written, ...problem }: WrongType, refused: Refused = {}): Finding {
  return (
    quotedNumberFinding(problem, refused) ??
    notInt32Finding(problem, written, refused) ??
    wrongTypeFinding(problem, { written, ...(refused.writer !== undefined && { writer: refused.writer }) })
  );
}

/** The fields of a value that have another type than its schema says. */
export function typeFindings(value: unknown, schema: FieldSchema, path: FieldPath = fieldPath()): Finding[] {
  return ofKind(schemaProblems(value, schema, path), 'wrong-type').map((problem) => typeFinding(problem));
}

/** What the API server refuses in a whole number or percentage. Another type passes: that is a finding of its own. */
export function intOrPercentFindings(judged: JudgedValue, range?: 'at most 100%'): Finding[] {
  const { path, value } = judged;
  if (typeof value === 'number') return negativeFindings(judged);
  if (typeof value !== 'string') return [];
  return isDigitString(value) ? [quotedLimitFinding(pathOf(path), value, refusedBy(judged))] : percentFindings(value, judged, range);
}
