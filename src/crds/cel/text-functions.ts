/* Functions of text by characters of Unicode. Source: cel-go v0.26 ext/strings.go, and Go strings. */

/** A place in text. @throws where it is outside. */
function inside(place: number, length: number): number {
  if (place < 0 || place > length) throw new Error(`index out of range: ${place}`);
  return place;
}

export function charAt(text: string, place: number): string {
  const characters = Array.from(text);
  return characters[inside(place, characters.length)] ?? '';
}

function isAt(characters: readonly string[], part: readonly string[], place: number): boolean {
  return part.every((character, index) => characters[place + index] === character);
}

export function indexOf(text: string, part: string, from = 0): number {
  if (part === '') return from;
  const [characters, wanted] = [Array.from(text), Array.from(part)];
  if (from < 0) throw new Error(`index out of range: ${from}`);
  for (let place = from; place <= characters.length - wanted.length; place++) if (isAt(characters, wanted, place)) return place;
  return -1;
}

export function lastIndexOf(text: string, part: string, from?: number): number {
  const [characters, wanted] = [Array.from(text), Array.from(part)];
  if (part === '') return from ?? characters.length;
  if (from !== undefined && from < 0) throw new Error(`index out of range: ${from}`);
  if (from !== undefined && from >= characters.length) return -1;
  const first = Math.min(from ?? characters.length, characters.length - wanted.length);
  for (let place = first; place >= 0; place--) if (isAt(characters, wanted, place)) return place;
  return -1;
}

/** @param times - all of them where it is negative */
export function replaced(text: string, part: string, by: string, times = -1): string {
  if (times === 0) return text;
  const pieces = part === '' ? ['', ...Array.from(text)] : text.split(part);
  // Nothing is found before each character, and behind the last.
  const ends = part === '' ? [...pieces, ''] : pieces;
  const count = times < 0 ? ends.length - 1 : Math.min(times, ends.length - 1);
  const head = ends.slice(0, count + 1).join(by);
  return (
    head +
    ends
      .slice(count + 1)
      .map((piece) => part + piece)
      .join('')
  );
}

/** @param most - pieces at most, the last with the rest; all of them where it is negative */
export function split(text: string, by: string, most = -1): string[] {
  if (most === 0) return [];
  const pieces = by === '' ? Array.from(text) : text.split(by);
  if (most < 0 || pieces.length <= most) return pieces;
  return [...pieces.slice(0, most - 1), pieces.slice(most - 1).join(by)];
}

export function substring(text: string, from: number, to?: number): string {
  const characters = Array.from(text);
  if (to !== undefined && from > to) throw new Error(`invalid substring range. start: ${from}, end: ${to}`);
  return characters.slice(inside(from, characters.length), inside(to ?? characters.length, characters.length)).join('');
}
