/** `1 pod`, `3 pods`; give the plural where it is more than an s: `counted(2, 'batch', 'batches')`. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** The same as a summary for people has it: `no waves`, `1 wave`, `2 waves`. */
export function pluralizeOrNo(count: number, noun: string, plural = `${noun}s`): string {
  return count === 0 ? `no ${plural}` : pluralize(count, noun, plural);
}

/** `a`, `a and b`, `a, b and c`; another word than "and" where one is given. */
export function joinWords(items: readonly string[], conjunction = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

/** Names that a sentence has room for. */
export const MAX_LISTED_NAMES = 3;

/** The first of many names, and how many there are besides. */
export interface TruncatedNames {
  readonly names: readonly string[];
  /** @default 0 */
  readonly omitted?: number;
}

/** The names that a sentence has room for: `firstNames(['a', 'b', 'c', 'd'])` is three of them, and 1 more. */
export function truncateNames(names: readonly string[]): TruncatedNames {
  if (names.length <= MAX_LISTED_NAMES) return { names };
  return { names: names.slice(0, MAX_LISTED_NAMES), omitted: names.length - MAX_LISTED_NAMES };
}

/** `a, b and c`; of many `a, b, c and 1,347 more`. */
export function joinTruncatedNames({ names, omitted: more = 0 }: TruncatedNames): string {
  return more === 0 ? joinWords(names) : `${names.join(', ')} and ${more.toLocaleString('en-US')} more`;
}

/** A text that begins a sentence. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
