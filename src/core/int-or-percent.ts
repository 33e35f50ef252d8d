/**
 * A number of pods, or a share of them: `1`, `"25%"`.
 *
 * A quoted number (`"1"`) is no IntOrPercent: the API server refuses it (`^[0-9]+%$` is the only string it takes), so it does not compile.
 */
export type IntOrPercent = number | `${number}%`;

/** The largest value of the API's int32 fields. */
export const MAX_INT32 = 2_147_483_647;

const PERCENT = /^[0-9]+%$/;
const DIGITS = /^[+-]?[0-9]+$/;

/** Is this a string that the API server takes: digits and a percent sign? (apimachinery `IsValidPercent`) */
export function isPercentString(value: unknown): value is `${number}%` {
  return typeof value === 'string' && PERCENT.test(value);
}

/** Is this a number in quotes, the mistake that the guides print: `"1"`? */
export function isDigitString(value: unknown): value is string {
  return typeof value === 'string' && DIGITS.test(value);
}

/** Is this a number that an int32 field of the API can hold? */
export function isInt32(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) <= MAX_INT32 && (value as number) >= -MAX_INT32 - 1;
}

/** Is this a value that the API server takes for an int-or-percent field, ranges apart? */
export function isIntOrPercent(value: unknown): value is IntOrPercent {
  return isInt32(value) || isPercentString(value);
}

/** The N of `"N%"`. */
export function parsePercent(value: `${number}%`): number {
  return Number(value.slice(0, -1));
}

/**
 * Pods for a value that is rounded up, as the controllers do for surge.
 *
 * Formula: an int as it is; `ceil(N × total / 100)` for `"N%"`. `scaledUp("25%", 10)` is 3.
 * Source: apimachinery `GetScaledValueFromIntOrPercent(v, total, true)`.
 */
export function scaleRoundedUp(value: IntOrPercent, total: number): number {
  return typeof value === 'number' ? value : Math.ceil((parsePercent(value) * total) / 100);
}

/**
 * Pods for a value that is rounded down, as the controllers do for unavailable pods.
 *
 * Formula: an int as it is; `floor(N × total / 100)` for `"N%"`. `scaledDown("25%", 10)` is 2.
 * Source: apimachinery `GetScaledValueFromIntOrPercent(v, total, false)`.
 */
export function scaleRoundedDown(value: IntOrPercent, total: number): number {
  return typeof value === 'number' ? value : Math.floor((parsePercent(value) * total) / 100);
}

/** Is this the literal 0 or a percentage of 0, which the API server treats alike? */
export function isLiteralZero(value: IntOrPercent): boolean {
  return typeof value === 'number' ? value === 0 : parsePercent(value) === 0;
}
