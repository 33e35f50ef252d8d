import { isFields } from '../../src/core/manifest/manifest';

/** A change to one field of an object. */
export interface Change {
  readonly to?: unknown;
  readonly drop?: true;
  readonly rename?: string;
}

/** Expands repetitions in strings: `a*64` becomes 64 letters. */
function expandRepetitions(value: unknown): unknown {
  if (typeof value === 'string') return /^a\*\d+$/.test(value) ? 'a'.repeat(Number(value.slice(2))) : value;
  if (Array.isArray(value)) return value.map(expandRepetitions);
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expandRepetitions(inner)])) : value;
}

/** Splits a JSON pointer into its parts. */
export function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/'));
}

/** Returns a copy of the value with a change applied at the path. */
export function changed(value: unknown, path: readonly string[], change: Change): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return expandRepetitions(change.to);
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    const index = Number(head);
    if (rest.length === 0 && change.drop) return items.filter((_, other) => other !== index);
    return Array.from({ length: Math.max(items.length, index + 1) }, (_, other) =>
      other === index ? changed(items[other], rest, change) : items[other],
    );
  }
  const { [head]: inner, ...others } = isFields(value) ? value : {};
  if (rest.length === 0 && change.drop) return others;
  if (rest.length === 0 && change.rename !== undefined) return { ...others, [change.rename]: inner };
  return { ...others, [head]: changed(inner, rest, change) };
}
