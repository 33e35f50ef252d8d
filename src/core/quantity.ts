import { parseQuantity, BINARY_SUFFIXES, DECIMAL_SUFFIXES, NANO_EXPONENT, computePowerOfTen } from './parsed-quantity';
import type { ParsedQuantity } from './parsed-quantity';
import { BoundedMemo } from './memoize';

/** An amount of a resource as Kubernetes writes it: `1`, `"500m"`, `"16Gi"`. */
export type Quantity = number | string;

/** A whole unit (core, byte, device) in billionths, the finest step that Kubernetes keeps. */
export const NANOS_PER_UNIT = 1_000_000_000n;

/** What the suffixes multiply by, in billionths. */
const NANOS_PER_SUFFIX: ReadonlyMap<string, bigint> = new Map([
  ...Object.entries(DECIMAL_SUFFIXES).map(([suffix, exponent]) => [suffix, computePowerOfTen(exponent - NANO_EXPONENT)] as const),
  ...Object.entries(BINARY_SUFFIXES).map(([suffix, exponent]) => [suffix, NANOS_PER_UNIT << BigInt(exponent)] as const),
]);

/** As most amounts are written: a whole number of few digits. */
const SIMPLE_QUANTITY = /^([0-9]{1,6})([A-Za-z]{0,2})$/;

/** The suffixes with which an int64 has room for any such number: with a larger one it may be cut. */
const NANOS_PER_SIMPLE_SUFFIX: ReadonlyMap<string, bigint> = new Map(
  [...NANOS_PER_SUFFIX].filter(([suffix]) => (BINARY_SUFFIXES[suffix] ?? 0) <= 40),
);

/** An amount beyond it counts as this, so that it stays a number that JSON can hold. */
const MAX_NANOS = computePowerOfTen(300);

/**
 * The amount that a quantity stands for, exactly, in billionths of a unit; undefined where it is none.
 *
 * A finer amount is rounded up (away from zero), one with a binary suffix is cut at int64, as the API server does. `nanosOf("500m")` is 500000000n,
 * `nanosOf("1Ki")` 1024000000000n, `nanosOf("1e3")` 1000000000000n.
 *
 * Source: apimachinery `resource.ParseQuantity`.
 */
export function parseQuantityNanos(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value);
  return text.length > MAX_CACHED_LENGTH ? parseUncached(text) : NANOS_CACHE.getOrCompute(text, parseUncached);
}

/** Of thousands of containers most ask for one of a few amounts. */
const NANOS_CACHE = new BoundedMemo<bigint | undefined>();

/** Characters of an amount as people write it. */
const MAX_CACHED_LENGTH = 12;

function parseUncached(text: string): bigint | undefined {
  const simple = SIMPLE_QUANTITY.exec(text);
  const unit = simple && NANOS_PER_SIMPLE_SUFFIX.get(simple[2]!);
  if (unit) return BigInt(simple[1]!) * unit;
  const amount = parseQuantity(text);
  return amount && toNanos(amount);
}

/** In billionths. */
export function toNanos({ unscaled, exponent }: ParsedQuantity): bigint {
  const nanos = unscaled * computePowerOfTen(Math.max(0, exponent - NANO_EXPONENT));
  if (nanos > MAX_NANOS) return MAX_NANOS;
  return nanos < -MAX_NANOS ? -MAX_NANOS : nanos;
}

/** The number that a quantity stands for, in cores, bytes or devices; undefined where it is none. `quantityOf("500m")` is 0.5. */
export function parseQuantityNumber(value: unknown): number | undefined {
  const nanos = parseQuantityNanos(value);
  return nanos === undefined ? undefined : Number(nanos) / Number(NANOS_PER_UNIT);
}

function isMultiple(amount: bigint, unit: bigint): boolean {
  return amount % unit === 0n;
}

/** Is this a quantity as the API server reads it, in text or as a number? Spaces around it count for nothing. */
export function isQuantity(value: unknown): value is Quantity {
  return (typeof value === 'number' || typeof value === 'string') && parseQuantityNanos(String(value).trim()) !== undefined;
}

/** Suffixes to write an amount with: the first that leaves a whole number is taken, and the last one leaves one of any. */
const DECIMAL_SUFFIXES_DESCENDING = Object.keys(DECIMAL_SUFFIXES).toReversed();
const SUFFIXES_BY_UNIT: Readonly<Record<'bytes' | 'units', readonly string[]>> = {
  bytes: [...Object.keys(BINARY_SUFFIXES).toReversed(), ...DECIMAL_SUFFIXES_DESCENDING],
  units: DECIMAL_SUFFIXES_DESCENDING.slice(DECIMAL_SUFFIXES_DESCENDING.indexOf('')),
};

/**
 * An amount as a quantity to read: bytes with the largest suffix that leaves a whole number, all else in units or, below one, thousandths.
 *
 * `formatNanos(1500000000n)` is `1500m`, `formatNanos(nanosOf("2048Mi"), 'bytes')` `2Gi`.
 */
export function formatNanos(amount: bigint, unit: 'bytes' | 'units' = 'units'): string {
  const suffix = amount === 0n ? '' : SUFFIXES_BY_UNIT[unit].find((candidate) => isMultiple(amount, NANOS_PER_SUFFIX.get(candidate)!))!;
  return `${amount / NANOS_PER_SUFFIX.get(suffix)!}${suffix}`;
}
