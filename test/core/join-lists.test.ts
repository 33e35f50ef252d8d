import { collectFromEach, joinLists } from '../../src/core/text/join-lists';

describe('concatenated lists', () => {
  test('keep their order', () => {
    expect(joinLists(['a'], [], ['b', 'c'], ['d'])).toEqual(['a', 'b', 'c', 'd']);
  });

  test('leave the given lists unchanged', () => {
    const first = ['a'];
    joinLists(first, ['b'], ['c']);
    expect(first).toEqual(['a']);
  });

  test('are the only non-empty list itself, without a copy', () => {
    const only = ['a'];
    expect(joinLists([], only, [])).toBe(only);
    expect(joinLists([], [])).toEqual([]);
  });
});

test('results of each item are in the order of the items, and depend on their positions', () => {
  expect(collectFromEach(['a', 'b', 'c'], (item, index) => (item === 'b' ? [] : [item, `${index}`]))).toEqual(['a', '0', 'c', '2']);
  expect(collectFromEach(['a'], () => [])).toEqual([]);
  expect(collectFromEach(['a', 'b'], () => [])).toBe(collectFromEach([], () => ['a']));
});
