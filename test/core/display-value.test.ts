import * as fc from 'fast-check';
import { describeValue, toDisplayValue, formatDisplayValue } from '../../src/core/text/display-value';

test.each<[unknown, unknown, string]>([
  ['1', '1', '"1"'],
  ['two\nlines', 'two\nlines', '"two\\nlines"'],
  [1.5, 1.5, '1.5'],
  [0, 0, '0'],
  [true, true, 'true'],
  [null, null, 'null'],
  [undefined, { described: 'undefined' }, 'undefined'],
  [2 ** 53 - 1, 9007199254740991, '9007199254740991'],
  [2 ** 53, { described: 'about 9.01e+15' }, 'about 9.01e+15'],
  [-1e22, { described: 'about -1.00e+22' }, 'about -1.00e+22'],
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
])('%p is stored as plain data, and shown short and on one line', (value, stored, shown) => {
  expect(toDisplayValue(value)).toEqual(stored);
  expect(formatDisplayValue(toDisplayValue(value))).toBe(shown);
  expect(describeValue(value)).toBe(shown);
});

test('a finding stores any value as JSON can represent it, and a message shows it on one short line', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true }), (value) => {
      const stored = toDisplayValue(value);
      expect(JSON.parse(JSON.stringify(stored))).toEqual(Object.is(stored, -0) ? 0 : stored);
      expect(formatDisplayValue(stored)).not.toMatch(/\n/);
      expect(formatDisplayValue(stored).length).toBeLessThanOrEqual(80);
    }),
  );
});

test('a value that throws when it is read is described anyway', () => {
  const proxy = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('read');
      },
    },
  );
  expect(toDisplayValue(proxy)).toEqual({ described: 'a value that cannot be read' });
});
