import { measureColumns } from './text-columns';

export type ColumnAlign = 'left' | 'right';

/** Columns of a name beside what is said of it, where no terminal limits them. */
const MAX_NAME_WIDTH = 72;
/** Columns that a name may have in any case, and what is said of it at most. */
const MIN_NAME_WIDTH = 20;
const MAX_TEXT_WIDTH = 56;

/**
 * The widest that a column of names gets, so that what is said of most of them has room beside it.
 *
 * @param before - columns to the left of it, with the gaps on both sides
 * @param width - that of the terminal. @default - there is none
 */
export function computeNameWidth(texts: readonly string[], before: number, width: number | undefined): number {
  if (width === undefined) return MAX_NAME_WIDTH;
  const widest = texts.reduce((maxWidth, text) => Math.max(maxWidth, measureColumns(text)), 0);
  return Math.max(MIN_NAME_WIDTH, width - before - Math.min(widest, MAX_TEXT_WIDTH));
}

/**
 * Lines of cells in columns, without space at their ends.
 *
 * Columns are as wide as their widest cell; the last ones of a row may be left out.
 *
 * @param gap - what stands between two columns. @default - two spaces
 * @param most - the widest that a column gets; a cell that is wider moves what is behind it in its own row alone. @default Infinity
 */
export function alignRows(rows: readonly (readonly string[])[], align: readonly ColumnAlign[], gap = '  ', maxWidth = Infinity): string[] {
  const widthIn = (row: readonly string[], column: number) => {
    const width = measureColumns(row[column] ?? '');
    return width > maxWidth ? 0 : width;
  };
  const widths = align.map((_, column) => rows.reduce((widest, row) => Math.max(widest, widthIn(row, column)), 0));
  const cell = (text: string, column: number) => {
    const space = ' '.repeat(Math.max(0, widths[column]! - measureColumns(text)));
    return align[column] === 'right' ? space + text : text + space;
  };
  return rows.map((row) => row.map(cell).join(gap).trimEnd());
}
