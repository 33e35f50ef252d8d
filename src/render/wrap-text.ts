import { findMax } from '../core/min-max';
import { measureColumns } from './text-columns';

/** Of its width, where a column may begin that a long text is broken in; further right it has a line of its own. */
const MAX_BREAK_COLUMN_RATIO = 0.5;

/** Of its width, where the second column may begin for what stands below it; further right that stands a little further in than the line. */
const MAX_HANG_RATIO = 0.35;

/** Text between gaps of two spaces or more. */
interface LineCell {
  /** Columns before it. */
  readonly gap: number;
  readonly text: string;
}

function splitCells(line: string): LineCell[] {
  const [first = '', ...others] = line.split(/( {2,})/);
  const gap = first.startsWith(' ') ? 1 : 0;
  const cells = [{ gap, text: first.slice(gap) }];
  for (let index = 0; index < others.length; index += 2) cells.push({ gap: others[index]!.length, text: others[index + 1]! });
  return cells.map((cell) => ({ ...cell, text: cell.text.trimEnd() })).filter(({ text }) => text !== '');
}

function getSpaces(count: number): string {
  return ' '.repeat(Math.max(0, count));
}

/** A cell from one column on, broken between words, as lines that go on at another; a word that is wider than that stands further left, and stays whole. */
function wrapCell(text: string, before: string, hang: number, width: number): string[] {
  const lines: string[] = [];
  let current = before;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    const longer = isEmpty ? current + word : `${current} ${word}`;
    if (measureColumns(longer) <= width) current = longer;
    else {
      if (current.trim() !== '') lines.push(current);
      current = getSpaces(Math.min(hang, width - measureColumns(word))) + word;
    }
    isEmpty = false;
  }
  return [...lines, current];
}

/** Where what has no room in its line goes on: below the second cell, or a little further in than the line. */
function computeHang([first, second]: readonly LineCell[], width: number): number {
  const indent = first?.gap ?? 0;
  if (!first || !second) return indent + 2;
  const column = indent + measureColumns(first.text) + second.gap;
  return column <= width * MAX_HANG_RATIO ? column : indent + 4;
}

/** A line as several that are no wider than a terminal, broken between cells, else between words; a word that is wider stays whole. */
export function wrapLineToWidth(line: string, width: number): string[] {
  if (measureColumns(line) <= width) return [line];
  const cells = splitCells(line);
  const hang = computeHang(cells, width);
  const lines: string[] = [];
  let current = '';
  for (const [index, { gap, text }] of cells.entries()) {
    const column = measureColumns(current) + gap;
    const fits = column + measureColumns(text) <= width;
    const longestWord = findMax(text.split(' ').map(measureColumns), 0);
    const isNear = column <= width * MAX_BREAK_COLUMN_RATIO && column + longestWord <= width;
    const staysHere = column <= hang || (isNear && hang + measureColumns(text) > width);
    if (fits) current += getSpaces(gap) + text;
    else {
      if (!staysHere) lines.push(current);
      const before = staysHere ? current + getSpaces(gap) : getSpaces(hang);
      const wrapped = wrapCell(text, before, staysHere && index > 0 ? column : hang, width);
      for (const each of wrapped.slice(0, -1)) lines.push(each);
      current = wrapped.at(-1)!;
    }
  }
  return [...lines, current];
}

/** Narrower than this nothing can be laid out. */
const MIN_TERMINAL_WIDTH = 20;

/** A text whose lines are no wider than a terminal; as it is where it is not shown on one. */
export function wrapTextToWidth(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  const lines = text.split('\n');
  return lines.flatMap((line) => wrapLineToWidth(line, Math.max(width, MIN_TERMINAL_WIDTH))).join('\n');
}
