import * as fc from 'fast-check';
import { selectVisibleRows } from '../../../src/core/simulations/row-limit';

describe('up to 1,000 rows are all visible, and of more rows the first 50 and the last 50', () => {
  test('1,000 rows are all visible', () => {
    const { rows, elided } = selectVisibleRows(1_000);
    expect([rows.length, rows.at(0), rows.at(-1), elided]).toEqual([1_000, 0, 999, 0]);
  });

  test('901 of 1,001 rows are omitted', () => {
    const { rows, elided } = selectVisibleRows(1_001);
    expect([rows.length, rows[49], rows[50], rows.at(-1), elided]).toEqual([100, 49, 951, 1_000, 901]);
  });

  test('visible rows ascend, and together with the omitted rows they are the count', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 2_147_483_647 }).filter((count) => count > 1_000),
        (count) => {
          const { rows, elided } = selectVisibleRows(count);
          expect(rows.length + elided).toBe(count);
          expect(rows.every((row, index) => index === 0 || row > rows[index - 1]!)).toBe(true);
        },
      ),
    );
  });
});
