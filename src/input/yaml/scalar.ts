import { decodeBase64 } from '../../core/values/bytes';

/** Value of a scalar as kubectl converts it to JSON. */
export type ScalarValue = string | number | boolean | null;

/** Thrown for a scalar that does not match its explicit tag: `!!int "three"`. */
export class ScalarTagError extends Error {
  override readonly name = 'ScalarTagError';
  constructor(
    readonly text: string,
    /** The tag without its `!!`. */
    readonly type: string,
  ) {
    super(`"${text}" does not fit its tag !!${type}`);
  }
}

type ScalarType = 'bool' | 'null' | 'int' | 'float' | 'timestamp' | 'str' | 'binary';

interface ResolvedScalar {
  readonly type: ScalarType;
  readonly value: ScalarValue;
  /** Exact value of an integer, which a number may not be able to represent. */
  readonly exact?: bigint;
}

function buildWords(type: ScalarType, value: ScalarValue, ...texts: readonly string[]): (readonly [string, ResolvedScalar])[] {
  return texts.map((text) => [text, { type, value }]);
}

const WORDS: ReadonlyMap<string, ResolvedScalar> = new Map([
  ...buildWords('bool', true, 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'),
  ...buildWords('bool', false, 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'),
  ...buildWords('null', null, '', '~', 'null', 'Null', 'NULL'),
  ...buildWords('float', NaN, '.nan', '.NaN', '.NAN'),
  ...buildWords('float', Infinity, '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'),
  ...buildWords('float', -Infinity, '-.inf', '-.Inf', '-.INF'),
]);

const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]+)|(0|[1-9][0-9]*))$/;
const BINARY_WITH_INNER_SIGN = /^0b([-+])([01]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** A float as Go's ParseFloat reads it, with underscores between digits. */
const FLOAT_FROM_POINT = /^\.[0-9][0-9_]*(?:[eE][-+]?[0-9][0-9_]*)?$/;
const MISPLACED_UNDERSCORE = /_(?![0-9])/;
const NUMBER_START = /^[-+0-9]/;

const MIN_INT64 = -(2n ** 63n);
const UINT64_LIMIT = 2n ** 64n;
const INT64_LIMIT = 2n ** 63n;

function parseMagnitude([, , hexadecimal, binary, octal, zeroOctal, decimal]: readonly (string | undefined)[]): bigint {
  if (hexadecimal !== undefined) return BigInt(`0x${hexadecimal}`);
  if (binary !== undefined) return BigInt(`0b${binary}`);
  if (octal !== undefined || zeroOctal !== undefined) return BigInt(`0o${octal ?? zeroOctal}`);
  return BigInt(decimal!);
}

/** Reports whether an integer fits into 64 bits. An integer without a sign may use all of them, as a uint64. */
function fitsInt64(integer: bigint, isSigned: boolean): boolean {
  return integer >= MIN_INT64 && integer < (isSigned ? INT64_LIMIT : UINT64_LIMIT);
}

/** More digits than any 64-bit integer has, in any base. The time to parse a longer number grows with the square of its length. */
const MAX_INTEGER_DIGITS = 70;

function parseInteger(digits: string): ResolvedScalar | undefined {
  if (digits.length > MAX_INTEGER_DIGITS && !/^[-+]?0/.test(digits)) return undefined;
  const match = INTEGER.exec(digits) ?? matchInnerSign(digits);
  if (!match) return undefined;
  const size = parseMagnitude(match);
  const exact = match[1] === '-' ? -size : size;
  return fitsInt64(exact, match[1] !== '') ? { type: 'int', value: Number(exact), exact } : undefined;
}

/** Matches `0b-101`, which Go's parser reads as -5. */
function matchInnerSign(digits: string): readonly (string | undefined)[] | undefined {
  const match = BINARY_WITH_INNER_SIGN.exec(digits);
  return match ? [digits, match[1], undefined, match[2]] : undefined;
}

/** Parses a float. Returns undefined for a number beyond float64: it stays text, because Go's ParseFloat refuses it. */
function parseFloatNumber(digits: string): ResolvedScalar | undefined {
  const value = Number(digits);
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

function parsePointFloat(text: string): ResolvedScalar | undefined {
  const isFloat = FLOAT_FROM_POINT.test(text) && !MISPLACED_UNDERSCORE.test(text);
  return isFloat ? parseFloatNumber(text.replaceAll('_', '')) : undefined;
}

const TIMESTAMP =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:([Tt ])([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(?:(Z)|[-+]([0-9]{2}):([0-9]{2}))?)?$/;

/** Reports whether Go's time package parses a text. A time after `T` needs a zone; a time after a blank must not have one. */
function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (!match) return false;
  const [, year, month, day, separator, hour = '0', minute = '0', second = '0', utc, zoneHour, zoneMinute] = match;
  const hasZone = utc !== undefined || zoneHour !== undefined;
  if (separator !== undefined && hasZone === (separator === ' ')) return false;
  const monthNumber = Number(month);
  if (monthNumber < 1 || monthNumber > 12 || Number(day) < 1) return false;
  const years = Number(year);
  const isLeap = years % 4 === 0 && (years % 100 !== 0 || years % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][monthNumber - 1]!;
  if (Number(day) > days || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  return Number(zoneHour ?? 0) <= 24 && Number(zoneMinute ?? 0) <= 60;
}

function resolveText(text: string): ResolvedScalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const asText: ResolvedScalar = { type: 'str', value: text };
  if (text.startsWith('.')) return parsePointFloat(text) ?? asText;
  if (!NUMBER_START.test(text)) return asText;
  if (isTimestamp(text)) return { type: 'timestamp', value: text };
  const digits = text.replaceAll('_', '');
  return parseInteger(digits) ?? (FLOAT.test(digits) ? parseFloatNumber(digits) : undefined) ?? asText;
}

/** Returns the value of a scalar. A negative zero is zero, except as a key. */
function toValue({ value }: ResolvedScalar): ScalarValue {
  return typeof value === 'number' ? value + 0 : value;
}

/**
 * Resolves a plain (unquoted) scalar as kubectl does: YAML 1.1 booleans, octal `0777`, hex, binary, underscores in numbers.
 *
 * Sexagesimal numbers and timestamps stay text. `resolvePlain('yes')` is true, `resolvePlain('0777')` 511,
 * `resolvePlain('12:30')` `'12:30'`.
 * Source: sigs.k8s.io/yaml v1.6, go.yaml.in/yaml v2.4.2 `resolve`.
 */
export function resolvePlain(text: string): ScalarValue {
  return toValue(resolveText(text));
}

const TAG_PREFIX = 'tag:yaml.org,2002:';

/** Types that the text of a scalar may have, by the type of its tag. */
const ACCEPTED_TYPES: Readonly<Record<string, readonly ScalarType[]>> = {
  bool: ['bool'],
  int: ['int'],
  float: ['float', 'int'],
  null: ['null'],
  timestamp: ['timestamp'],
};

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function decodeBinary(text: string): ResolvedScalar {
  const digits = text.replaceAll(/[\r\n]/g, '');
  if (digits.length % 4 !== 0 || !BASE64.test(digits)) throw new ScalarTagError(text, 'binary');
  return { type: 'binary', value: decodeBase64(digits) };
}

function resolveTagged(tag: string, text: string): ResolvedScalar {
  const type = tag.startsWith(TAG_PREFIX) ? tag.slice(TAG_PREFIX.length) : '';
  if (type === 'binary') return decodeBinary(text);
  const acceptedTypes = Object.hasOwn(ACCEPTED_TYPES, type) ? ACCEPTED_TYPES[type] : undefined;
  if (!acceptedTypes) return { type: 'str', value: text };
  const resolved = resolveText(text);
  const isUnsigned = resolved.exact !== undefined && resolved.exact >= INT64_LIMIT;
  if (!acceptedTypes.includes(resolved.type) || (type === 'float' && isUnsigned)) throw new ScalarTagError(text, type);
  return resolved;
}

/** Scalar as it is written in a document. */
export interface ScalarSource {
  readonly text: string;
  /** Whether the scalar has no quotes and is not a block. */
  readonly isPlain: boolean;
  /** Explicit tag, expanded. */
  readonly tag: string | undefined;
}

function resolveScalar({ text, isPlain, tag }: ScalarSource): ResolvedScalar {
  if (tag !== undefined) return resolveTagged(tag, text);
  return isPlain ? resolveText(text) : { type: 'str', value: text };
}

/**
 * Returns the value of a scalar. Its text is kept for `!!str` and for tags that kubectl does not know.
 *
 * @throws ScalarTagError if the text does not have the type of its tag
 */
export function resolveScalarValue(scalar: ScalarSource): ScalarValue {
  return toValue(resolveScalar(scalar));
}

/**
 * Returns the number of this many decimal digits that is read as a positive 32-bit float, or undefined if there is none. Of several, it is the
 * nearest one, and of two that are as near, the one with an even digit at the end. Source: Go 1.24 strconv, `ryuFtoaShortest`.
 */
function findDecimal(single: number, digits: number): number | undefined {
  // oxlint-disable-next-line oxc/number-arg-out-of-range -- the limit of the rule is that of ES5
  const [mantissa, exponent] = single.toExponential(100).replace('.', '').split('e') as [string, string];
  const below = Number(mantissa.slice(0, digits));
  const rest = mantissa.slice(digits);
  const half = '5'.padEnd(rest.length, '0');
  const isNearerBelow = rest < half || (rest === half && below % 2 === 0);
  const candidates = isNearerBelow ? [below, below + 1] : [below + 1, below];
  return candidates.map((each) => Number(`${each}e${Number(exponent) - digits + 1}`)).find((each) => Math.fround(each) === single);
}

/** Formats a number with the fewest digits that identify it as a 32-bit float, as Go's `FormatFloat(f, 'g', -1, 32)` does: `1e+06` for 1000000. */
function formatFloat32(number: number): string {
  if (Number.isNaN(number)) return '.nan';
  const single = Math.fround(number);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  const sign = single < 0 ? '-' : '';
  let precision = 1;
  while (findDecimal(Math.abs(single), precision) === undefined) precision++;
  const shortest = findDecimal(Math.abs(single), precision)!;
  const [mantissa, exponent] = shortest.toExponential(precision - 1).split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return sign + shortest.toFixed(Math.max(precision - 1 - power, 0));
  return `${sign}${mantissa}e${power < 0 ? '-' : '+'}${Math.abs(power).toString().padStart(2, '0')}`;
}

/** The type of the keys that are text. Two of them with the same name are the same key. */
export const TEXT_KEY = 'text';

/** A scalar key, which kubectl compares by type and value before it becomes the name of a field. */
export interface ScalarKey {
  readonly name: string;
  /** Differs for two keys of the same name that are not the same key, such as 1 and "1". */
  readonly identity: string | symbol;
}

/**
 * Returns a scalar key, or undefined if kubectl refuses the key, such as null.
 *
 * Numbers lose their notation, as in kubectl: `0x10` is the field `16`, `1.50` the field `1.5`, `-.0` the field `-0`.
 * Source: sigs.k8s.io/yaml v1.6 `convertToJSONableObject`.
 *
 * @throws ScalarTagError if the text does not have the type of its tag
 */
export function resolveKey(scalar: ScalarSource): ScalarKey | undefined {
  const { type, value, exact } = resolveScalar(scalar);
  const asFloat = type === 'float' || scalar.tag === `${TAG_PREFIX}float`;
  if (typeof value === 'string') return { name: value, identity: TEXT_KEY };
  if (typeof value === 'boolean') return { name: String(value), identity: 'boolean' };
  if (value === null) return undefined;
  // Each NaN is a key of its own.
  if (asFloat) return { name: formatFloat32(value), identity: Number.isNaN(value) ? Symbol('NaN') : `float ${value}` };
  return exact === undefined || exact >= INT64_LIMIT ? undefined : { name: String(exact), identity: 'integer' };
}
