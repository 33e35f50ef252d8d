import { ROWS_AT_EACH_END } from '../../core/simulations/row-limit';
import type { Palette } from './palette';
import { alignRows } from './table';
import type { ColumnAlign } from './table';

/** Largest number of rows that are all shown. Longer tables show the first, the turning points and the last. */
const MAX_FULL_ROWS = 10;

/** Lengths of repeating patterns: one row for waves of one size, more rows for capacity and traffic that move in turns. */
const PATTERN_PERIODS = Array.from({ length: 24 }, (_, index) => index + 1);

/** What is left out of a table, and the noun for its rows. */
export interface ElisionOptions {
  /** Number of rows that the document leaves out between the first 50 and the last 50. @default 0 */
  readonly elided?: number | undefined;
  /** Noun for a row: `wave`. */
  readonly noun: string;
}

/** Computes the step from one cell to the one below. Equal words are a step of 0; different words give NaN, which equals no step. */
function computeStep(before: string, cell: string): number {
  return cell === before ? 0 : Number.parseFloat(cell) - Number.parseFloat(before);
}

/** Computes the steps of each row from the row before. Across the gap, they are the average per row. */
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

/** Returns the end of the rows, starting at `from`, whose steps repeat those of `period` rows before. Returns `from` if there are none. */
function findPatternEnd(steps: readonly (readonly number[])[], from: number, period: number): number {
  let end = from;
  while (end < steps.length && isSameStep(steps[end], steps[end - period])) end++;
  return end;
}

/**
 * Returns for each row of a long table whether it is new: the first ones, those where the steps change, and the last one of each stretch.
 *
 * For example, 97 waves that each create one pod and delete one are shown as the first two and the last.
 */
function detectNewRows(rows: readonly (readonly string[])[], elided: number): boolean[] {
  const isNew = rows.map(() => true);
  if (rows.length + elided <= MAX_FULL_ROWS) return isNew;
  const steps = computeSteps(rows, elided);
  for (let row = 0; row < rows.length; row++) {
    const ends = PATTERN_PERIODS.map((period) => ({ period, end: findPatternEnd(steps, row, period) }));
    const { end, period } = ends.reduce((longest, one) => (one.end > longest.end ? one : longest));
    if (end - row < 2 * period + 1) continue;
    for (let repeated = row; repeated < end - 1; repeated++) isNew[repeated] = false;
    row = end - 1;
  }
  return isNew;
}

/** Formats rows that are left out: `… 900 more waves …`. */
export function formatElision(count: number, noun: string, suffix = ''): string {
  return `… ${count} more ${count === 1 ? noun : `${noun}s`}${suffix} …`;
}

/** Renders a table. A long one shows its first rows, those where the steps change, and its last; a line replaces each gap. */
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
  const appendElision = (count: number, suffix = '') => {
    if (count > 0) tableLines.push(palette.row(palette.quiet(`  ${formatElision(count, noun, suffix)}`)));
  };
  let repeatedCount = 0;
  lines.forEach((line, row) => {
    const gap = row === ROWS_AT_EACH_END ? elided : 0;
    if (isNew[row] !== true) {
      repeatedCount += 1 + gap;
      return;
    }
    appendElision(repeatedCount, ' like these');
    repeatedCount = 0;
    appendElision(gap);
    tableLines.push(palette.row(line));
  });
  return tableLines;
}
