/* Source: apimachinery v0.34 pkg/api/resource, `Quantity`. */

/**
 * A quantity as an integer times a power of ten, represented as an int64 or as a decimal of any size. A rule of a CRD never treats a
 * decimal as an integer.
 */
export interface ParsedQuantity {
  readonly unscaled: bigint;
  /** Power of ten. */
  readonly exponent: number;
  readonly isDecimal: boolean;
}

const INT64_RANGE = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
/** Number of digits that always fit into an int64. */
const SAFE_DIGITS = 18;
/** Smallest power of ten that is kept. */
export const NANO_EXPONENT = -9;
/** Maximum power of ten; larger powers are limited to it, since a number with a billion digits would take too long. */
const MAX_EXPONENT = 1_000;

/** Power of ten of each suffix, in ascending order. */
export const DECIMAL_SUFFIXES: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
/** Power of two of each suffix, in ascending order. */
export const BINARY_SUFFIXES: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

export function fitsInt64(value: bigint): boolean {
  return value >= INT64_RANGE.min && value <= INT64_RANGE.max;
}

export function computePowerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/**
 * Maximum number of significant digits. More digits before the point exceed int64 with any power, and more digits after it are below a
 * billionth.
 * A number with a million digits would take too long.
 */
const MAX_SIGNIFICANT_DIGITS = 2 * MAX_EXPONENT;

/**
 * Truncates the digits after the point to the significant ones. If the rest is not zero, it becomes one digit, since quantities are rounded
 * up.
 */
function truncateFraction(digits: string): string {
  if (digits.length <= MAX_SIGNIFICANT_DIGITS) return digits;
  return digits.slice(0, MAX_SIGNIFICANT_DIGITS) + (/[1-9]/.test(digits.slice(MAX_SIGNIFICANT_DIGITS)) ? '1' : '0');
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
}

function parseSuffix(suffix: string): Suffix | undefined {
  if (Object.hasOwn(BINARY_SUFFIXES, suffix)) return { base: 2, exponent: BINARY_SUFFIXES[suffix]! };
  if (Object.hasOwn(DECIMAL_SUFFIXES, suffix)) return { base: 10, exponent: DECIMAL_SUFFIXES[suffix]! };
  const exponentMatch = /^[eE]([+-]?\d{1,9})$/.exec(suffix);
  return exponentMatch ? { base: 10, exponent: Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, Number(exponentMatch[1]))) } : undefined;
}

/** Returns how many more digits fit into an int64 together with the suffix. */
function countSpareDigits({ base, exponent }: Suffix, digits: number, hasFraction: boolean): number {
  if (base === 10) return SAFE_DIGITS - digits;
  return hasFraction ? -1 : 15 - digits - Math.trunc((exponent * 3) / 10) - 1;
}

function parseAsInt64(integerPart: string, fraction: string, suffix: Suffix): Omit<ParsedQuantity, 'isDecimal'> | undefined {
  if (countSpareDigits(suffix, integerPart.length + fraction.length, fraction !== '') < 0) return undefined;
  const exponent = (suffix.base === 10 ? suffix.exponent : 0) - fraction.length;
  const unscaled = BigInt(integerPart + fraction) * (suffix.base === 2 ? 1n << BigInt(suffix.exponent) : 1n);
  return exponent >= NANO_EXPONENT && fitsInt64(unscaled) ? { unscaled, exponent } : undefined;
}

/** Parses a quantity as a decimal: rounded up to billionths, and limited to the maximum int64 if it has a binary suffix. */
function parseAsDecimal(integerPart: string, fraction: string, suffix: Suffix): Omit<ParsedQuantity, 'isDecimal'> {
  const digits = BigInt(integerPart + fraction) * (suffix.base === 2 ? 1n << BigInt(suffix.exponent) : 1n);
  const exponent = (suffix.base === 10 ? suffix.exponent : 0) - fraction.length;
  if (digits === 0n) return { unscaled: 0n, exponent };
  const shift = exponent - NANO_EXPONENT;
  const divisor = computePowerOfTen(Math.max(0, -shift));
  const nanos = (digits * computePowerOfTen(Math.max(0, shift)) + divisor - 1n) / divisor;
  return suffix.base === 2 && nanos > INT64_RANGE.max * computePowerOfTen(-NANO_EXPONENT)
    ? { unscaled: INT64_RANGE.max, exponent: 0 }
    : { unscaled: nanos, exponent: NANO_EXPONENT };
}

/** Parses a quantity; undefined for any other text. Source: `ParseQuantity`. */
export function parseQuantity(text: string): ParsedQuantity | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([A-Za-z]+[+-]?\d*)?$/.exec(text);
  if (!match || text === '') return undefined;
  const [, sign, digits = '', fractionDigits = '', suffixText = ''] = match;
  const suffix = parseSuffix(suffixText);
  if (!suffix) return undefined;
  const integerPart = digits.replace(/^0+/, '').slice(0, MAX_SIGNIFICANT_DIGITS) || '0';
  const fraction = truncateFraction(fractionDigits);
  const small = parseAsInt64(integerPart, fraction, suffix);
  const { unscaled, exponent } = small ?? parseAsDecimal(integerPart, fraction, suffix);
  // Go reads a sign or point without digits as zero, unless it must parse a decimal.
  if (!small && !/\d/.test(text.slice(0, text.length - suffixText.length))) return undefined;
  return { unscaled: sign === '-' ? -unscaled : unscaled, exponent, isDecimal: !small };
}
