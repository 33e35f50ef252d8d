import { SHOWN_AT_EACH_END } from '../core/simulations/shown-rows';
import type { Palette } from './palette';
import { alignRows } from './table';
import type { Align } from './table';

/** Rows that are drawn one by one; of longer tables the first, the turning points and the last. */
const LONG = 10;

/** A pattern repeats after one row, as waves of one size do, or after a few, as capacity and traffic that move by turns. */
const PERIODS = Array.from({ length: 24 }, (_, index) => index + 1);

/** What is left out of a table, and what a row of it is called. */
export interface LeftOut {
  /** Rows that the document leaves out between the first 50 and the last 50. @default 0 */
  readonly elided?: number | undefined;
  /** `wave`. */
  readonly noun: string;
}

/** From one cell to the one below; words that stay the same are no step, and others are never like one. */
function stepOf(before: string, cell: string): number {
  return cell === before ? 0 : Number.parseFloat(cell) - Number.parseFloat(before);
}

/** Numbers of a row by which it differs from the one before; over the gap, by which each row of it does on average. */
function stepsOf(rows: readonly (readonly string[])[], elided: number): number[][] {
  return rows.map((row, index) => {
    const before = rows[index - 1];
    const between = elided > 0 && index === SHOWN_AT_EACH_END ? elided + 1 : 1;
    return row.map((cell, column) => (before ? stepOf(before[column] ?? '', cell) / between : NaN));
  });
}

function isSameStep(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  return a !== undefined && b !== undefined && a.every((value, column) => value === b[column]);
}

/** The row behind the last one, from a row on, whose step is that of a few rows before: `from` where there is none. */
function endOfPattern(steps: readonly (readonly number[])[], from: number, period: number): number {
  let end = from;
  while (end < steps.length && isSameStep(steps[end], steps[end - period])) end++;
  return end;
}

/**
 * For each row of a long table whether it says something new: the first ones, where the steps turn, and the last ones of each stretch.
 *
 * Of 97 waves that each start one pod and stop one, the first two stand and the last.
 */
function newRows(rows: readonly (readonly string[])[], elided: number): boolean[] {
  const isNew = rows.map(() => true);
  if (rows.length + elided <= LONG) return isNew;
  const steps = stepsOf(rows, elided);
  for (let row = 0; row < rows.length; row++) {
    const ends = PERIODS.map((period) => ({ period, end: endOfPattern(steps, row, period) }));
    const { end, period } = ends.reduce((longest, one) => (one.end > longest.end ? one : longest));
    if (end - row < 2 * period + 1) continue;
    for (let like = row; like < end - 1; like++) isNew[like] = false;
    row = end - 1;
  }
  return isNew;
}

/** `… 900 more waves …`. */
export function moreText(count: number, noun: string, like = ''): string {
  return `… ${count} more ${count === 1 ? noun : `${noun}s`}${like} …`;
}

/** A table with a quiet head; of a long one its first rows, those at which the course turns, and its last; each gap is a line. */
export function rowTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly Align[],
  palette: Palette,
  { elided = 0, noun }: LeftOut = { noun: 'row' },
): string[] {
  const isNew = newRows(rows, elided);
  const [headLine, ...lines] = alignRows([head, ...rows], align);
  const shown = [palette.row(palette.quiet(headLine!))];
  const say = (count: number, like = '') => {
    if (count > 0) shown.push(palette.row(palette.quiet(`  ${moreText(count, noun, like)}`)));
  };
  let alike = 0;
  lines.forEach((line, row) => {
    const gap = row === SHOWN_AT_EACH_END ? elided : 0;
    if (isNew[row] !== true) {
      alike += 1 + gap;
      return;
    }
    say(alike, ' like these');
    alike = 0;
    say(gap);
    shown.push(palette.row(line));
  });
  return shown;
}
