import { isFields } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { SECRET } from './types';

/** Names of variables whose value says something that nobody is to read. */
const SECRET_NAME = /pass(word|wd|phrase)?|secret|token|credential|private|api[-_]?key|access[-_]?key|auth/i;

function isSecretVariable(value: Fields): boolean {
  return typeof value.name === 'string' && typeof value.value === 'string' && SECRET_NAME.test(value.name);
}

/** Does a value hold an environment variable whose name says secret? */
function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret);
  if (!isFields(value)) return false;
  return isSecretVariable(value) || Object.values(value).some(holdsSecret);
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (!isFields(value)) return value;
  if (isSecretVariable(value)) return { ...value, value: SECRET };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(inner)]));
}

/** Two values with what nobody is to read kept back, wherever in them it stands: the value of a variable whose name says secret. */
export function keptBack(before: unknown, after: unknown) {
  const secret = holdsSecret(before) || holdsSecret(after);
  return secret ? { before: masked(before), after: masked(after), secret } : { before, after, secret };
}
