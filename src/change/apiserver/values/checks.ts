import { parseQuantityNanos } from '../../../core/values/quantity';
import { TEXT_FORMATS } from '../../../workloads/pod/validation/formats';
import type { FormatName } from '../../../workloads/pod/validation/formats';
import { describeFormatRequirement } from '../messages/format-message';
import type { Check, ValueLocation } from './rule';

/* Checks that many fields share, with the messages of the server. Source: apimachinery pkg/util/validation/field/errors.go. */

/** Formats a value as Go does. */
export function formatGoJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

export function formatInvalidValue(value: unknown, why: string): string {
  return `Invalid value: ${formatGoJson(value)}: ${why}`;
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns text; an omitted one is empty. */
export function toTextOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a number; an omitted one is 0. */
export function toNumberOrZero(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Runs checks only under a condition. */
export function checkWhen(condition: (location: ValueLocation) => boolean, ...checks: readonly Check[]): Check {
  return (value, location) => (condition(location) ? findFirstMessage(checks, value, location) : undefined);
}

function findFirstMessage(checks: readonly Check[], value: unknown, location: ValueLocation): string | undefined {
  for (const check of checks) {
    const message = check(value, location);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** Requires a value that is set, and text or a list that is not empty. */
export function requireValue(more = ''): Check {
  const message = more === '' ? 'Required value' : `Required value: ${more}`;
  return (value) => (!isSet(value) || value === '' || (Array.isArray(value) && value.length === 0) ? message : undefined);
}

/** Forbids any value. */
export function rejectIfSet(why: string): Check {
  return (value) => (isSet(value) ? `Forbidden: ${why}` : undefined);
}

/** Reports any value as invalid. */
export function rejectAsInvalid(why: string): Check {
  return (value) => (isSet(value) ? formatInvalidValue(value, why) : undefined);
}

function formatUnsupportedValue(value: unknown, choices: readonly string[]): string {
  return `Unsupported value: ${formatGoJson(value)}: supported values: ${choices.map(formatGoJson).join(', ')}`;
}

/** Requires one of these values, in the order in which the server lists them, if the value is set. */
export function allowValues(...choices: readonly string[]): Check {
  return (value) => (isSet(value) && !choices.includes(toTextOrEmpty(value)) ? formatUnsupportedValue(value, choices) : undefined);
}

/** Requires one of these values; an omitted value is not allowed. */
export function requireOneOf(...choices: readonly string[]): Check {
  return (value) => (choices.includes(toTextOrEmpty(value)) ? undefined : formatUnsupportedValue(toTextOrEmpty(value), choices));
}

export function requireAtLeast(minimum: number, why = `must be greater than or equal to ${minimum}`): Check {
  return (value) => (typeof value === 'number' && value < minimum ? formatInvalidValue(value, why) : undefined);
}

/** Requires a number above a bound; an omitted one counts as 0. */
export function requireAbove(bound: number, why: string): Check {
  return (value) => (toNumberOrZero(value) > bound ? undefined : formatInvalidValue(toNumberOrZero(value), why));
}

export function requireAtMost(maximum: number, why = `must be less than or equal to ${maximum}`): Check {
  return (value) => (typeof value === 'number' && value > maximum ? formatInvalidValue(value, why) : undefined);
}

const MAX_PORT = 65_535;

/** Requires a port number. */
export const checkPort: Check = (value) => {
  const number = toNumberOrZero(value);
  return number >= 1 && number <= MAX_PORT ? undefined : formatInvalidValue(number, `must be between 1 and ${MAX_PORT}, inclusive`);
};

/** Requires a port number or the name of a port. */
export const checkPortOrName: Check = (value, location) =>
  typeof value === 'string' ? requireFormat('port-name')(value, location) : checkPort(value, location);

/** Requires text in a format. */
export function requireFormat(format: FormatName): Check {
  return (value) => checkFormat(format, toTextOrEmpty(value));
}

/** Requires text in a format, unless it is empty. */
export function checkFormatIfSet(format: FormatName): Check {
  return (value) => (toTextOrEmpty(value) === '' ? undefined : checkFormat(format, toTextOrEmpty(value)));
}

/** Requires the key of an entry in a format. */
export function requireKeyFormat(format: FormatName): Check {
  return (_value, { key }) => checkFormat(format, key);
}

function checkFormat(format: FormatName, text: string): string | undefined {
  const { matches, maxLength = Infinity } = TEXT_FORMATS[format];
  if (matches(text) && text.length <= maxLength) return undefined;
  return formatInvalidValue(text, describeFormatRequirement(format, text) ?? `must be ${TEXT_FORMATS[format].description}`);
}

/** Requires text that can be a segment of a URL path. */
export const checkPathSegment: Check = (value) => {
  const text = toTextOrEmpty(value);
  if (text === '.' || text === '..') return formatInvalidValue(text, `may not be '${text}'`);
  const sign = ['/', '%'].find((each) => text.includes(each));
  return sign === undefined ? undefined : formatInvalidValue(text, `may not contain '${sign}'`);
};

/** Requires a quantity above 0, if it is set. */
export const checkPositive: Check = (value) => {
  const amount = isSet(value) ? parseQuantityNanos(value) : undefined;
  return amount !== undefined && amount <= 0n ? formatInvalidValue(value, 'must be positive') : undefined;
};

/** Requires a value that no earlier item of the list has, if it is set. */
export function requireUnique(keyOf: (item: unknown) => unknown, display: (item: unknown) => unknown = keyOf): Check {
  const firstIndexes = new WeakMap<readonly unknown[], ReadonlyMap<unknown, number>>();
  return (_value, { list, index }) => {
    const known = firstIndexes.get(list) ?? new Map(list.map((item, at) => [keyOf(item), at] as const).toReversed());
    firstIndexes.set(list, known);
    const own = keyOf(list[index]);
    const isSecond = own !== undefined && known.get(own)! < index;
    return isSecond ? `Duplicate value: ${formatGoJson(display(list[index]))}` : undefined;
  };
}

/** Returns this message if a list is not empty. */
export function rejectNonEmptyList(message: string): Check {
  return (value) => (Array.isArray(value) && value.length > 0 ? message : undefined);
}
