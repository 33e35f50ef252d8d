import { RE2JS } from '../../playground/native-expressions';

test.each([
  ['app-.*', 'app-config', true],
  ['app-.*', 'web-config', false],
  ['web|app-.*', 'app-config', true],
  ['.*-config', 'app-values', false],
  ['[a-z]+', '1', true],
])('in the playground, the expression %s for Reloader may match %s: %s', (expression, name, expected) => {
  expect(RE2JS.compile(`^${expression}$`).matcher(name).find()).toBe(expected);
});

test.each(['(a+)+', '(a|a)'.repeat(100), '.*'.repeat(100), 'a?'.repeat(100) + 'a'.repeat(100)])(
  'an expression that takes a browser very long is not matched, but may match: %s',
  (expression) => {
    expect(
      RE2JS.compile(`^${expression}$`)
        .matcher(`${'a'.repeat(100)}b`)
        .find(),
    ).toBe(true);
  },
);

test('a text that is no expression is refused', () => {
  expect(() => RE2JS.compile('^($')).toThrow(SyntaxError);
});
