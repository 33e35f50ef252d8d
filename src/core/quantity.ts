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

const QUANTITY = /^([+-]?)([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?[0-9]{1,9}))?$/;

/** The largest amount: what is beyond int64 counts as this. */
const LARGEST = (2n ** 63n - 1n) * NANOS;
/** An exponent beyond it is taken as this: int64 and billionths are passed long before. */
const MAX_EXPONENT = 1_000;

/**
 * Digits of which none decides any more: more of them before the point are beyond int64 whatever the exponent, more behind it are below a billionth.
 * A number of a million digits would take its time.
 */
const DECISIVE_DIGITS = 2 * MAX_EXPONENT;

/** The digits before or behind the point, as many as decide; what follows behind the point counts as one digit, since amounts are rounded up. */
function asFewDigits(digits: string, place: number): string {
  if (digits.length <= DECISIVE_DIGITS) return digits;
  if (place === 1) return digits.slice(0, DECISIVE_DIGITS) + (/[1-9]/.test(digits.slice(DECISIVE_DIGITS)) ? '1' : '0');
  const first = digits.search(/[1-9]/);
  return first < 0 ? '0' : digits.slice(first, first + DECISIVE_DIGITS);
}

/** Digits that decide every one. */
const MOST_WHOLE_DIGITS = 20;

function dividedUp(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor;
}

/**
 * The amount that a quantity stands for, exactly, in billionths of a unit; undefined where it is none.
 *
 * A finer amount is rounded up (away from zero), one beyond int64 is cut to it, as the API server does. `nanosOf("500m")` is 500000000n,
 * `nanosOf("1Ki")` 1024000000000n, `nanosOf("1e3")` 1000000000000n.
 *
 * Source: apimachinery `resource.ParseQuantity`.
 */
export function nanosOf(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const match = QUANTITY.exec(String(value));
  if (!match) return undefined;
  const [, sign, number = '', suffix = '', exponent] = match;
  return sign === '-' ? -sizeOf(number, suffix, exponent) : sizeOf(number, suffix, exponent);
}

/** A whole number of units, as most are written, is multiplied alone. */
function sizeOf(number: string, suffix: string, exponent: string | undefined): bigint {
  const isWhole = exponent === undefined && number.length <= MOST_WHOLE_DIGITS && !number.includes('.');
  return capped(isWhole ? BigInt(number) * SUFFIXES[suffix]! : scaled(number, suffix, exponent ?? '0'));
}

function scaled(number: string, suffix: string, exponent: string): bigint {
  const [whole = '', fraction = ''] = number.split('.').map(asFewDigits);
  const digits = BigInt(whole + fraction);
  const shift = Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, Number(exponent)));
  const unit = SUFFIXES[suffix]! * 10n ** BigInt(Math.max(0, shift));
  return dividedUp(digits * unit, 10n ** BigInt(fraction.length + Math.max(0, -shift)));
}

function capped(amount: bigint): bigint {
  return amount > LARGEST ? LARGEST : amount;
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
  return (typeof value === 'number' || typeof value === 'string') && QUANTITY.test(String(value).trim());
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
