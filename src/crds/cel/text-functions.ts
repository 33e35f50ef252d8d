/* String functions that count Unicode characters. Source: cel-go v0.26 ext/strings.go, and Go strings. */

/** Returns a position in a text. @throws if it is out of range */
function checkIndex(position: number, length: number): number {
  if (position < 0 || position > length) throw new Error(`index out of range: ${position}`);
  return position;
}

export function getCharacterAt(text: string, position: number): string {
  const characters = Array.from(text);
  return characters[checkIndex(position, characters.length)] ?? '';
}

/**
 * Returns the positions at which a part occurs in a list, overlapping ones included, in linear time (Knuth, Morris and Pratt).
 * For example, `aa` occurs in `aaa` at 0 and 1.
 */
function* findOccurrences(characters: readonly string[], part: readonly string[]): Generator<number> {
  // Per position of the part: the length of its longest beginning that ends there.
  const borders = [0];
  for (let at = 1, length = 0; at < part.length; at++) {
    while (length > 0 && part[at] !== part[length]) length = borders[length - 1]!;
    if (part[at] === part[length]) length++;
    borders.push(length);
  }
  for (let at = 0, length = 0; at < characters.length; at++) {
    while (length > 0 && characters[at] !== part[length]) length = borders[length - 1]!;
    if (characters[at] === part[length]) length++;
    if (length < part.length) continue;
    yield at - part.length + 1;
    length = borders[length - 1]!;
  }
}

export function findIndexOf(text: string, part: string, from = 0): number {
  if (part === '') return from;
  if (from < 0) throw new Error(`index out of range: ${from}`);
  for (const position of findOccurrences(Array.from(text).slice(from), Array.from(part))) return position + from;
  return -1;
}

export function findLastIndexOf(text: string, part: string, from?: number): number {
  const characters = Array.from(text);
  if (part === '') return from ?? characters.length;
  if (from !== undefined && from < 0) throw new Error(`index out of range: ${from}`);
  if (from !== undefined && from >= characters.length) return -1;
  let last = -1;
  for (const position of findOccurrences(characters, Array.from(part))) if (position <= (from ?? position)) last = position;
  return last;
}

/** Returns the pieces of a text between the occurrences of a separator that do not overlap. */
function splitAt(text: string, separator: string): string[] {
  if (separator.length <= MAX_SHORT_SEPARATOR) return text.split(separator);
  const pieces: string[] = [];
  let from = 0;
  for (const position of findOccurrences(text.split(''), separator.split(''))) {
    if (position < from) continue;
    pieces.push(text.slice(from, position));
    from = position + separator.length;
  }
  return [...pieces, text.slice(from)];
}

/** Length up to which the built-in function is fast, whatever the text is. */
const MAX_SHORT_SEPARATOR = 32;

/**
 * Replaces occurrences of a part.
 *
 * @param times - number of occurrences to replace; all of them if negative
 * @param reserve - called with the length of the result before it is created
 */
export function replaceText(text: string, part: string, separator: string, times: number, reserve: (size: number) => void): string {
  if (times === 0) return text;
  const pieces = part === '' ? ['', ...Array.from(text)] : splitAt(text, part);
  // The empty text occurs before each character and after the last one.
  const ends = part === '' ? [...pieces, ''] : pieces;
  const count = times < 0 ? ends.length - 1 : Math.min(times, ends.length - 1);
  reserve(text.length + count * separator.length);
  const head = ends.slice(0, count + 1).join(separator);
  return (
    head +
    ends
      .slice(count + 1)
      .map((piece) => part + piece)
      .join('')
  );
}

/**
 * Splits a text.
 *
 * @param maxPieces - maximum number of pieces; the last one contains the rest. No limit if negative
 */
export function splitText(text: string, separator: string, maxPieces = -1): string[] {
  if (maxPieces === 0) return [];
  const pieces = separator === '' ? Array.from(text) : splitAt(text, separator);
  if (maxPieces < 0 || pieces.length <= maxPieces) return pieces;
  return [...pieces.slice(0, maxPieces - 1), pieces.slice(maxPieces - 1).join(separator)];
}

export function extractSubstring(text: string, from: number, to?: number): string {
  const characters = Array.from(text);
  if (to !== undefined && from > to) throw new Error(`invalid substring range. start: ${from}, end: ${to}`);
  return characters.slice(checkIndex(from, characters.length), checkIndex(to ?? characters.length, characters.length)).join('');
}
