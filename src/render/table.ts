import { columnsOf } from './columns';

export type Align = 'left' | 'right';

/** Columns of a name beside what is said of it, where no terminal limits them. */
const MOST_OF_NAME = 72;
/** Columns that a name may have in any case, and what is said of it at most. */
const LEAST_OF_NAME = 20;
const MOST_OF_WORDS = 56;

/**
 * The widest that a column of names gets, so that what is said of most of them has room beside it.
 *
 * @param before - columns to the left of it, with the gaps on both sides
 * @param width - that of the terminal. @default - there is none
 */
export function mostOfName(said: readonly string[], before: number, width: number | undefined): number {
  if (width === undefined) return MOST_OF_NAME;
  const widest = said.reduce((most, text) => Math.max(most, columnsOf(text)), 0);
  return Math.max(LEAST_OF_NAME, width - before - Math.min(widest, MOST_OF_WORDS));
}

/**
 * Lines of cells in columns, without space at their ends.
 *
 * Columns are as wide as their widest cell; the last ones of a row may be left out.
 *
 * @param gap - what stands between two columns. @default - two spaces
 * @param most - the widest that a column gets; a cell that is wider moves what is behind it in its own row alone. @default Infinity
 */
export function alignRows(rows: readonly (readonly string[])[], align: readonly Align[], gap = '  ', most = Infinity): string[] {
  const widthIn = (row: readonly string[], column: number) => {
    const width = columnsOf(row[column] ?? '');
    return width > most ? 0 : width;
  };
  const widths = align.map((_, column) => rows.reduce((widest, row) => Math.max(widest, widthIn(row, column)), 0));
  const cell = (text: string, column: number) => {
    const space = ' '.repeat(Math.max(0, widths[column]! - columnsOf(text)));
    return align[column] === 'right' ? space + text : text + space;
  };
  return rows.map((row) => row.map(cell).join(gap).trimEnd());
}
