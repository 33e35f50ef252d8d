import { ROWS_AT_EACH_END } from '../core/simulations/row-limit';
import type { Palette } from './palette';
import { alignRows } from './table';
import type { ColumnAlign } from './table';

/** Rows that are drawn one by one; of longer tables the first, the turning points and the last. */
const MAX_FULL_ROWS = 10;

/** A pattern repeats after one row, as waves of one size do, or after a few, as capacity and traffic that move by turns. */
const PATTERN_PERIODS = Array.from({ length: 24 }, (_, index) => index + 1);

/** What is left out of a table, and what a row of it is called. */
export interface ElisionOptions {
  /** Rows that the document leaves out between the first 50 and the last 50. @default 0 */
  readonly elided?: number | undefined;
  /** `wave`. */
  readonly noun: string;
}

/** From one cell to the one below; words that stay the same are no step, and others are never like one. */
function computeStep(before: string, cell: string): number {
  return cell === before ? 0 : Number.parseFloat(cell) - Number.parseFloat(before);
}

/** Numbers of a row by which it differs from the one before; over the gap, by which each row of it does on average. */
function computeSteps(rows: readonly (readonly string[])[], elided: number): number[][] {
  return rows.map((row, index) => {
    const before = rows[index - 1];
    const between = elided > 0 && index === ROWS_AT_EACH_END ? elided + 1 : 1;
    return row.map((cell, column) => (before ? computeStep(before[column] ?? '', cell) / between : NaN));
  });
}

function isSameStep(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  return a !== undefined && b !== undefined && a.every((value, column) => value === b[column]);
}

/** The row behind the last one, from a row on, whose step is that of a few rows before: `from` where there is none. */
function findPatternEnd(steps: readonly (readonly number[])[], from: number, period: number): number {
  let end = from;
  while (end < steps.length && isSameStep(steps[end], steps[end - period])) end++;
  return end;
}

/**
 * For each row of a long table whether it says something new: the first ones, where the steps turn, and the last ones of each stretch.
 *
 * Of 97 waves that each start one pod and stop one, the first two stand and the last.
 */
function detectNewRows(rows: readonly (readonly string[])[], elided: number): boolean[] {
  const isNew = rows.map(() => true);
  if (rows.length + elided <= MAX_FULL_ROWS) return isNew;
  const steps = computeSteps(rows, elided);
  for (let row = 0; row < rows.length; row++) {
    const ends = PATTERN_PERIODS.map((period) => ({ period, end: findPatternEnd(steps, row, period) }));
    const { end, period } = ends.reduce((longest, one) => (one.end > longest.end ? one : longest));
    if (end - row < 2 * period + 1) continue;
    for (let like = row; like < end - 1; like++) isNew[like] = false;
    row = end - 1;
  }
  return isNew;
}

/** `… 900 more waves …`. */
export function formatElision(count: number, noun: string, like = ''): string {
  return `… ${count} more ${count === 1 ? noun : `${noun}s`}${like} …`;
}

/** A table with a quiet head; of a long one its first rows, those at which the course turns, and its last; each gap is a line. */
export function renderRowTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly ColumnAlign[],
  palette: Palette,
  { elided = 0, noun }: ElisionOptions = { noun: 'row' },
): string[] {
  const isNew = detectNewRows(rows, elided);
  const [headLine, ...lines] = alignRows([head, ...rows], align);
  const tableLines = [palette.row(palette.quiet(headLine!))];
  const appendElision = (count: number, like = '') => {
    if (count > 0) tableLines.push(palette.row(palette.quiet(`  ${formatElision(count, noun, like)}`)));
  };
  let alike = 0;
  lines.forEach((line, row) => {
    const gap = row === ROWS_AT_EACH_END ? elided : 0;
    if (isNew[row] !== true) {
      alike += 1 + gap;
      return;
    }
    appendElision(alike, ' like these');
    alike = 0;
    appendElision(gap);
    tableLines.push(palette.row(line));
  });
  return tableLines;
}
