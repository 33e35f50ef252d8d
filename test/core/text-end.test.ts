import { withoutEnd } from '../../src/core/text-end';

test.each([
  ['charts//', '/', 'charts'],
  ['a/b', '/', 'a/b'],
  ['//', '/', ''],
  ['', '/', ''],
  ['100000000', '0', '1'],
])('%j without %j at its end is %j', (text, character, expected) => {
  expect(withoutEnd(text, character)).toBe(expected);
});
