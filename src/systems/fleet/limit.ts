import type { FleetBehaviour } from './behaviour';

/** Thrown for a limit that the controller refuses when it reconciles the bundle. */
export class FleetLimitError extends Error {
  override readonly name = 'FleetLimitError';
}

/** A limit as it is written; what is absent leaves it to the next in line. */
export type LimitValue = number | string | null | undefined;

const INTEGER = /^[+-]?[0-9]+$/;
const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;
const HEXADECIMAL = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?[0-9]+)$/i;
const NOT_FINITE = /^(?:([+-]?)inf(?:inity)?|nan)$/i;

/** The largest whole number that Go's int holds, to which a larger one is cut. */
const MAX_INT64 = 2 ** 63;

/** The whole number that a string is, if it is one above 0: `"10"`. */
function parsePositiveInteger(text: string): number | undefined {
  const value = INTEGER.test(text) ? Number(text) : 0;
  return value > 0 ? Math.min(value, MAX_INT64) : undefined;
}

/** Do underscores stand only between digits, or behind the prefix of a hexadecimal number? */
function hasValidUnderscores(text: string): boolean {
  const digits = /^[+-]?0x/i.test(text) ? /^[0-9a-fx]_[0-9a-f]$/i : /^[0-9x]_[0-9]$/i;
  return [...text.matchAll(/_/g)].every(({ index }) => digits.test(text.slice(index - 1, index + 2)));
}

/** A number as Go's ParseFloat reads it: `12.5`, `1_0`, `0x1p4`, `inf`; undefined where it refuses the text, or the number is too large. */
function parseGoFloat(text: string): number | undefined {
  const special = NOT_FINITE.exec(text);
  if (special) return special[1] === undefined ? NaN : Number(`${special[1]}Infinity`);
  if (!hasValidUnderscores(text)) return undefined;
  const plain = text.replaceAll('_', '');
  const value = DECIMAL.test(plain) ? Number(plain) : parseHexadecimal(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** `0x1p4` is 16: digits to the base of 16, times a power of 2; NaN for what is none. */
function parseHexadecimal(text: string): number {
  const [, sign, integer = '', fraction = '', power] = HEXADECIMAL.exec(text) ?? [];
  const digits = Number(`0x${integer}${fraction}`);
  return (sign === '-' ? -1 : 1) * digits * 2 ** (Number(power) - 4 * fraction.length);
}

/** The N of `"N%"`, which may be a fraction, negative or infinite; undefined where Go's ParseFloat fails. */
function parsePercentage(text: string): number | undefined {
  return text.endsWith('%') ? parseGoFloat(text.slice(0, -1)) : undefined;
}

/** Would the controller take this as a limit? A whole number, a string of one above 0, or a percentage. */
export function isLimit(value: unknown): value is number | string {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && (parsePositiveInteger(value) !== undefined || parsePercentage(value) !== undefined);
}

/** Is this a percentage of 0 or less, which the controller makes 1? */
export function isZeroPercent(value: unknown): value is string {
  return typeof value === 'string' && (parsePercentage(value) ?? 1) <= 0;
}

/**
 * A limit as a number of `count` clusters or partitions: the first value that is there counts, else `"100%"`.
 *
 * - a whole number is held to 0 … count, and 0 stays 0
 * - a string of a whole number above 0 is that number, even above count
 * - a percentage is rounded down, `floor(floor(count × percent) / 100)`, and is never below 1: `"25%"` of 230 is 57, `"0%"` is 1
 * - of 0 clusters it is 1, whatever is written
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/status.go `limit`; before v0.13 nothing is held to the count.
 *
 * @throws FleetLimitError for a string that is neither, as the controller does.
 */
export function resolveLimit(count: number, values: readonly LimitValue[], behaviour: FleetBehaviour): number {
  if (count <= 0) return 1;
  const value = values.find((candidate) => candidate !== undefined && candidate !== null) ?? '100%';
  if (typeof value === 'number') return behaviour.clampsLimits ? Math.min(Math.max(value, 0), count) : value;
  const absolute = parsePositiveInteger(value);
  if (absolute !== undefined) return absolute;
  const percent = parsePercentage(value);
  if (percent === undefined) throw new FleetLimitError(`"${value}" is neither a whole number above 0 nor a percentage such as "10%"`);
  return computePercentOfCount(count, percent, behaviour);
}

function computePercentOfCount(count: number, percent: number, behaviour: FleetBehaviour): number {
  const product = Math.trunc(count * percent);
  // Beyond an int64 Go's conversion turns negative, and so the result 1; so does that of NaN.
  const share = product < 2 ** 63 ? Math.floor(product / 100) : 0;
  return Math.max(1, behaviour.clampsLimits ? Math.min(share, count) : share);
}
