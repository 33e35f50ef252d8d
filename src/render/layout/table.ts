import { measureColumns } from './columns';

export type ColumnAlign = 'left' | 'right';

/** Largest width of a column of names if no terminal limits it. */
const MAX_NAME_WIDTH = 72;
/** Width that a column of names always gets, and the largest width reserved for the text next to it. */
const MIN_NAME_WIDTH = 20;
const MAX_TEXT_WIDTH = 56;

/**
 * Computes the largest width of a column of names that leaves space for the text next to most of them.
 *
 * For example, 100 columns with 5 before the names and texts of up to 40 leave 55 for names.
 *
 * @param before - columns to the left of it, with the gaps on both sides
 * @param width - width of the terminal. @default - no terminal
 */
export function computeNameWidth(texts: readonly string[], before: number, width: number | undefined): number {
  if (width === undefined) return MAX_NAME_WIDTH;
  const widest = texts.reduce((maxWidth, text) => Math.max(maxWidth, measureColumns(text)), 0);
  return Math.max(MIN_NAME_WIDTH, width - before - Math.min(widest, MAX_TEXT_WIDTH));
}

/**
 * Aligns cells in columns, without trailing spaces.
 *
 * Columns are as wide as their widest cell. A row may leave out its last cells.
 *
 * @param gap - text between two columns. @default - two spaces
 * @param maxWidth - largest width of a column. A wider cell shifts the rest of its own row only. @default Infinity
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
