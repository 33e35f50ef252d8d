import type { Finding } from '../core/finding';
import { inputFinding } from '../core/catalogue';
import { isDigitString, isInt32, isPercentString, MAX_INT32, percentOf } from '../core/int-or-percent';
import type { IntOrPercent } from '../core/int-or-percent';
import { describeType, describeValue, fieldName, mismatchesOf } from '../core/shape';
import type { FieldType, Shape } from '../core/shape';
import { kubernetesFinding } from './catalogue';

/** The reasons that the API server gives, in its words. */
const NOT_A_PERCENT = "a valid percent string must be a numeric string followed by an ending '%'";
const NEGATIVE = 'must be greater than or equal to 0';
const ABOVE_100_PERCENT = 'must not be greater than 100%';
const TOO_LARGE = `it does not fit into 32 bits (at most ${MAX_INT32})`;

/** A field and its value, as a message begins: `maxSurge is "1"`, `labels[app.kubernetes.io/version] is 2`. */
export function seen(path: string, value: unknown): string {
  return `${fieldName(path)} is ${describeValue(value)}`;
}

/** What was seen and the API server refuses, with its reason. */
export function refused(path: string, what: string, reason: string, help: string): Finding {
  return kubernetesFinding('kubernetes/invalid-strategy', {
    path,
    message: `${what}, which the API server refuses: ${reason}.`,
    help,
  });
}

/** Every field of `object` that has another type than the shape says, as findings; `prefix` stands before their paths. */
export function typeFindings(object: unknown, shape: Shape, prefix = ''): Finding[] {
  return mismatchesOf(object, shape).map((mismatch) => {
    const path = prefix === '' ? mismatch.path : `${prefix}.${mismatch.path}`;
    return typeFinding(path, mismatch.expected, mismatch.seen);
  });
}

/** A value of another type than the API wants; a number in quotes or out of range has a code of its own. */
export function typeFinding(path: string, expected: FieldType, value: unknown): Finding {
  if (expected === 'int32' && isDigitString(value)) return quotedInteger(path, value, 'this field takes a whole number and no string');
  if ((expected === 'int32' || expected === 'int-or-percent') && typeof value === 'number') {
    const reason = Number.isInteger(value) ? TOO_LARGE : 'it is not a whole number';
    return refused(path, seen(path, value), reason, `Write ${describeType(expected)}.`);
  }
  return inputFinding('input/wrong-type', {
    path,
    message: `${seen(path, value)}, but the API wants ${describeType(expected)} here and refuses the whole object.`,
    help: `Write ${describeType(expected)}.`,
  });
}

function quotedInteger(path: string, value: string, reason: string, alternative = ''): Finding {
  const number = Number(value);
  const isInRange = isInt32(number) && number >= 0;
  return kubernetesFinding('kubernetes/quoted-integer', {
    path,
    message: `${seen(path, value)}, a number in quotes, which the API server refuses: ${reason}.`,
    help: `Write ${isInRange ? number : 'a whole number of at least 0'} without quotes${alternative}.`,
  });
}

/** A count that must not be negative. A value that is no int32 passes: its type is a finding of its own. */
export function negativeFindings(value: unknown, path: string): Finding[] {
  if (!isInt32(value) || value >= 0) return [];
  return [refused(path, seen(path, value), NEGATIVE, 'Write a whole number of at least 0.')];
}

/** The one percentage that the API server stores and the Deployment controller cannot work with: its numbers of pods have 32 bits. */
function uncountable(path: string, value: string): Finding {
  return kubernetesFinding('kubernetes/invalid-strategy', {
    path,
    message: `${seen(path, value)}, which the API server stores, but the Deployment controller cannot count so many pods: ${TOO_LARGE}.`,
    help: 'Write a percentage such as "25%".',
  });
}

/** What the API server refuses in a whole number or percentage. Another type passes: that is a finding of its own. */
export function intOrPercentFindings(value: unknown, path: string, range?: 'at most 100%'): Finding[] {
  if (typeof value === 'number') return negativeFindings(value, path);
  if (typeof value !== 'string') return [];
  if (isDigitString(value)) return [quotedInteger(path, value, NOT_A_PERCENT, ', or a percentage such as "25%"')];
  const reject = (reason: string, help: string) => [refused(path, seen(path, value), reason, help)];
  if (!isPercentString(value)) return reject(NOT_A_PERCENT, 'Write a whole number such as 1, or a percentage such as "25%".');
  if (range && percentOf(value) > 100) return reject(ABOVE_100_PERCENT, 'Write a percentage from "0%" to "100%".');
  return percentOf(value) > MAX_INT32 ? [uncountable(path, value)] : [];
}

/** Is this the literal 0 or a percentage of 0, which the API server treats alike? */
export function isLiteralZero(value: IntOrPercent): boolean {
  return typeof value === 'number' ? value === 0 : percentOf(value) === 0;
}
