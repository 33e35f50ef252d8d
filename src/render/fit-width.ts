import { greatest } from '../core/extremes';
import { columnsOf } from './columns';

/** Of its width, where a column may begin that a long text is broken in; further right it has a line of its own. */
const MOST_COLUMN = 0.5;

/** Of its width, where the second column may begin for what stands below it; further right that stands a little further in than the line. */
const MOST_HANG = 0.35;

/** Text between gaps of two spaces or more. */
interface Cell {
  /** Columns before it. */
  readonly gap: number;
  readonly text: string;
}

function cellsOf(line: string): Cell[] {
  const [first = '', ...others] = line.split(/( {2,})/);
  const gap = first.startsWith(' ') ? 1 : 0;
  const cells = [{ gap, text: first.slice(gap) }];
  for (let index = 0; index < others.length; index += 2) cells.push({ gap: others[index]!.length, text: others[index + 1]! });
  return cells.map((cell) => ({ ...cell, text: cell.text.trimEnd() })).filter(({ text }) => text !== '');
}

function spaces(count: number): string {
  return ' '.repeat(Math.max(0, count));
}

/** A cell from one column on, broken between words, as lines that go on at another; a word that is wider than that stands further left, and stays whole. */
function brokenCell(text: string, before: string, hang: number, width: number): string[] {
  const lines: string[] = [];
  let current = before;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    const longer = isEmpty ? current + word : `${current} ${word}`;
    if (columnsOf(longer) <= width) current = longer;
    else {
      if (current.trim() !== '') lines.push(current);
      current = spaces(Math.min(hang, width - columnsOf(word))) + word;
    }
    isEmpty = false;
  }
  return [...lines, current];
}

/** Where what has no room in its line goes on: below the second cell, or a little further in than the line. */
function hangOf([first, second]: readonly Cell[], width: number): number {
  const indent = first?.gap ?? 0;
  if (!first || !second) return indent + 2;
  const column = indent + columnsOf(first.text) + second.gap;
  return column <= width * MOST_HANG ? column : indent + 4;
}

/** A line as several that are no wider than a terminal, broken between cells, else between words; a word that is wider stays whole. */
export function fitWidth(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line];
  const cells = cellsOf(line);
  const hang = hangOf(cells, width);
  const lines: string[] = [];
  let current = '';
  for (const [index, { gap, text }] of cells.entries()) {
    const column = columnsOf(current) + gap;
    const fits = column + columnsOf(text) <= width;
    const longestWord = greatest(text.split(' ').map(columnsOf), 0);
    const isNear = column <= width * MOST_COLUMN && column + longestWord <= width;
    const staysHere = column <= hang || (isNear && hang + columnsOf(text) > width);
    if (fits) current += spaces(gap) + text;
    else {
      if (!staysHere) lines.push(current);
      const before = staysHere ? current + spaces(gap) : spaces(hang);
      const broken = brokenCell(text, before, staysHere && index > 0 ? column : hang, width);
      for (const each of broken.slice(0, -1)) lines.push(each);
      current = broken.at(-1)!;
    }
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
