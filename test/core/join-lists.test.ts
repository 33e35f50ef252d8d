import { collectFromEach, joinLists } from '../../src/core/join-lists';

describe('lists one after the other', () => {
  test('stand in their order', () => {
    expect(joinLists(['a'], [], ['b', 'c'], ['d'])).toEqual(['a', 'b', 'c', 'd']);
  });

  test('leave the lists given as they are', () => {
    const first = ['a'];
    joinLists(first, ['b'], ['c']);
    expect(first).toEqual(['a']);
  });

  test('are the only one that holds anything, without a copy', () => {
    const only = ['a'];
    expect(joinLists([], only, [])).toBe(only);
    expect(joinLists([], [])).toEqual([]);
  });
});

test('what is found in each of some things stands in their order, with their positions', () => {
  expect(collectFromEach(['a', 'b', 'c'], (thing, index) => (thing === 'b' ? [] : [thing, `${index}`]))).toEqual(['a', '0', 'c', '2']);
  expect(collectFromEach(['a'], () => [])).toEqual([]);
  expect(collectFromEach(['a', 'b'], () => [])).toBe(collectFromEach([], () => ['a']));
});
