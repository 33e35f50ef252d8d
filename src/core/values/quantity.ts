import { parseQuantity, BINARY_SUFFIXES, DECIMAL_SUFFIXES, NANO_EXPONENT, computePowerOfTen } from './parsed-quantity';
import type { ParsedQuantity } from './parsed-quantity';
import { BoundedMemo } from '../collections/memoize';

/** An amount of a resource in Kubernetes notation: `1`, `"500m"`, `"16Gi"`. */
export type Quantity = number | string;

/** One unit (core, byte, device) in billionths, the smallest step that Kubernetes keeps. */
export const NANOS_PER_UNIT = 1_000_000_000n;

/** Amounts by resource name, in billionths of a unit. */
export type Amounts = ReadonlyMap<string, bigint>;

/** Factors of the suffixes, in billionths. */
const NANOS_PER_SUFFIX: ReadonlyMap<string, bigint> = new Map([
  ...Object.entries(DECIMAL_SUFFIXES).map(([suffix, exponent]) => [suffix, computePowerOfTen(exponent - NANO_EXPONENT)] as const),
  ...Object.entries(BINARY_SUFFIXES).map(([suffix, exponent]) => [suffix, NANOS_PER_UNIT << BigInt(exponent)] as const),
]);

/** Notation of most quantities: an integer with few digits. */
const SIMPLE_QUANTITY = /^([0-9]{1,6})([A-Za-z]{0,2})$/;

const SPACE = /\p{Zs}/u;

/** Removes spaces around a quantity, as the API server does. JSON writes tabs and line breaks as escapes, which it refuses. */
function trimSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACE.test(text[start]!)) start++;
  while (end > start && SPACE.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** Suffixes with which any such number fits into an int64; with a larger suffix it may be limited. */
const NANOS_PER_SIMPLE_SUFFIX: ReadonlyMap<string, bigint> = new Map(
  [...NANOS_PER_SUFFIX].filter(([suffix]) => (BINARY_SUFFIXES[suffix] ?? 0) <= 40),
);

/** Maximum amount; larger ones are limited to it, so that they stay numbers that JSON can represent. */
const MAX_NANOS = computePowerOfTen(300);

/**
 * Parses a quantity to billionths of a unit, exactly; undefined for any other value.
 *
 * As in the API server, a finer amount is rounded up (away from zero), and one with a binary suffix is limited to an int64.
 * `parseQuantityNanos("500m")` is 500000000n, `parseQuantityNanos("1Ki")` 1024000000000n, `parseQuantityNanos("1e3")` 1000000000000n.
 *
 * Source: apimachinery v0.34 `resource.ParseQuantity` and `Quantity.UnmarshalJSON`.
 */
export function parseQuantityNanos(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value);
  return text.length > MAX_CACHED_LENGTH ? parseUncached(text) : NANOS_CACHE.getOrCompute(text, parseUncached);
}

/** Cache of parsed quantities: most containers request one of a few amounts. */
const NANOS_CACHE = new BoundedMemo<bigint | undefined>();

/** Maximum length of a cached quantity; people write no longer ones. */
const MAX_CACHED_LENGTH = 12;

function parseUncached(text: string): bigint | undefined {
  const simple = SIMPLE_QUANTITY.exec(text);
  const unit = simple && NANOS_PER_SIMPLE_SUFFIX.get(simple[2]!);
  if (unit) return BigInt(simple[1]!) * unit;
  const amount = parseQuantity(trimSpaces(text));
  return amount && toNanos(amount);
}

/** Converts a quantity to billionths. */
export function toNanos({ unscaled, exponent }: ParsedQuantity): bigint {
  const nanos = unscaled * computePowerOfTen(Math.max(0, exponent - NANO_EXPONENT));
  if (nanos > MAX_NANOS) return MAX_NANOS;
  return nanos < -MAX_NANOS ? -MAX_NANOS : nanos;
}

/** Parses a quantity to a number of cores, bytes or devices; undefined for any other value. `parseQuantityNumber("500m")` is 0.5. */
export function parseQuantityNumber(value: unknown): number | undefined {
  const nanos = parseQuantityNanos(value);
  return nanos === undefined ? undefined : Number(nanos) / Number(NANOS_PER_UNIT);
}

function isMultiple(amount: bigint, unit: bigint): boolean {
  return amount % unit === 0n;
}

/** Reports whether the API server accepts a text or number as a quantity. */
export function isQuantity(value: unknown): value is Quantity {
  return parseQuantityNanos(value) !== undefined;
}

/**
 * Suffixes for formatting, in order of preference: the first one that leaves an integer is used, and the last one always leaves an integer.
 */
const DECIMAL_SUFFIXES_DESCENDING = Object.keys(DECIMAL_SUFFIXES).toReversed();
const SUFFIXES_BY_UNIT: Readonly<Record<'bytes' | 'units', readonly string[]>> = {
  bytes: [...Object.keys(BINARY_SUFFIXES).toReversed(), ...DECIMAL_SUFFIXES_DESCENDING],
  units: DECIMAL_SUFFIXES_DESCENDING.slice(DECIMAL_SUFFIXES_DESCENDING.indexOf('')),
};

/**
 * Formats a quantity for people: bytes with the largest suffix that leaves an integer, other resources in units, or in thousandths below
 * one.
 *
 * `formatNanos(1500000000n)` is `1500m`, `formatNanos(parseQuantityNanos("2048Mi"), 'bytes')` `2Gi`.
 */
export function formatNanos(amount: bigint, unit: 'bytes' | 'units' = 'units'): string {
  const suffix = amount === 0n ? '' : SUFFIXES_BY_UNIT[unit].find((candidate) => isMultiple(amount, NANOS_PER_SUFFIX.get(candidate)!))!;
  return `${amount / NANOS_PER_SUFFIX.get(suffix)!}${suffix}`;
}
