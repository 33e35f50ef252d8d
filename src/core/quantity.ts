import { amountOf, NANO } from './amount';
import type { Amount } from './amount';

/** An amount of a resource as Kubernetes writes it: `1`, `"500m"`, `"16Gi"`. */
export type Quantity = number | string;

/** A whole unit (core, byte, device) in billionths, the finest step that Kubernetes keeps. */
export const NANOS = 1_000_000_000n;

/** What the suffixes multiply by, in billionths. Source: apimachinery `resource.Quantity`. */
const SUFFIXES: Readonly<Record<string, bigint>> = {
  n: 1n,
  u: 1_000n,
  m: 1_000_000n,
  '': NANOS,
  k: 10n ** 12n,
  M: 10n ** 15n,
  G: 10n ** 18n,
  T: 10n ** 21n,
  P: 10n ** 24n,
  E: 10n ** 27n,
  Ki: NANOS << 10n,
  Mi: NANOS << 20n,
  Gi: NANOS << 30n,
  Ti: NANOS << 40n,
  Pi: NANOS << 50n,
  Ei: NANOS << 60n,
};

/** As most amounts are written: a whole number that an int64 has room for with each of these suffixes. */
const PLAIN = /^([0-9]{1,6})([numkMGTPE]|[KMGT]i)?$/;

/** An amount beyond it counts as this, so that it stays a number that JSON can hold. */
const LARGEST = 10n ** 300n;

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
  const plain = PLAIN.exec(String(value));
  if (plain) return BigInt(plain[1]!) * SUFFIXES[plain[2] ?? '']!;
  const amount = amountOf(String(value));
  return amount && inNanos(amount);
}

/** In billionths. */
export function inNanos({ unscaled, exponent }: Amount): bigint {
  const nanos = unscaled * 10n ** BigInt(Math.max(0, exponent - NANO));
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

/** Suffixes to write amounts of bytes with, the largest first. */
const BYTE_SUFFIXES = ['Ei', 'Pi', 'Ti', 'Gi', 'Mi', 'Ki', 'E', 'P', 'T', 'G', 'M', 'k'];
const FINE_SUFFIXES = ['', 'm', 'u', 'n'];

/**
 * An amount as a quantity to read: bytes with the largest suffix that leaves a whole number, all else in units or, below one, thousandths.
 *
 * `formatNanos(1500000000n)` is `1500m`, `formatNanos(nanosOf("2048Mi"), 'bytes')` `2Gi`.
 */
export function formatNanos(amount: bigint, unit: 'bytes' | 'units' = 'units'): string {
  const candidates = unit === 'bytes' ? [...BYTE_SUFFIXES, ...FINE_SUFFIXES] : FINE_SUFFIXES;
  const suffix = amount === 0n ? '' : candidates.find((candidate) => isMultiple(amount, SUFFIXES[candidate]!))!;
  return `${amount / SUFFIXES[suffix]!}${suffix}`;
}
