import { isFields } from '../../core/manifest';

/** JSON as Go prints it: keys of maps in order, <, > and & escaped. */
export function toGoJson(value: unknown): string {
  return JSON.stringify(sortKeys(value) ?? null).replaceAll(/[<>&]/g, (sign) => `\\u00${sign.codePointAt(0)!.toString(16)}`);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isFields(value)) return value;
  // A selector's two fields stand in the order of the Go type, which is not that of the alphabet.
  const names = Object.keys(value).toSorted();
  const inOrder = names.includes('matchLabels') ? ['matchLabels', ...names.filter((name) => name !== 'matchLabels')] : names;
  return Object.fromEntries(inOrder.map((name) => [name, sortKeys(value[name])]));
}
