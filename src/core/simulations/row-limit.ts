/** Maximum length of a list that is not shortened; longer lists keep `ROWS_AT_EACH_END` rows at each end. */
export const MAX_LISTED_ROWS = 1_000;
export const ROWS_AT_EACH_END = 50;

/** Maximum number of rows that are all listed, and the number of rows at each end of a longer list. */
export interface RowLimit {
  readonly maxRows: number;
  readonly atEachEnd: number;
}

export const DEFAULT_ROW_LIMIT: RowLimit = { maxRows: MAX_LISTED_ROWS, atEachEnd: ROWS_AT_EACH_END };

/**
 * Returns the indexes of the rows to show of `count`, and how many are omitted.
 *
 * Up to 1,000 rows are all shown; of 1,001, the first 50 and the last 50 are shown and 901 are omitted.
 */
export function selectVisibleRows(count: number): { readonly rows: readonly number[]; readonly elided: number } {
  if (count <= MAX_LISTED_ROWS) return { rows: Array.from({ length: count }, (_, row) => row), elided: 0 };
  const rows: number[] = [];
  for (let row = 0; row < ROWS_AT_EACH_END; row++) rows.push(row);
  for (let row = count - ROWS_AT_EACH_END; row < count; row++) rows.push(row);
  return { rows, elided: count - 2 * ROWS_AT_EACH_END };
}
