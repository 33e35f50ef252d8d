import { columnsOf } from './columns';

export type Align = 'left' | 'right';

/**
 * Lines of cells in columns, without space at their ends.
 *
 * Columns are as wide as their widest cell; the last ones of a row may be left out.
 *
 * @param gap - what stands between two columns. @default - two spaces
 */
export function alignRows(rows: readonly (readonly string[])[], align: readonly Align[], gap = '  '): string[] {
  const widths = align.map((_, column) => rows.reduce((widest, row) => Math.max(widest, columnsOf(row[column] ?? '')), 0));
  const cell = (text: string, column: number) => {
    const space = ' '.repeat(widths[column]! - columnsOf(text));
    return align[column] === 'right' ? space + text : text + space;
  };
  return rows.map((row) => row.map(cell).join(gap).trimEnd());
}
