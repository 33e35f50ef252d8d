import { escapeForTerminal, formatValueForTerminal } from '../../core/text/escape-output';
import type { FieldChange } from '../../core/document/change';

/** Largest number of characters of a value on one line. The JSON has the full value. */
const MAX_VALUE_LENGTH = 60;

/** Formats a value on one line; undefined is `none`. */
export function formatShortValue(value: unknown): string {
  if (value === undefined) return 'none';
  const text = Array.from(value === '' ? '""' : formatValueForTerminal(value));
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1).join('')}…` : text.join('');
}

/** Returns the last name of a path: `image` for `spec.template.spec.containers[web].image`, `env[MODE]` for a variable. */
function leafNameOf(path: string): string {
  const variable = path.endsWith('].value') ? path.lastIndexOf('.env[') : -1;
  if (variable >= 0) return path.slice(variable + 1, -'.value'.length);
  const open = path.endsWith(']') ? path.indexOf('[', path.lastIndexOf(']', path.length - 2) + 1) : -1;
  const bare = open < 0 ? path : path.slice(0, open);
  return bare.slice(bare.lastIndexOf('.') + 1) + path.slice(bare.length);
}

/** Formats a difference on one line. An added or removed map or list is not written out, nor are two values that are equal once truncated. */
function formatDifference(old: unknown, next: unknown): string {
  if (old === undefined && typeof next === 'object') return 'added';
  if (next === undefined && typeof old === 'object') return 'removed';
  const [before, after] = [formatShortValue(old), formatShortValue(next)];
  return before === after ? 'differs' : `${before} -> ${after}`;
}

/** Formats a field that differs: `image api:1 -> api:2`, `env[MODE] added`. */
export function formatFieldChange({ path, old, new: next }: FieldChange): string {
  return escapeForTerminal(`${leafNameOf(path)} ${formatDifference(old, next)}`);
}
