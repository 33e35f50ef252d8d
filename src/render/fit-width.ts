import { columnsOf, withoutColours } from './columns';

/** Characters in a line that a column may begin behind, of its width. */
const MOST_INDENT = 0.6;

/** Where the rest of a line goes on: below its last column, or two further in than the line. */
function indentOf(line: string, width: number): number {
  const shown = withoutColours(line);
  const indent = shown.length - shown.trimStart().length;
  const column = shown.slice(0, Math.floor(width * MOST_INDENT)).lastIndexOf('  ') + 2;
  return column > indent + 1 ? columnsOf(shown.slice(0, column)) : indent + 2;
}

/** A line as several that are no wider than a terminal, broken between words; a word that is wider stays whole. */
export function fitWidth(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line];
  const indent = ' '.repeat(Math.min(indentOf(line, width), Math.floor(width / 2)));
  const lines: string[] = [];
  let current = '';
  let gap = '';
  for (const word of line.split(' ')) {
    if (word !== '') {
      const longer = current + gap + word;
      if (current === '' || columnsOf(longer) <= width) current = longer;
      else {
        lines.push(current);
        current = indent.slice(0, Math.max(0, width - columnsOf(word))) + word;
      }
      gap = '';
    }
    gap += ' ';
  }
  return [...lines, current];
}

/** Narrower than this nothing can be laid out. */
const LEAST_WIDTH = 20;

/** A text whose lines are no wider than a terminal; as it is where it is not shown on one. */
export function fitText(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  const lines = text.split('\n');
  return lines.flatMap((line) => fitWidth(line, Math.max(width, LEAST_WIDTH))).join('\n');
}
