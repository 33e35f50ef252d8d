import { isFields } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { containsSecretText, isSecretKey, isSecretName } from '../../core/secret-name';
import { REDACTED_VALUE } from './types';

function isSecretVariable(value: Fields): boolean {
  return isSecretName(value.name) && value.value !== undefined && value.value !== null;
}

/** A value of a map: of a variable, under a key that says secret, or a text that holds one. */
function isSecretEntry(holder: Fields, name: string, inner: unknown): boolean {
  if (name === 'value' && isSecretVariable(holder)) return true;
  return !isFields(inner) && !Array.isArray(inner) && isSecretKey(name);
}

/** Does a value hold what nobody is to read? */
function containsSecret(value: unknown): boolean {
  if (typeof value === 'string') return containsSecretText(value);
  if (Array.isArray(value)) return value.some(containsSecret);
  if (!isFields(value)) return false;
  return Object.entries(value).some(([name, inner]) => isSecretEntry(value, name, inner) || containsSecret(inner));
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return containsSecretText(value) ? REDACTED_VALUE : value;
  if (Array.isArray(value)) return value.map(redactValue);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecretEntry(value, name, inner) ? REDACTED_VALUE : redactValue(inner)]),
  );
}

/**
 * Two values with what nobody is to read kept back, wherever in them it stands: the value of a variable whose name says secret,
 * what stands under such a key, and a text that is a file with one in it.
 *
 * @param key under which they stand, where that is no field of a type that is known
 */
export function redactSecrets(before: unknown, after: unknown, key?: string) {
  if (key !== undefined && isSecretKey(key)) return { before: REDACTED_VALUE, after: REDACTED_VALUE, secret: true };
  const secret = containsSecret(before) || containsSecret(after);
  return secret ? { before: redactValue(before), after: redactValue(after), secret } : { before, after, secret };
}
