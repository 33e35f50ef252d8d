import { describeValue, seen, show } from '../../src/core/seen';

const VALUES = [undefined, null, '1', 1.5, NaN, true, [], [1], {}, { a: 1 }, 'x'.repeat(100), 1n, () => 1, Symbol('a')];

test('values are put into words for a message', () => {
  expect(VALUES.map(describeValue)).toEqual([
    'nothing',
    'null',
    '"1"',
    '1.5',
    'NaN',
    'true',
    '[]',
    'a list',
    '{}',
    'a map',
    `"${'x'.repeat(76)}…"`,
    '1',
    'a function',
    'a symbol',
  ]);
});

test('as data of a finding they are small, and JSON holds them as they are', () => {
  const kept = VALUES.map(seen);
  expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
  expect(kept.map(show)).toEqual(VALUES.map(describeValue));
  expect([seen('1'), seen(2), seen(null), seen([1])]).toEqual(['1', 2, null, { described: 'a list' }]);
});
