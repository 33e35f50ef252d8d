import { columnsOf } from '../columns';

/** Width of a column of a sans-serif face, of its size: wider than most, so that what is laid out by it never overlaps. */
const OF_SIZE = 0.58;

/** How wide a text is drawn at most, in pixels, characters that are as wide as high too. There is no DOM to measure it with. */
export function textWidth(text: string, size: number): number {
  return columnsOf(text) * size * OF_SIZE;
}

/** As much of a text as there is room for. */
export function shortened(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text;
  const columns = Math.floor(room / (size * OF_SIZE)) - 1;
  let fitting = '';
  for (const character of text) {
    if (fitting !== '' && columnsOf(fitting + character) > columns) break;
    fitting += character;
  }
  return `${fitting}…`;
}

/** A text as lines that are no wider than that, broken between words. */
export function brokenLines(text: string, size: number, room: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current === '' || textWidth(longer, size) <= room) current = longer;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current].map((line) => shortened(line, size, room));
}
