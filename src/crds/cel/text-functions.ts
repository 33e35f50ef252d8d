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

function matchesAt(characters: readonly string[], part: readonly string[], position: number): boolean {
  return part.every((character, index) => characters[position + index] === character);
}

export function findIndexOf(text: string, part: string, from = 0): number {
  if (part === '') return from;
  const [characters, searched] = [Array.from(text), Array.from(part)];
  if (from < 0) throw new Error(`index out of range: ${from}`);
  for (let position = from; position <= characters.length - searched.length; position++)
    if (matchesAt(characters, searched, position)) return position;
  return -1;
}

export function findLastIndexOf(text: string, part: string, from?: number): number {
  const [characters, searched] = [Array.from(text), Array.from(part)];
  if (part === '') return from ?? characters.length;
  if (from !== undefined && from < 0) throw new Error(`index out of range: ${from}`);
  if (from !== undefined && from >= characters.length) return -1;
  const first = Math.min(from ?? characters.length, characters.length - searched.length);
  for (let position = first; position >= 0; position--) if (matchesAt(characters, searched, position)) return position;
  return -1;
}

/**
 * Replaces occurrences of a part.
 *
 * @param times - number of occurrences to replace; all of them if negative
 */
export function replaceText(text: string, part: string, separator: string, times = -1): string {
  if (times === 0) return text;
  const pieces = part === '' ? ['', ...Array.from(text)] : text.split(part);
  // The empty text occurs before each character and after the last one.
  const ends = part === '' ? [...pieces, ''] : pieces;
  const count = times < 0 ? ends.length - 1 : Math.min(times, ends.length - 1);
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
  const pieces = separator === '' ? Array.from(text) : text.split(separator);
  if (maxPieces < 0 || pieces.length <= maxPieces) return pieces;
  return [...pieces.slice(0, maxPieces - 1), pieces.slice(maxPieces - 1).join(separator)];
}

export function extractSubstring(text: string, from: number, to?: number): string {
  const characters = Array.from(text);
  if (to !== undefined && from > to) throw new Error(`invalid substring range. start: ${from}, end: ${to}`);
  return characters.slice(checkIndex(from, characters.length), checkIndex(to ?? characters.length, characters.length)).join('');
}
