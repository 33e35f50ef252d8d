import { isFields } from '../../core/manifest/manifest';

/** Formats JSON as Go does: map keys sorted, <, > and & escaped. */
export function toGoJson(value: unknown): string {
  return JSON.stringify(sortKeys(value) ?? null).replaceAll(/[<>&]/g, (sign) => `\\u00${sign.codePointAt(0)!.toString(16)}`);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isFields(value)) return value;
  // The fields of a selector keep the order of the Go type, which is not alphabetical.
  const names = Object.keys(value).toSorted();
  const inOrder = names.includes('matchLabels') ? ['matchLabels', ...names.filter((name) => name !== 'matchLabels')] : names;
  return Object.fromEntries(inOrder.map((name) => [name, sortKeys(value[name])]));
}
