/** `1 pod`, `3 pods`; give the plural where it is more than an s: `counted(2, 'batch', 'batches')`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** The same as a summary for people has it: `no waves`, `1 wave`, `2 waves`. */
export function countedOrNo(count: number, noun: string, plural = `${noun}s`): string {
  return count === 0 ? `no ${plural}` : counted(count, noun, plural);
}

/** `a`, `a and b`, `a, b and c`; another word than "and" where one is given. */
export function listed(items: readonly string[], conjunction = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

/** Names that a sentence has room for. */
export const MOST_NAMED = 3;

/** The first of many names, and how many there are besides. */
export interface FirstNames {
  readonly names: readonly string[];
  /** @default 0 */
  readonly more?: number;
}

/** The names that a sentence has room for: `firstNames(['a', 'b', 'c', 'd'])` is three of them, and 1 more. */
export function firstNames(names: readonly string[]): FirstNames {
  if (names.length <= MOST_NAMED) return { names };
  return { names: names.slice(0, MOST_NAMED), more: names.length - MOST_NAMED };
}

/** `a, b and c`; of many `a, b, c and 1,347 more`. */
export function listedFirst({ names, more = 0 }: FirstNames): string {
  return more === 0 ? listed(names) : `${names.join(', ')} and ${more.toLocaleString('en-US')} more`;
}

/** A text that begins a sentence. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
