import { isClassInstance, isFields } from '../manifest/manifest';
import { containsSecretKind } from '../manifest/secret-name';
import { formatNumber } from './text-format';

/**
 * A value of the input as a finding stores it: small, and plain data. Text, numbers, booleans and null are stored as they are. A value that
 * JSON cannot represent or that would be long is stored as a description, as a message shows it.
 */
export type DisplayValue = string | number | boolean | null | { readonly described: string };

/** Maximum length of a text that a finding stores. */
const MAX_DISPLAY_LENGTH = 80;

/** A text that is the manifest of a Secret. It is in a field of another type by mistake, such as with a wrong indentation. */
const HIDDEN_TEXT: DisplayValue = { described: 'a text that is not shown' };

function describeRaw(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
  if (isClassInstance(value)) return 'an instance of a class';
  if (isFields(value)) return Object.keys(value).length === 0 ? '{}' : 'a map';
  if (typeof value === 'string') return `${JSON.stringify(value).slice(0, MAX_DISPLAY_LENGTH - 3)}…"`;
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value === 'number') return formatNumber(value);
  return `${value as bigint | boolean | null}`;
}

/** Converts a value of the input to data of a finding. A number that a 64-bit float does not represent exactly is described. */
export function toDisplayValue(value: unknown): DisplayValue {
  if (typeof value === 'string' && containsSecretKind(value)) return HIDDEN_TEXT;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  if (typeof value === 'string' && JSON.stringify(value).length <= MAX_DISPLAY_LENGTH) return value;
  return { described: describeSafely(value) };
}

/** Describes a value. A Proxy may throw when it is read. */
function describeSafely(value: unknown): string {
  try {
    return describeRaw(value);
  } catch {
    return 'a value that cannot be read';
  }
}

/** Formats a value for a message: short, on one line, with text in quotes: `"1"`, `null`, `a map`. */
export function formatDisplayValue(value: DisplayValue): string {
  if (typeof value === 'object' && value !== null) return value.described;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Formats a value of the input for a message. */
export function describeValue(value: unknown): string {
  return formatDisplayValue(toDisplayValue(value));
}
