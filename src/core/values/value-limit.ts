import { isInt32, isPercentString, MAX_INT32, parsePercent } from './int-or-percent';
import { joinWords } from '../text/text-format';

/** Values that a prop may have. */
export interface AllowedValues {
  /** Reports whether a value may be written. It is never called for null, undefined and tokens. */
  readonly allows: (value: unknown) => boolean;
  /** Description of these values, for a message: `a whole number from 0 to 100`. */
  readonly expected: string;
}

/** Values that a prop may have, in addition to its type, and why it may have no other. */
export interface ValueLimit extends AllowedValues {
  /** Clause about any other value: `which the API server refuses`. */
  readonly why: string;
}

/** Allows the numbers of an int32 field in a range. */
export function allowIntegers(minimum: number, maximum: number = MAX_INT32): AllowedValues {
  return {
    allows: (value) => isInt32(value) && value >= minimum && value <= maximum,
    expected: `a whole number ${maximum === MAX_INT32 ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`,
  };
}

/** Allows a word, or the numbers of an int32 field. */
export function allowIntegersOr(word: string, minimum: number): AllowedValues {
  const integers = allowIntegers(minimum);
  return { allows: (value) => value === word || integers.allows(value), expected: `${integers.expected}, or ${word}` };
}

/** Allows numbers with fractions. */
export function allowNumbers(minimum: number): AllowedValues {
  return {
    allows: (value) => typeof value === 'number' && Number.isFinite(value) && value >= minimum,
    expected: `a number of at least ${minimum}`,
  };
}

/** Allows numbers with fractions, except 0. */
export const POSITIVE_NUMBERS: AllowedValues = {
  allows: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  expected: 'a number above 0',
};

/** Allows a few texts. The schema reports another type than a string. */
export function allowChoices(...choices: readonly string[]): AllowedValues {
  return { allows: (value) => typeof value !== 'string' || choices.includes(value), expected: joinWords(choices, 'or') };
}

/** Allows the texts that match. The schema reports another type than a string. */
export function allowTexts(matches: (text: string) => boolean, expected: string): AllowedValues {
  return { allows: (value) => typeof value !== 'string' || matches(value), expected };
}

/** Allows a number, or a percentage up to 100%. */
export function allowShares(minimum: 0 | 1): AllowedValues {
  return {
    allows: (value) => {
      if (isPercentString(value)) return parsePercent(value) >= minimum && parsePercent(value) <= 100;
      return isInt32(value) && value >= minimum;
    },
    expected: `a whole number of at least ${minimum}, or a percentage from "${minimum}%" to "100%"`,
  };
}
