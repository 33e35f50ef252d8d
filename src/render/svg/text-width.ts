import { measureColumns } from '../layout/columns';

/** Width of a column of a sans-serif font, as a share of its size. It is larger than in most fonts, so that texts never overlap. */
const COLUMN_WIDTH_RATIO = 0.58;

/** Estimates the largest width of a text in pixels, including double-width characters. There is no DOM to measure it with. */
export function measureTextWidth(text: string, size: number): number {
  return measureColumns(text) * size * COLUMN_WIDTH_RATIO;
}

/** Truncates a text to a width. */
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

/** Wraps a text between words to lines of a width. */
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
