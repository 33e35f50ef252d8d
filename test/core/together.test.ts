import { ofEach, together } from '../../src/core/together';

describe('lists one after the other', () => {
  test('stand in their order', () => {
    expect(together(['a'], [], ['b', 'c'], ['d'])).toEqual(['a', 'b', 'c', 'd']);
  });

  test('leave the lists given as they are', () => {
    const first = ['a'];
    together(first, ['b'], ['c']);
    expect(first).toEqual(['a']);
  });

  test('are the only one that holds anything, without a copy', () => {
    const only = ['a'];
    expect(together([], only, [])).toBe(only);
    expect(together([], [])).toEqual([]);
  });
});

test('what is found in each of some things stands in their order, with their positions', () => {
  expect(ofEach(['a', 'b', 'c'], (thing, index) => (thing === 'b' ? [] : [thing, `${index}`]))).toEqual(['a', '0', 'c', '2']);
  expect(ofEach(['a'], () => [])).toEqual([]);
  expect(ofEach(['a', 'b'], () => [])).toBe(ofEach([], () => ['a']));
});
