import { escapeGithubCommand } from '../../core/text/escape-output';
import { findMax } from '../../core/values/min-max';
import { measureColumns } from './columns';

/** Largest start column, as a share of the width, of a cell that is wrapped in place. Cells further right get a new line. */
const MAX_BREAK_COLUMN_RATIO = 0.5;

/** Largest start column, as a share of the width, of a second cell that continuation lines align with. Otherwise they are indented slightly. */
const MAX_HANG_RATIO = 0.35;

/** Text between gaps of at least two spaces. */
interface LineCell {
  /** Columns before the text. */
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

/** Wraps a cell between words. Continuation lines start at `hang`, or further left if a word is too wide. Words are never broken. */
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

/** Computes the column of continuation lines: that of the second cell, or a slight indent. */
function computeHang([first, second]: readonly LineCell[], width: number): number {
  const indent = first?.gap ?? 0;
  if (!first || !second) return indent + 2;
  const column = indent + measureColumns(first.text) + second.gap;
  return column <= width * MAX_HANG_RATIO ? column : indent + 4;
}

/**
 * Wraps a line to the width of a terminal, between cells if possible, else between words. Words are never broken. A word that GitHub would
 * interpret as a command at the beginning of a line is escaped there.
 */
export function wrapLineToWidth(line: string, width: number): string[] {
  if (measureColumns(line) <= width) return [line];
  return layOutLine(line, width).map(escapeGithubCommand);
}

function layOutLine(line: string, width: number): string[] {
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

/** Smallest width that text can be laid out for. */
const MIN_TERMINAL_WIDTH = 20;

/** Wraps all lines of a text to the width of a terminal. Without a width, returns it unchanged. */
export function wrapTextToWidth(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  const lines = text.split('\n');
  return lines.flatMap((line) => wrapLineToWidth(line, Math.max(width, MIN_TERMINAL_WIDTH))).join('\n');
}
