import { measureColumns } from '../text-columns';

/** Width of a column of a sans-serif face, of its size: wider than most, so that what is laid out by it never overlaps. */
const COLUMN_WIDTH_RATIO = 0.58;

/** How wide a text is drawn at most, in pixels, characters that are as wide as high too. There is no DOM to measure it with. */
export function measureTextWidth(text: string, size: number): number {
  return measureColumns(text) * size * COLUMN_WIDTH_RATIO;
}

/** As much of a text as there is room for. */
export function truncateSvgText(text: string, size: number, maxWidth: number): string {
  if (measureTextWidth(text, size) <= maxWidth) return text;
  const columns = Math.floor(maxWidth / (size * COLUMN_WIDTH_RATIO)) - 1;
  let fitting = '';
  for (const character of text) {
    if (fitting !== '' && measureColumns(fitting + character) > columns) break;
    fitting += character;
  }
  return `${fitting}…`;
}

/** A text as lines that are no wider than that, broken between words. */
export function wrapSvgText(text: string, size: number, maxWidth: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current === '' || measureTextWidth(longer, size) <= maxWidth) current = longer;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current].map((line) => truncateSvgText(line, size, maxWidth));
}
