/** Formats a number. A 64-bit float has rounded a large one, so its digits are not those of the input: `about 9.22e+18`. */
export function formatNumber(value: number): string {
  const isRounded = Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return isRounded ? `about ${value.toExponential(2)}` : String(value);
}

/** Formats a count with its noun: `1 pod`, `3 pods`. Pass a plural that is not the noun with an s: `pluralize(2, 'batch', 'batches')`. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}

/** Formats a count for a summary: `no waves`, `1 wave`, `2 waves`. */
export function pluralizeOrNo(count: number, noun: string, plural = `${noun}s`): string {
  return count === 0 ? `no ${plural}` : pluralize(count, noun, plural);
}

/** Formats the advice to limit unavailable pods: `maxUnavailable: 3 or less, but at least 1`. 0 is no such limit: the API server refuses it next to a surge of 0. */
export function formatUnavailableLimit(field: string, limit: number): string {
  return limit === 1 ? `${field}: 1` : `${field}: ${limit} or less, but at least 1`;
}

/** Joins words: `a`, `a and b`, `a, b and c`. "and" can be replaced with another word. */
export function joinWords(items: readonly string[], conjunction = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

/** Returns a text for a message: at most this many characters, and how many it has if it is cut: `abc… (1,200 characters)`. */
export function truncateText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}… (${text.length.toLocaleString('en-US')} characters)`;
}

/** Returns a message without its middle if it quotes a long value: the reason is often at its end. */
export function shortenMessage(message: string): string {
  return message.length <= 2000 ? message : `${message.slice(0, 1000)} … ${message.slice(-500)}`;
}

/** Maximum number of names in a sentence. */
export const MAX_LISTED_NAMES = 3;

/** The first of many names, and how many are omitted. */
export interface TruncatedNames {
  readonly names: readonly string[];
  /** @default 0 */
  readonly omitted?: number;
}

/** Returns the names for a sentence: `truncateNames(['a', 'b', 'c', 'd'])` returns the first three, and 1 omitted. */
export function truncateNames(names: readonly string[]): TruncatedNames {
  if (names.length <= MAX_LISTED_NAMES) return { names };
  return { names: names.slice(0, MAX_LISTED_NAMES), omitted: names.length - MAX_LISTED_NAMES };
}

/** Joins truncated names: `a, b and c`, or `a, b, c and 1,347 more`. */
export function joinTruncatedNames({ names, omitted = 0 }: TruncatedNames): string {
  return omitted === 0 ? joinWords(names) : `${names.join(', ')} and ${omitted.toLocaleString('en-US')} more`;
}

/** Returns a text with an upper-case first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
