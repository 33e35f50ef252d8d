import { isFields } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { isSecretField, isSecretHolder } from '../../core/manifest/secret-holder';
import { isSecretKey, isSecretName } from '../../core/manifest/secret-name';
import { containsSecretInText } from '../../input/secret-documents';
import { REDACTED_VALUE } from './types';

function isSecretVariable(value: Fields): boolean {
  return isSecretName(value.name) && value.value !== undefined && value.value !== null;
}

/** Fields of an object that holds values of Secrets that are shown inside of another object. */
const SHOWN_FIELDS = /^(?:apiVersion|kind|target)$/i;

/** Reports whether a value of a map is secret: that of a variable with a secret name, one under a secret key, or what becomes part of a Secret. */
function isSecretEntry(holder: Fields, name: string, inner: unknown): boolean {
  if (name === 'value' && isSecretVariable(holder)) return true;
  return isSecretField(name) || (!isFields(inner) && !Array.isArray(inner) && isSecretKey(name));
}

/** Reports whether a value contains a secret. */
function containsSecret(value: unknown): boolean {
  if (typeof value === 'string') return containsSecretInText(value);
  if (Array.isArray(value)) return value.some(containsSecret);
  if (!isFields(value)) return false;
  if (isSecretHolder(value)) return true;
  return Object.entries(value).some(([name, inner]) => isSecretEntry(value, name, inner) || containsSecret(inner));
}

/** Returns a value with its secrets redacted. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return containsSecretInText(value) ? REDACTED_VALUE : value;
  if (Array.isArray(value)) return value.map(redactValue);
  if (!isFields(value)) return value;
  const isSecret = isSecretHolder(value)
    ? (name: string) => !SHOWN_FIELDS.test(name)
    : (name: string, inner: unknown) => isSecretEntry(value, name, inner);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecret(name, inner) ? REDACTED_VALUE : redactValue(inner)]),
  );
}

/**
 * Redacts the secrets in two values at any depth: values of variables with a secret name, values under a secret key,
 * text of a file that contains a secret, and all of a Secret or of what kustomize makes one of.
 *
 * @param key - the key of the values, if they are not in a field of a known type
 */
export function redactSecrets(before: unknown, after: unknown, key?: string) {
  if (key !== undefined && isSecretKey(key)) return { before: REDACTED_VALUE, after: REDACTED_VALUE, secret: true };
  const secret = containsSecret(before) || containsSecret(after);
  return secret ? { before: redactValue(before), after: redactValue(after), secret } : { before, after, secret };
}
