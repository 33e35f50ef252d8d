import { capitalize, pluralize, pluralizeOrNo, joinWords } from '../../src/core/text/text-format';

test('counts have singular and plural; a summary writes no for 0', () => {
  expect([0, 1, 2].map((count) => pluralize(count, 'pod'))).toEqual(['0 pods', '1 pod', '2 pods']);
  expect([0, 1, 2].map((count) => pluralizeOrNo(count, 'batch', 'batches'))).toEqual(['no batches', '1 batch', '2 batches']);
});

test('words are joined as in a sentence', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((words) => joinWords(words))).toEqual(['', 'a', 'a and b', 'a, b and c']);
  expect(joinWords(['text', 'json', 'markdown'], 'or')).toBe('text, json or markdown');
});

test('the first letter becomes upper case', () => {
  expect([capitalize('it fits'), capitalize('')]).toEqual(['It fits', '']);
});
