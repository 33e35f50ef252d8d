/** A scalar as kubectl hands it on. */
export type ScalarValue = string | number | boolean | null;

/** Thrown for a scalar that its explicit tag does not fit: `!!int "three"`. */
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

const WORDS: ReadonlyMap<string, ScalarValue> = new Map<string, ScalarValue>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Infinity] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, -Infinity] as const),
]);

const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|([0-9]+))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const FLOAT_FROM_POINT = /^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/;
const STARTS_NUMBER = /^[-+0-9]/;

function integerOf(digits: string): number | undefined {
  const match = INTEGER.exec(digits);
  if (!match) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const size = hex ? parseInt(hex, 16) : binary ? parseInt(binary, 2) : octal ? parseInt(octal, 8) : Number(decimal);
  return sign === '-' ? 0 - size : size;
}

/** A number beyond float64 stays text, since Go's ParseFloat refuses it. */
function floatOf(digits: string, pattern: RegExp): number | undefined {
  const value = pattern.test(digits) ? Number(digits) : Infinity;
  return Number.isFinite(value) ? value + 0 : undefined;
}

/**
 * A plain (unquoted) scalar as kubectl reads it: YAML 1.1 booleans, octal `0777`, hex, binary, underscores in numbers.
 *
 * Sexagesimal numbers and timestamps stay text. `resolvePlain('yes')` is true, `resolvePlain('0777')` 511,
 * `resolvePlain('12:30')` `'12:30'`.
 * Source: sigs.k8s.io/yaml v1.6, goyaml.v2 `resolve`.
 */
export function resolvePlain(text: string): ScalarValue {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (text.startsWith('.')) return floatOf(text, FLOAT_FROM_POINT) ?? text;
  if (!STARTS_NUMBER.test(text)) return text;
  const digits = text.replaceAll('_', '');
  return integerOf(digits) ?? floatOf(digits, FLOAT) ?? text;
}

const TAG_PREFIX = 'tag:yaml.org,2002:';

const FITS: Readonly<Record<string, (value: ScalarValue, text: string) => boolean>> = {
  bool: (value) => typeof value === 'boolean',
  int: (value, text) => Number.isInteger(value) && integerOf(text.replaceAll('_', '')) !== undefined,
  float: (value) => typeof value === 'number',
  null: (value) => value === null,
};

/**
 * A scalar with an explicit tag. `!!str` and tags that kubectl does not know leave the text as it is.
 *
 * @throws ScalarTagError when the text is not of the type that the tag names.
 */
export function resolveTagged(tag: string, text: string): ScalarValue {
  if (!tag.startsWith(TAG_PREFIX)) return text;
  const type = tag.slice(TAG_PREFIX.length);
  if (type === 'binary') return Buffer.from(text, 'base64').toString('utf8');
  const fits = FITS[type];
  if (!fits) return text;
  const value = resolvePlain(text);
  if (!fits(value, text)) throw new ScalarTagError(text, type);
  return value;
}
