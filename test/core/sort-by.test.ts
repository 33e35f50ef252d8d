import { sortBy } from '../../src/core/collections/sort-by';

test('items are sorted by code units independently of the locale, and items with equal keys keep their order', () => {
  const names = ['b 1', 'a', 'B', 'ä', 'b 2', ''];
  expect(sortBy(names, (name) => name.split(' ')[0]!)).toEqual(['', 'B', 'a', 'b 1', 'b 2', 'ä']);
  expect(names[0]).toBe('b 1');
});
