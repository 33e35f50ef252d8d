/**
 * A number of pods, or a percentage of them: `1`, `"25%"`.
 *
 * A quoted number (`"1"`) is no IntOrPercent. The API server refuses it (`^[0-9]+%$` is the only string it accepts), so it does not
 * compile.
 */
export type IntOrPercent = IntOrPercentForms['any'];

/** The forms of an `IntOrPercent`. The compiler shows a type that is read from here by its forms, and not by its name. */
export interface IntOrPercentForms {
  /** A number of pods or a percentage of them. */
  readonly any: number | `${number}%`;
}

/** Maximum value of the API's int32 fields. */
export const MAX_INT32 = 2_147_483_647;

const PERCENT = /^[0-9]+%$/;
const DIGITS = /^[+-]?[0-9]+$/;

/** Reports whether a value is a string that the API server accepts: digits and a percent sign. Source: apimachinery `IsValidPercent`. */
export function isPercentString(value: unknown): value is `${number}%` {
  return typeof value === 'string' && PERCENT.test(value);
}

/** Reports whether a value is a number in quotes, a mistake that guides print: `"1"`. */
export function isDigitString(value: unknown): value is string {
  return typeof value === 'string' && DIGITS.test(value);
}

/** Reports whether a value is a number that fits into an int32 field of the API. */
export function isInt32(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) <= MAX_INT32 && (value as number) >= -MAX_INT32 - 1;
}

/** Reports whether the API server accepts a value for an int-or-percent field, ignoring ranges. */
export function isIntOrPercent(value: unknown): value is IntOrPercent {
  return isInt32(value) || isPercentString(value);
}

/** Returns the N of `"N%"`. */
export function parsePercent(value: `${number}%`): number {
  return Number(value.slice(0, -1));
}

/**
 * Scales a value to pods, rounding up as the controllers do for surge.
 *
 * Formula: an int as it is; `ceil(N × total / 100)` for `"N%"`. `scaleRoundedUp("25%", 10)` is 3.
 * Source: apimachinery `GetScaledValueFromIntOrPercent(v, total, true)`.
 */
export function scaleRoundedUp(value: IntOrPercent, total: number): number {
  return typeof value === 'number' ? value : Math.ceil((parsePercent(value) * total) / 100);
}

/**
 * Scales a value to pods, rounding down as the controllers do for unavailable pods.
 *
 * Formula: an int as it is; `floor(N × total / 100)` for `"N%"`. `scaleRoundedDown("25%", 10)` is 2.
 * Source: apimachinery `GetScaledValueFromIntOrPercent(v, total, false)`.
 */
export function scaleRoundedDown(value: IntOrPercent, total: number): number {
  return typeof value === 'number' ? value : Math.floor((parsePercent(value) * total) / 100);
}

/** Reports whether a value is the literal 0 or a percentage of 0, which the API server treats alike. */
export function isLiteralZero(value: IntOrPercent): boolean {
  return typeof value === 'number' ? value === 0 : parsePercent(value) === 0;
}
