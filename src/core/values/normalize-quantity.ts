import { parseQuantity, BINARY_SUFFIXES, DECIMAL_SUFFIXES } from './parsed-quantity';
import type { ParsedQuantity } from './parsed-quantity';
import { NANOS_PER_UNIT, toNanos } from './quantity';
import { toSafeText } from '../text/value-text';

/** Notation of a quantity, which the server keeps: `Gi`, `G`, or `e9`. */
type QuantityFormat = 'binary' | 'decimal' | 'exponent';

const MILLI = NANOS_PER_UNIT / 1000n;
const SUFFIX_OF_POWER: ReadonlyMap<number, string> = new Map(Object.entries(DECIMAL_SUFFIXES).map(([suffix, power]) => [power, suffix]));
const SUFFIX_OF_KIBIS = ['', ...Object.keys(BINARY_SUFFIXES)];

function detectFormat(text: string): QuantityFormat {
  if (text.endsWith('i')) return 'binary';
  return /[eE][+-]?[0-9]/.test(text) ? 'exponent' : 'decimal';
}

/** Splits a quantity into digits without trailing zeros and a power of ten that is a multiple of three. */
function splitThousands(nanos: bigint): [digits: bigint, exponent: number] {
  let digits = nanos;
  let exponent = -9;
  while (digits % 1000n === 0n) {
    digits /= 1000n;
    exponent += 3;
  }
  return [digits, exponent];
}

function formatBinary(units: bigint): string {
  let digits = units;
  let power = 0;
  while (digits % 1024n === 0n && power < SUFFIX_OF_KIBIS.length - 1) {
    digits /= 1024n;
    power++;
  }
  return `${digits}${SUFFIX_OF_KIBIS[power]}`;
}

function formatCanonical(nanos: bigint, format: QuantityFormat): string {
  if (nanos === 0n) return '0';
  const isSmall = nanos > -1024n * NANOS_PER_UNIT && nanos < 1024n * NANOS_PER_UNIT;
  if (format === 'binary' && !isSmall && nanos % NANOS_PER_UNIT === 0n) return formatBinary(nanos / NANOS_PER_UNIT);
  const [digits, exponent] = splitThousands(nanos);
  if (format === 'exponent') return exponent === 0 ? `${digits}` : `${digits}e${exponent}`;
  return `${digits}${SUFFIX_OF_POWER.get(exponent) ?? ''}`;
}

function roundUp(nanos: bigint, step: bigint): bigint {
  const remainder = nanos % step;
  if (remainder === 0n) return nanos;
  return nanos > 0n ? nanos - remainder + step : nanos - remainder - step;
}

/**
 * Reports whether the server keeps the text of a quantity. The server uses a simple test: `+1`, `1.` and `1e0` are kept, but `1000` becomes
 * `1k`, and `8Gi` is formatted again.
 */
function canKeepText(text: string, { isDecimal, exponent }: ParsedQuantity, isRounded: boolean): boolean {
  if (isDecimal || (isRounded && exponent < -3)) return false;
  const [, integerPart = '', fraction = ''] = /^[+-]?0*([0-9]*)(?:\.([0-9]*))?/.exec(text)!;
  const digits = (integerPart || '0') + fraction;
  if (text.endsWith('i')) return BigInt(digits) % 8n !== 0n;
  return exponent % 3 === 0 && !digits.endsWith('000') && /^[1-9]/.test(digits);
}

/**
 * Normalizes a quantity as the API server does: `1000m` is `1`, `1024Mi` is `1Gi`, and `1073741824` stays the same. Surrounding spaces are
 * removed. A value that is no quantity stays the same.
 *
 * @param isRounded whether it is rounded up to thousandths, as requests and limits are
 *
 * Source: apimachinery `resource.ParseQuantity`, `Quantity.CanonicalizeBytes`; `SetDefaults_ResourceList`.
 */
export function normalizeQuantity(value: unknown, isRounded: boolean): unknown {
  const text = toSafeText(value).trim();
  const amount = typeof value === 'string' || typeof value === 'number' ? parseQuantity(text) : undefined;
  if (amount === undefined) return value;
  if (canKeepText(text, amount, isRounded)) return text;
  const nanos = toNanos(amount);
  return formatCanonical(isRounded ? roundUp(nanos, MILLI) : nanos, detectFormat(text));
}
