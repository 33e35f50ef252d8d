import type { FleetBehaviour } from './behaviour';

/** Thrown for a limit that the controller refuses when it reconciles the bundle. */
export class FleetLimitError extends Error {
  override readonly name = 'FleetLimitError';
}

/** A limit as written. If it is unset, the next value in the list applies. */
export type LimitValue = number | string | null | undefined;

const INTEGER = /^[+-]?[0-9]+$/;
const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;
const HEXADECIMAL = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?[0-9]+)$/i;
const NOT_FINITE = /^(?:([+-]?)inf(?:inity)?|nan)$/i;

/** Upper bound of Go's int. Larger numbers are clamped to it. */
const MAX_INT64 = 2 ** 63;

/** Parses a string as an integer above 0: `"10"`. */
function parsePositiveInteger(text: string): number | undefined {
  const value = INTEGER.test(text) ? Number(text) : 0;
  return value > 0 ? Math.min(value, MAX_INT64) : undefined;
}

/** Reports whether underscores are only between digits or after the prefix of a hexadecimal number. */
function hasValidUnderscores(text: string): boolean {
  const digits = /^[+-]?0x/i.test(text) ? /^[0-9a-fx]_[0-9a-f]$/i : /^[0-9x]_[0-9]$/i;
  return [...text.matchAll(/_/g)].every(({ index }) => digits.test(text.slice(index - 1, index + 2)));
}

/** Parses a number like Go's ParseFloat: `12.5`, `1_0`, `0x1p4`, `inf`; undefined if ParseFloat fails or the number is too large. */
function parseGoFloat(text: string): number | undefined {
  const special = NOT_FINITE.exec(text);
  if (special) return special[1] === undefined ? NaN : Number(`${special[1]}Infinity`);
  if (!hasValidUnderscores(text)) return undefined;
  const plain = text.replaceAll('_', '');
  const value = DECIMAL.test(plain) ? Number(plain) : parseHexadecimal(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** Parses a hexadecimal float: base-16 digits times a power of 2. `0x1p4` is 16; other text is NaN. */
function parseHexadecimal(text: string): number {
  const [, sign, integer = '', fraction = '', power] = HEXADECIMAL.exec(text) ?? [];
  const digits = Number(`0x${integer}${fraction}`);
  return (sign === '-' ? -1 : 1) * digits * 2 ** (Number(power) - 4 * fraction.length);
}

/** Parses the N of `"N%"`, which may be a fraction, negative or infinite; undefined if Go's ParseFloat fails. */
function parsePercentage(text: string): number | undefined {
  return text.endsWith('%') ? parseGoFloat(text.slice(0, -1)) : undefined;
}

/** Reports whether the controller accepts the value as a limit: an integer, a string with an integer above 0, or a percentage. */
export function isLimit(value: unknown): value is number | string {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && (parsePositiveInteger(value) !== undefined || parsePercentage(value) !== undefined);
}

/** Reports whether the value is a percentage of 0 or less, which the controller resolves to 1. */
export function isZeroPercent(value: unknown): value is string {
  return typeof value === 'string' && (parsePercentage(value) ?? 1) <= 0;
}

/**
 * Resolves a limit to a number of `count` clusters or partitions. The first value that is set counts; the default is `"100%"`.
 *
 * - an integer is clamped to 0 … count, and 0 stays 0
 * - a string with an integer above 0 is that number, even above count
 * - a percentage is rounded down, `floor(floor(count × percent) / 100)`, and is at least 1: `"25%"` of 230 is 57, `"0%"` is 1
 * - for 0 clusters it is always 1
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/status.go `limit`; before v0.13 nothing is clamped to the count.
 *
 * @throws FleetLimitError for a string that is neither an integer above 0 nor a percentage, as the controller does.
 */
export function resolveLimit(count: number, values: readonly LimitValue[], behaviour: FleetBehaviour): number {
  if (count <= 0) return 1;
  const value = values.find((candidate) => candidate !== undefined && candidate !== null) ?? '100%';
  if (typeof value === 'number') return behaviour.clampsLimits ? Math.min(Math.max(value, 0), count) : value;
  const absolute = parsePositiveInteger(value);
  if (absolute !== undefined) return absolute;
  const percent = parsePercentage(value);
  if (percent === undefined) throw new FleetLimitError(`"${value}" is neither an integer above 0 nor a percentage such as "10%"`);
  return computePercentOfCount(count, percent, behaviour);
}

function computePercentOfCount(count: number, percent: number, behaviour: FleetBehaviour): number {
  const product = Math.trunc(count * percent);
  // Above int64, and for NaN, Go's conversion is negative, so the result is 1.
  const share = product < 2 ** 63 ? Math.floor(product / 100) : 0;
  return Math.max(1, behaviour.clampsLimits ? Math.min(share, count) : share);
}
