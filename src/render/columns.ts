import stringWidth from 'string-width';

/** What every terminal shows in one column each, which is nearly all that there is. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Columns that a text takes on a terminal: two for most characters of Chinese, Japanese and Korean and for emoji, none for its colours. */
export function columnsOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
}
