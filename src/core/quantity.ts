import { amountOf, BINARY_SUFFIXES, DECIMAL_SUFFIXES, NANO, powerOfTen } from './amount';
import type { Amount } from './amount';
import { Remembered } from './remembered';

/** An amount of a resource as Kubernetes writes it: `1`, `"500m"`, `"16Gi"`. */
export type Quantity = number | string;

/** A whole unit (core, byte, device) in billionths, the finest step that Kubernetes keeps. */
export const NANOS = 1_000_000_000n;

/** What the suffixes multiply by, in billionths. */
const SUFFIXES: ReadonlyMap<string, bigint> = new Map([
  ...Object.entries(DECIMAL_SUFFIXES).map(([suffix, exponent]) => [suffix, powerOfTen(exponent - NANO)] as const),
  ...Object.entries(BINARY_SUFFIXES).map(([suffix, exponent]) => [suffix, NANOS << BigInt(exponent)] as const),
]);

/** As most amounts are written: a whole number of few digits. */
const PLAIN = /^([0-9]{1,6})([A-Za-z]{0,2})$/;

/** The suffixes with which an int64 has room for any such number: with a larger one it may be cut. */
const PLAIN_SUFFIXES: ReadonlyMap<string, bigint> = new Map([...SUFFIXES].filter(([suffix]) => (BINARY_SUFFIXES[suffix] ?? 0) <= 40));

/** An amount beyond it counts as this, so that it stays a number that JSON can hold. */
const LARGEST = powerOfTen(300);

/**
 * The amount that a quantity stands for, exactly, in billionths of a unit; undefined where it is none.
 *
 * A finer amount is rounded up (away from zero), one with a binary suffix is cut at int64, as the API server does. `nanosOf("500m")` is 500000000n,
 * `nanosOf("1Ki")` 1024000000000n, `nanosOf("1e3")` 1000000000000n.
 *
 * Source: apimachinery `resource.ParseQuantity`.
 */
export function nanosOf(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value);
  return text.length > LONGEST_KEPT ? parsed(text) : KNOWN.of(text, parsed);
}

/** Of thousands of containers most ask for one of a few amounts. */
const KNOWN = new Remembered<bigint | undefined>();

/** Characters of an amount as people write it. */
const LONGEST_KEPT = 12;

function parsed(text: string): bigint | undefined {
  const plain = PLAIN.exec(text);
  const unit = plain && PLAIN_SUFFIXES.get(plain[2]!);
  if (unit) return BigInt(plain[1]!) * unit;
  const amount = amountOf(text);
  return amount && inNanos(amount);
}

/** In billionths. */
export function inNanos({ unscaled, exponent }: Amount): bigint {
  const nanos = unscaled * powerOfTen(Math.max(0, exponent - NANO));
  if (nanos > LARGEST) return LARGEST;
  return nanos < -LARGEST ? -LARGEST : nanos;
}

/** The number that a quantity stands for, in cores, bytes or devices; undefined where it is none. `quantityOf("500m")` is 0.5. */
export function quantityOf(value: unknown): number | undefined {
  const nanos = nanosOf(value);
  return nanos === undefined ? undefined : Number(nanos) / Number(NANOS);
}

function isMultiple(amount: bigint, unit: bigint): boolean {
  return amount % unit === 0n;
}

/** Is this a quantity as the API server reads it, in text or as a number? Spaces around it count for nothing. */
export function isQuantity(value: unknown): value is Quantity {
  return (typeof value === 'number' || typeof value === 'string') && nanosOf(String(value).trim()) !== undefined;
}

/** Suffixes to write an amount with: the first that leaves a whole number is taken, and the last one leaves one of any. */
const DECIMALS_DOWN = Object.keys(DECIMAL_SUFFIXES).toReversed();
const WRITTEN_WITH: Readonly<Record<'bytes' | 'units', readonly string[]>> = {
  bytes: [...Object.keys(BINARY_SUFFIXES).toReversed(), ...DECIMALS_DOWN],
  units: DECIMALS_DOWN.slice(DECIMALS_DOWN.indexOf('')),
};

/**
 * An amount as a quantity to read: bytes with the largest suffix that leaves a whole number, all else in units or, below one, thousandths.
 *
 * `formatNanos(1500000000n)` is `1500m`, `formatNanos(nanosOf("2048Mi"), 'bytes')` `2Gi`.
 */
export function formatNanos(amount: bigint, unit: 'bytes' | 'units' = 'units'): string {
  const suffix = amount === 0n ? '' : WRITTEN_WITH[unit].find((candidate) => isMultiple(amount, SUFFIXES.get(candidate)!))!;
  return `${amount / SUFFIXES.get(suffix)!}${suffix}`;
}
