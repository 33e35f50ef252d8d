import { isFields } from '../../src/core/manifest';

/** What is done at a place. */
export interface Change {
  readonly to?: unknown;
  readonly drop?: true;
  readonly rename?: string;
}

/** `a*64` is 64 letters. */
function expanded(value: unknown): unknown {
  if (typeof value === 'string') return /^a\*\d+$/.test(value) ? 'a'.repeat(Number(value.slice(2))) : value;
  if (Array.isArray(value)) return value.map(expanded);
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expanded(inner)])) : value;
}

/** The parts of a JSON pointer. */
export function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/'));
}

/** A value with something done at a place of it. */
export function changed(value: unknown, path: readonly string[], change: Change): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return expanded(change.to);
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
