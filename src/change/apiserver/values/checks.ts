import { parseQuantityNanos } from '../../../core/quantity';
import { TEXT_FORMATS } from '../../../workloads/pod/validation/formats';
import type { FormatName } from '../../../workloads/pod/validation/formats';
import { describeFormatRequirement } from '../messages/format-message';
import type { Check, ValueLocation } from './rule';

/* Checks that many fields share, in the server's words. Source: apimachinery pkg/util/validation/field/errors.go. */

/** A value as Go prints it. */
export function formatGoJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

export function formatInvalidValue(value: unknown, why: string): string {
  return `Invalid value: ${formatGoJson(value)}: ${why}`;
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A text that is left out is an empty one. */
export function toTextOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A number that is left out is 0. */
export function toNumberOrZero(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Checks that hold in some objects alone. */
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

/** It has to be there, and a text or list to hold something. */
export function requireValue(more = ''): Check {
  const message = more === '' ? 'Required value' : `Required value: ${more}`;
  return (value) => (!isSet(value) || value === '' || (Array.isArray(value) && value.length === 0) ? message : undefined);
}

/** It may not be there. */
export function rejectIfSet(why: string): Check {
  return (value) => (isSet(value) ? `Forbidden: ${why}` : undefined);
}

/** It is not valid at all, whatever it is. */
export function rejectAsInvalid(why: string): Check {
  return (value) => (isSet(value) ? formatInvalidValue(value, why) : undefined);
}

function formatUnsupportedValue(value: unknown, choices: readonly string[]): string {
  return `Unsupported value: ${formatGoJson(value)}: supported values: ${choices.map(formatGoJson).join(', ')}`;
}

/** One of these, in the order in which the server names them, if it is there. */
export function allowValues(...choices: readonly string[]): Check {
  return (value) => (isSet(value) && !choices.includes(toTextOrEmpty(value)) ? formatUnsupportedValue(value, choices) : undefined);
}

/** One of these; what is left out is none of them. */
export function requireOneOf(...choices: readonly string[]): Check {
  return (value) => (choices.includes(toTextOrEmpty(value)) ? undefined : formatUnsupportedValue(toTextOrEmpty(value), choices));
}

export function requireAtLeast(minimum: number, why = `must be greater than or equal to ${minimum}`): Check {
  return (value) => (typeof value === 'number' && value < minimum ? formatInvalidValue(value, why) : undefined);
}

/** A number that counts as 0 where it is left out. */
export function requireAbove(bound: number, why: string): Check {
  return (value) => (toNumberOrZero(value) > bound ? undefined : formatInvalidValue(toNumberOrZero(value), why));
}

export function requireAtMost(maximum: number, why = `must be less than or equal to ${maximum}`): Check {
  return (value) => (typeof value === 'number' && value > maximum ? formatInvalidValue(value, why) : undefined);
}

const MAX_PORT = 65_535;

/** A port that has to be there. */
export const checkPort: Check = (value) => {
  const number = toNumberOrZero(value);
  return number >= 1 && number <= MAX_PORT ? undefined : formatInvalidValue(number, `must be between 1 and ${MAX_PORT}, inclusive`);
};

/** The number of a port, or the name of one. */
export const checkPortOrName: Check = (value, location) =>
  typeof value === 'string' ? requireFormat('port-name')(value, location) : checkPort(value, location);

/** A text that has to be written in a form. */
export function requireFormat(format: FormatName): Check {
  return (value) => checkFormat(format, toTextOrEmpty(value));
}

/** The same where it holds anything. */
export function checkFormatIfSet(format: FormatName): Check {
  return (value) => (toTextOrEmpty(value) === '' ? undefined : checkFormat(format, toTextOrEmpty(value)));
}

/** The key of an entry in a form. */
export function requireKeyFormat(format: FormatName): Check {
  return (_value, { key }) => checkFormat(format, key);
}

function checkFormat(format: FormatName, text: string): string | undefined {
  const { matches, maxLength = Infinity } = TEXT_FORMATS[format];
  if (matches(text) && text.length <= maxLength) return undefined;
  return formatInvalidValue(text, describeFormatRequirement(format, text) ?? `must be ${TEXT_FORMATS[format].description}`);
}

/** As a part of a URL. */
export const checkPathSegment: Check = (value) => {
  const text = toTextOrEmpty(value);
  if (text === '.' || text === '..') return formatInvalidValue(text, `may not be '${text}'`);
  const sign = ['/', '%'].find((each) => text.includes(each));
  return sign === undefined ? undefined : formatInvalidValue(text, `may not contain '${sign}'`);
};

/** More than nothing. */
export const checkPositive: Check = (value) => {
  const amount = isSet(value) ? parseQuantityNanos(value) : undefined;
  return amount !== undefined && amount <= 0n ? formatInvalidValue(value, 'must be positive') : undefined;
};

/** What no item of the list before has, if it has it at all. */
export function requireUnique(by: (item: unknown) => unknown, display: (item: unknown) => unknown = by): Check {
  return (_value, { list, index }) => {
    const own = by(list[index]);
    const isSecond = own !== undefined && list.slice(0, index).some((other) => by(other) === own);
    return isSecond ? `Duplicate value: ${formatGoJson(display(list[index]))}` : undefined;
  };
}

/** These words where a list holds anything. */
export function rejectNonEmptyList(message: string): Check {
  return (value) => (Array.isArray(value) && value.length > 0 ? message : undefined);
}
