/** Rows that stand whole; longer lists keep their first and last `SHOWN_AT_EACH_END`. */
export const MAX_LISTED_ROWS = 1_000;
export const ROWS_AT_EACH_END = 50;

/** How many rows of a simulation stand whole, and how many stand at each end where there are more. */
export interface RowLimit {
  readonly maxRows: number;
  readonly atEachEnd: number;
}

export const DEFAULT_ROW_LIMIT: RowLimit = { maxRows: MAX_LISTED_ROWS, atEachEnd: ROWS_AT_EACH_END };

/**
 * The numbers of the rows to show of `count`, counted from 0, and how many are left out.
 *
 * Up to 1,000 rows stand whole; of 1,001 the first 50 and the last 50 stand and 901 are elided.
 */
export function selectVisibleRows(count: number): { readonly rows: readonly number[]; readonly elided: number } {
  if (count <= MAX_LISTED_ROWS) return { rows: Array.from({ length: count }, (_, row) => row), elided: 0 };
  const rows: number[] = [];
  for (let row = 0; row < ROWS_AT_EACH_END; row++) rows.push(row);
  for (let row = count - ROWS_AT_EACH_END; row < count; row++) rows.push(row);
  return { rows, elided: count - 2 * ROWS_AT_EACH_END };
}
