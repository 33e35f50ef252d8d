import { trimEndCharacters } from '../../src/core/text/trim-end';

test.each([
  ['charts//', '/', 'charts'],
  ['a/b', '/', 'a/b'],
  ['//', '/', ''],
  ['', '/', ''],
  ['100000000', '0', '1'],
  ['gitdir: store\r\n\r\n', '\r\n', 'gitdir: store'],
])('%j without %j at its end is %j', (text, character, expected) => {
  expect(trimEndCharacters(text, character)).toBe(expected);
});
