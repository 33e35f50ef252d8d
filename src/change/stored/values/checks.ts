import { nanosOf } from '../../../core/quantity';
import { FORMATS } from '../../../workloads/pod/validation/formats';
import type { FormatName } from '../../../workloads/pod/validation/formats';
import { formatWords } from '../words/format-words';
import type { Check, Place } from './rule';

/* Checks that many fields share, in the server's words. Source: apimachinery pkg/util/validation/field/errors.go. */

/** A value as Go prints it. */
export function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

export function invalid(value: unknown, why: string): string {
  return `Invalid value: ${shown(value)}: ${why}`;
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A text that is left out is an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A number that is left out is 0. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Checks that hold in some objects alone. */
export function when(holds: (place: Place) => boolean, ...checks: readonly Check[]): Check {
  return (value, place) => (holds(place) ? firstWords(checks, value, place) : undefined);
}

function firstWords(checks: readonly Check[], value: unknown, place: Place): string | undefined {
  for (const check of checks) {
    const words = check(value, place);
    if (words !== undefined) return words;
  }
  return undefined;
}

/** It has to be there, and a text or list to hold something. */
export function required(more = ''): Check {
  const words = more === '' ? 'Required value' : `Required value: ${more}`;
  return (value) => (!isGiven(value) || value === '' || (Array.isArray(value) && value.length === 0) ? words : undefined);
}

/** It may not be there. */
export function forbidden(why: string): Check {
  return (value) => (isGiven(value) ? `Forbidden: ${why}` : undefined);
}

/** It is not valid at all, whatever it is. */
export function never(why: string): Check {
  return (value) => (isGiven(value) ? invalid(value, why) : undefined);
}

function unsupported(value: unknown, choices: readonly string[]): string {
  return `Unsupported value: ${shown(value)}: supported values: ${choices.map(shown).join(', ')}`;
}

/** One of these, in the order in which the server names them, if it is there. */
export function choice(...choices: readonly string[]): Check {
  return (value) => (isGiven(value) && !choices.includes(textOf(value)) ? unsupported(value, choices) : undefined);
}

/** One of these; what is left out is none of them. */
export function choiceNeeded(...choices: readonly string[]): Check {
  return (value) => (choices.includes(textOf(value)) ? undefined : unsupported(textOf(value), choices));
}

export function atLeast(least: number, why = `must be greater than or equal to ${least}`): Check {
  return (value) => (typeof value === 'number' && value < least ? invalid(value, why) : undefined);
}

/** A number that counts as 0 where it is left out. */
export function above(bound: number, why: string): Check {
  return (value) => (numberOf(value) > bound ? undefined : invalid(numberOf(value), why));
}

export function atMost(most: number, why = `must be less than or equal to ${most}`): Check {
  return (value) => (typeof value === 'number' && value > most ? invalid(value, why) : undefined);
}

const MOST_PORT = 65_535;

/** A port that has to be there. */
export const port: Check = (value) => {
  const number = numberOf(value);
  return number >= 1 && number <= MOST_PORT ? undefined : invalid(number, `must be between 1 and ${MOST_PORT}, inclusive`);
};

/** The number of a port, or the name of one. */
export const portOrName: Check = (value, place) => (typeof value === 'string' ? formatted('port-name')(value, place) : port(value, place));

/** A text that has to be written in a form. */
export function formatted(format: FormatName): Check {
  return (value) => wrongForm(format, textOf(value));
}

/** The same where it holds anything. */
export function formattedIfAny(format: FormatName): Check {
  return (value) => (textOf(value) === '' ? undefined : wrongForm(format, textOf(value)));
}

/** The key of an entry in a form. */
export function keyFormatted(format: FormatName): Check {
  return (_value, { key }) => wrongForm(format, key);
}

function wrongForm(format: FormatName, text: string): string | undefined {
  const { fits, longest = Infinity } = FORMATS[format];
  if (fits(text) && text.length <= longest) return undefined;
  return invalid(text, formatWords(format, text) ?? `must be ${FORMATS[format].wanted}`);
}

/** As a part of a URL. */
export const pathSegment: Check = (value) => {
  const text = textOf(value);
  if (text === '.' || text === '..') return invalid(text, `may not be '${text}'`);
  const sign = ['/', '%'].find((each) => text.includes(each));
  return sign === undefined ? undefined : invalid(text, `may not contain '${sign}'`);
};

/** More than nothing. */
export const positive: Check = (value) => {
  const amount = isGiven(value) ? nanosOf(value) : undefined;
  return amount !== undefined && amount <= 0n ? invalid(value, 'must be positive') : undefined;
};

/** What no item of the list before has, if it has it at all. */
export function unique(by: (item: unknown) => unknown, printed: (item: unknown) => unknown = by): Check {
  return (_value, { list, index }) => {
    const own = by(list[index]);
    const isSecond = own !== undefined && list.slice(0, index).some((other) => by(other) === own);
    return isSecond ? `Duplicate value: ${shown(printed(list[index]))}` : undefined;
  };
}

/** These words where a list holds anything. */
export function ifFilled(words: string): Check {
  return (value) => (Array.isArray(value) && value.length > 0 ? words : undefined);
}
