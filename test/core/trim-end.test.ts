import { trimEndCharacter } from '../../src/core/text/trim-end';

test.each([
  ['charts//', '/', 'charts'],
  ['a/b', '/', 'a/b'],
  ['//', '/', ''],
  ['', '/', ''],
  ['100000000', '0', '1'],
])('%j without %j at its end is %j', (text, character, expected) => {
  expect(trimEndCharacter(text, character)).toBe(expected);
});
