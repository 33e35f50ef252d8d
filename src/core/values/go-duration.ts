/** Nanoseconds per unit of a Go duration. Both letters that look like µ are accepted. */
const NANOS_PER_UNIT_NAME: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Maximum number of digits of an int64; further digits do not affect the result. */
const MAX_DIGITS = 19;

const PART = /([0-9]*)(?:\.([0-9]*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/**
 * Parses a Go duration to nanoseconds, rounding each part down: `1h30m`, `+.5s`; undefined for any other text, or if it exceeds an int64.
 *
 * Source: Go 1.25 time.ParseDuration.
 */
export function parseGoDuration(text: string): bigint | undefined {
  const unsigned = text.replace(/^[+-]/, '');
  const sign = text.startsWith('-') ? -1n : 1n;
  if (unsigned === '0') return 0n;
  if (unsigned === '') return undefined;
  let nanos = 0n;
  for (let from = 0; from < unsigned.length; from = PART.lastIndex) {
    PART.lastIndex = from;
    const [, integerPart = '', fraction = '', unit] = PART.exec(unsigned) ?? [];
    if (unit === undefined || integerPart + fraction === '') return undefined;
    const digits = integerPart.replace(/^0+/, '');
    if (digits.length > MAX_DIGITS) return undefined;
    const scale = NANOS_PER_UNIT_NAME[unit]!;
    const finest = fraction.slice(0, MAX_DIGITS - 1);
    nanos += BigInt(digits || '0') * scale + (BigInt(finest || '0') * scale) / 10n ** BigInt(finest.length);
    if (nanos > 2n ** 63n - 1n) return undefined;
  }
  return sign * nanos;
}
