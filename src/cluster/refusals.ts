import { childPath, fieldName, fieldPath, fieldPathParts } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { MAX_INT32, isDigitString, isInt32, isPercentString, percentOf } from '../core/int-or-percent';
import type { IntOrPercent } from '../core/int-or-percent';
import { nearestName } from '../core/nearest-name';
import { unknownField } from '../core/rules/unknown-field';
import { wrongType } from '../core/rules/wrong-type';
import { describeType, nameOfField, ofKind, schemaProblems } from '../core/schema';
import type { FieldSchema, ProblemOf } from '../core/schema';
import { seen } from '../core/seen';
import { invalidStrategy } from './rules/invalid-strategy';
import { quotedInteger } from './rules/quoted-integer';
import type { Refused } from './refuser';

/** A value of another type, as it is read. */
interface WrongType extends ProblemOf<'wrong-type'> {
  /** As the object has it. @default - as it is read */
  readonly written?: unknown;
}

type Unknown = ProblemOf<'unknown'>;

/** A value of another type than the API wants; a number in quotes or out of range has a code of its own. */
export function typeFinding({ path, value, written = value, expected }: WrongType, by?: Refused['by']): Finding {
  const field = nameOfField({ path });
  if (expected === 'int32' && isDigitString(value))
    return quotedInteger.finding('number', { path, data: { field, value, ...(by && { by }) } });
  const wanted = describeType(expected);
  if ((expected === 'int32' || expected === 'int-or-percent') && typeof value === 'number') {
    const messageId = Number.isInteger(value) ? 'tooLarge' : 'fraction';
    return invalidStrategy.finding(messageId, { path, data: { field, value: seen(written), wanted, ...(by && { by }) } });
  }
  const outcome = by === 'operator-deployment' ? ({ outcome: 'deployment-refused' } as const) : {};
  return wrongType.finding('field', { path, data: { field, value: seen(written), wanted, ...outcome } });
}

/** The fields of a value that have another type than its schema says. */
export function typeFindings(value: unknown, schema: FieldSchema, path: FieldPath = fieldPath()): Finding[] {
  return ofKind(schemaProblems(value, schema, path), 'wrong-type').map((problem) => typeFinding(problem));
}

/** A field that its reader does not know and drops: the API server one of an object, another reader one of a file. */
export function unknownFieldFinding(
  { path, known }: Unknown,
  reader = 'the API server',
  messageId: 'unknown' | 'inFile' = 'unknown',
): Finding {
  const parts = fieldPathParts(path);
  const field = String(parts.at(-1));
  const nearest = nearestName(field, known);
  const data = { holder: fieldPath(...parts.slice(0, -1)), field, reader, ...(nearest !== undefined && { nearest }), known };
  return unknownField.finding(messageId, { path, data });
}

/** Every field of the map at `path` that is not among the known ones; nothing where there is no map. */
export function unknownFieldFindings(value: unknown, path: FieldPath, known: readonly string[], reader?: string): Finding[] {
  const fields = Object.fromEntries(known.map((name) => [name, { type: 'any' } as const]));
  const problems = schemaProblems(value, { type: 'map', fields, isWhole: true }, path);
  return ofKind(problems, 'unknown').map((problem) => unknownFieldFinding(problem, reader));
}

/** A value, where it stands, and who refuses it. */
export interface JudgedValue extends Refused {
  readonly path: FieldPath;
  /** As it is read: an operator reads a number in quotes as a number. */
  readonly value: unknown;
  /** As the object has it. @default - as it is read */
  readonly written?: unknown;
}

function valueData({ path, value, written = value, by }: JudgedValue) {
  return { field: fieldName(path), value: seen(written), ...(by && { by }) };
}

/** A count that must not be negative. A value that is not an int32 passes: its type is a finding of its own. */
export function negativeFindings(judged: JudgedValue): Finding[] {
  const { path, value } = judged;
  return isInt32(value) && value < 0 ? [invalidStrategy.finding('negative', { path, data: valueData(judged) })] : [];
}

/** What the API server refuses in a whole number or percentage. Another type passes: that is a finding of its own. */
export function intOrPercentFindings(judged: JudgedValue, range?: 'at most 100%'): Finding[] {
  const { path, value, by } = judged;
  if (typeof value === 'number') return negativeFindings(judged);
  if (typeof value !== 'string') return [];
  if (isDigitString(value)) {
    return [quotedInteger.finding('numberOrPercent', { path, data: { field: fieldName(path), value, ...(by && { by }) } })];
  }
  const data = valueData(judged);
  if (!isPercentString(value)) return [invalidStrategy.finding('notPercent', { path, data })];
  if (range && percentOf(value) > 100) return [invalidStrategy.finding('aboveHundredPercent', { path, data })];
  return percentOf(value) > MAX_INT32 ? [invalidStrategy.finding('uncountable', { path, data })] : [];
}

/** Is this the literal 0 or a percentage of 0, which the API server treats alike? */
export function isLiteralZero(value: IntOrPercent): boolean {
  return typeof value === 'number' ? value === 0 : percentOf(value) === 0;
}

/** Fields of one map that must not be negative. */
export function negativeFields(fields: Readonly<Record<string, unknown>>, names: readonly string[], path: FieldPath): Finding[] {
  return names.flatMap((name) => negativeFindings({ path: childPath(path, name), value: fields[name] }));
}
