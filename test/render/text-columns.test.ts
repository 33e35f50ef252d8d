import { measureColumns } from '../../src/render/layout/columns';
import { wrapLineToWidth } from '../../src/render/layout/wrap-text';
import { truncateSvgText, measureTextWidth } from '../../src/render/svg/text-width';
import { alignRows } from '../../src/render/layout/table';

describe('text with double-width characters', () => {
  test.each([
    ['web', 3],
    ['日本語', 6],
    ['ﾆﾎﾝ', 3],
    ['가나다', 6],
    ['web-日本', 8],
    ['🚀', 2],
    ['e\u0301', 1],
    ['\u001b[31mred\u001b[39m', 3],
  ])('%s takes %i columns', (text, columns) => {
    expect(measureColumns(text)).toBe(columns);
  });

  test('is aligned in columns', () => {
    const rows = [
      ['Deployment 商店/日本語', 'ok'],
      ['Deployment shop/web', 'ok'],
    ];
    expect(alignRows(rows, ['left', 'left'])).toEqual(['Deployment 商店/日本語  ok', 'Deployment shop/web     ok']);
  });

  test('is wrapped to the width of the terminal', () => {
    expect(wrapLineToWidth('日本語 日本語 日本語', 14)).toEqual(['日本語 日本語', '  日本語']);
  });

  test('is measured by its columns in a picture', () => {
    expect(measureTextWidth('日本', 10)).toBe(measureTextWidth('webs', 10));
    expect(truncateSvgText('日本語日本語', 10, 6 * 10 * 0.58)).toBe('日本…');
  });
});
