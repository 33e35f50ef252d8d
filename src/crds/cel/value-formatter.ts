import type * as Cel from '@bufbuild/cel';
import type { CelList, CelMap, CelValue } from '@bufbuild/cel';
import { trimEndCharacters } from '../../core/text/trim-end';
import { formatAddress, formatNetwork } from './address';
import { unwrapKubernetesValue } from './kubernetes-value';

/*
 * Formatting of values as text. Source: cel-go v0.26 common/types, and ext/formatting.go in the version of the library that Kubernetes
 * uses.
 */

/** Formats the digits after the decimal point, without trailing zeros. */
function formatFraction(nanos: number): string {
  return nanos === 0 ? '' : `.${trimEndCharacters(String(nanos).padStart(9, '0'), '0')}`;
}

/** Formats a number as the shortest text, like Go's `%g`: `1e+06`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

interface ProtobufTime {
  readonly message: { readonly seconds: bigint; readonly nanos: number };
}

export function formatCelDuration(value: unknown): string {
  const { seconds, nanos } = (value as ProtobufTime).message;
  const isNegative = seconds < 0n || nanos < 0;
  const wholeSeconds = seconds < 0n ? -seconds : seconds;
  return `${isNegative ? '-' : ''}${wholeSeconds}${formatFraction(Math.abs(nanos))}s`;
}

export function formatCelTimestamp(value: unknown): string {
  const { seconds, nanos } = (value as ProtobufTime).message;
  return `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 19)}${formatFraction(nanos)}Z`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function escapeCharacter(character: string): string {
  const escape = ESCAPES[character];
  if (escape !== undefined) return escape;
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) return character;
  const code = character.codePointAt(0)!.toString(16);
  if (code.length <= 2 && character < '\u0080') return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

/** Quotes a text like Go's `%q`. */
function quote(text: string): string {
  return `"${Array.from(text, escapeCharacter).join('')}"`;
}

const DURATION = 'google.protobuf.Duration';
const TIMESTAMP = 'google.protobuf.Timestamp';
const PLACEHOLDER_PATTERN = /%(?:\.(\d+))?([\s\S]?)/g;
/** Maximum number of decimal places. The server writes up to 1,000,000, and JavaScript engines differ above 20. */
const MAX_PLACES = 20;
/** Maximum width of a number, which the library also reads from the precision. */
const MAX_WIDTH = 1_000_000;
const BASES: Readonly<Record<string, number>> = { b: 2, o: 8, d: 10, x: 16, X: 16 };

/** Number of characters that are quoted in the time of a step. */
const CHARACTERS_PER_STEP = 10;

function throwUnformattable(): never {
  throw new Error('no formatting of this value');
}

/** Formats values as text. */
export class CelValueFormatter {
  /**
   * @param rejectPrecision - gives up a rule that formats a number with too many decimal places
   * @param tick - counts the values in lists and maps, which cost nothing but take time
   */
  constructor(
    private readonly cel: typeof Cel,
    private readonly rejectPrecision: () => never,
    private readonly tick: (steps: number) => void,
  ) {}

  /** Formats a value for `%s`. */
  formatValue(value: CelValue): string {
    const { cel } = this;
    const own = unwrapKubernetesValue(value);
    if (own) return own.type === 'ip' ? formatAddress(own.value) : own.type === 'cidr' ? formatNetwork(own.value) : throwUnformattable();
    if (cel.isCelList(value)) return this.formatList(value);
    if (cel.isCelMap(value)) return this.formatMap(value);
    if (cel.isCelUint(value)) return String(value.value);
    if (typeof value === 'number') return formatDouble(value);
    if (value === null || typeof value !== 'object') return String(value);
    if (value instanceof Uint8Array) return new TextDecoder().decode(value);
    if (cel.isCelType(value)) return value.name;
    return cel.celType(value).name === DURATION ? formatCelDuration(value) : formatCelTimestamp(value);
  }

  /** Formats a value in a list or a map, as the language writes it. */
  private formatLiteral(value: CelValue): string {
    this.tick(1 + (typeof value === 'string' || value instanceof Uint8Array ? value.length / CHARACTERS_PER_STEP : 0));
    if (typeof value === 'string') return quote(value);
    if (value instanceof Uint8Array) return `b${quote(this.formatValue(value))}`;
    if (typeof value === 'number') return Number.isFinite(value) ? value.toFixed(6) : quote(this.formatValue(value));
    const type = this.cel.celType(value).name;
    if (type === DURATION) return `duration(${quote(this.formatValue(value))})`;
    return type === TIMESTAMP ? `timestamp(${quote(this.formatValue(value))})` : this.formatValue(value);
  }

  private formatList(list: CelList): string {
    return `[${[...list].map((item) => this.formatLiteral(item)).join(', ')}]`;
  }

  private formatMap(map: CelMap): string {
    const entries = [...map].map(([key, value]) => [this.formatLiteral(key as CelValue), this.formatLiteral(value)] as const);
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${sorted.map((entry) => entry.join(':')).join(', ')}}`;
  }

  /**
   * Replaces the placeholders of a text with values.
   *
   * @throws if there are fewer values than placeholders, or a placeholder does not accept its value
   */
  format(text: string, values: CelList): string {
    let used = 0;
    return text.replaceAll(PLACEHOLDER_PATTERN, (_, precision: string | undefined, letter: string) => {
      if (letter === '%' && precision === undefined) return '%';
      const value = values.get(used++);
      return value === undefined ? throwUnformattable() : this.formatPlaceholder(value, letter, precision);
    });
  }

  private formatPlaceholder(value: CelValue, letter: string, precision: string | undefined): string {
    if (letter === 's') return this.formatValue(value);
    const places = Number(precision ?? 6);
    if (letter === 'f') return places > MAX_PLACES ? this.rejectPrecision() : formatFixed(toFormatNumber(value), places);
    if (letter === 'e') return places > MAX_WIDTH ? this.rejectPrecision() : formatScientific(toFormatNumber(value)).padStart(places);
    const base = BASES[letter];
    if (base === undefined) return throwUnformattable();
    const formatted = this.formatInBase(value, letter, base);
    return letter === 'X' ? formatted.toUpperCase() : formatted;
  }

  private formatInBase(value: CelValue, letter: string, base: number): string {
    if (typeof value === 'bigint') return value.toString(base);
    if (this.cel.isCelUint(value)) return value.value.toString(base);
    if (letter === 'b' && typeof value === 'boolean') return value ? '1' : '0';
    if (base !== 16) return throwUnformattable();
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : throwUnformattable();
  }
}

const NO_NUMBERS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity'];

/** Converts a value to a number. These texts represent the numbers that JSON does not have. */
function toFormatNumber(value: CelValue): number {
  // The library writes no sign before a zero.
  if (typeof value === 'number') return value === 0 ? 0 : value;
  return NO_NUMBERS.includes(value) ? Number(value) : throwUnformattable();
}

const SUPERSCRIPT_DIGITS = Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹');

/**
 * Formats a number as `1.500000×10⁰³`. It always has six decimal digits, since the library uses the given precision as the minimum width of
 * the entire text.
 */
function formatScientific(value: number): string {
  if (!Number.isFinite(value)) return formatFixed(value, 0);
  const [digits, exponent] = formatSevenDigits(value).split('e') as [string, string];
  const power = Math.abs(Number(exponent));
  const raised = Array.from(String(power).padStart(2, '0'), (digit) => SUPERSCRIPT_DIGITS[Number(digit)]!).join('');
  return `${digits}×10${Number(exponent) < 0 ? '⁻' : ''}${raised}`;
}

/** Formats a number with seven digits, rounding halves to even; JavaScript rounds them up. */
function formatSevenDigits(value: number): string {
  const up = value.toExponential(6);
  const [digits, exponent] = value.toExponential(7).split('e') as [string, string];
  const isHalf = Number(`${digits}e${exponent}`) === value && digits.endsWith('5');
  if (!isHalf) return up;
  const isOdd = Number(digits.at(-2)) % 2 === 1;
  return isOdd ? up : `${digits.slice(0, -1)}e${exponent}`;
}

/** Formats a number with commas between thousands, as the library does for the only language that it is used with. */
function formatFixed(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
