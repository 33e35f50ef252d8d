import * as fc from 'fast-check';
import { describeValue, toDisplayValue, formatDisplayValue } from '../../src/core/display-value';

test.each<[unknown, unknown, string]>([
  ['1', '1', '"1"'],
  ['two\nlines', 'two\nlines', '"two\\nlines"'],
  [1.5, 1.5, '1.5'],
  [0, 0, '0'],
  [true, true, 'true'],
  [null, null, 'null'],
  [undefined, { described: 'nothing' }, 'nothing'],
  [2 ** 53 - 1, 9007199254740991, '9007199254740991'],
  [2 ** 53, { described: '9007199254740992' }, '9007199254740992'],
  [-1e22, { described: '-1e+22' }, '-1e+22'],
  [Number.NaN, { described: 'NaN' }, 'NaN'],
  [Number.NEGATIVE_INFINITY, { described: '-Infinity' }, '-Infinity'],
  [[], { described: '[]' }, '[]'],
  [[1], { described: 'a list' }, 'a list'],
  [{}, { described: '{}' }, '{}'],
  [{ a: 1 }, { described: 'a map' }, 'a map'],
  [() => 1, { described: 'a function' }, 'a function'],
  [Symbol('a'), { described: 'a symbol' }, 'a symbol'],
  [10n, { described: '10' }, '10'],
  ['x'.repeat(78), 'x'.repeat(78), `"${'x'.repeat(78)}"`],
  ['x'.repeat(79), { described: `"${'x'.repeat(76)}…"` }, `"${'x'.repeat(76)}…"`],
])('%p is kept as plain data, and shown short and on one line', (value, kept, shown) => {
  expect(toDisplayValue(value)).toEqual(kept);
  expect(formatDisplayValue(toDisplayValue(value))).toBe(shown);
  expect(describeValue(value)).toBe(shown);
});

test('whatever a value is, a finding keeps of it what JSON holds, and a message shows it on one short line', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true }), (value) => {
      const kept = toDisplayValue(value);
      expect(JSON.parse(JSON.stringify(kept))).toEqual(Object.is(kept, -0) ? 0 : kept);
      expect(formatDisplayValue(kept)).not.toMatch(/\n/);
      expect(formatDisplayValue(kept).length).toBeLessThanOrEqual(80);
    }),
  );
});

test('a value that throws when it is asked is described all the same', () => {
  const proxy = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('asked');
      },
    },
  );
  expect(toDisplayValue(proxy)).toEqual({ described: 'a value that cannot be read' });
});
