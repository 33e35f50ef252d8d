import * as fc from 'fast-check';
import {
  isDigitString,
  isInt32,
  isIntOrPercent,
  isPercentString,
  parsePercent,
  scaleRoundedDown,
  scaleRoundedUp,
} from '../../src/core/values/int-or-percent';

describe('values that the API server accepts for an int-or-percent field', () => {
  test.each([0, 1, 2_147_483_647, -1, -2_147_483_648, '25%', '0%', '100%', '007%'])('%p is accepted', (value) => {
    expect(isIntOrPercent(value)).toBe(true);
  });

  test.each([
    '1',
    '',
    '%',
    '-25%',
    '25.5%',
    '25 %',
    '٢٥%',
    1.5,
    NaN,
    Infinity,
    2_147_483_648,
    -2_147_483_649,
    '25%%',
    'a25%',
    null,
    undefined,
    true,
    {},
    ['1%'],
  ])('%p is not accepted', (value) => {
    expect(isIntOrPercent(value)).toBe(false);
  });

  test('a quoted number is distinguished from a percentage and from any other string', () => {
    expect(['1', '-12', '+123', '25%', '', 'x1', 1].map(isDigitString)).toEqual([true, true, true, false, false, false, false]);
    expect(['1', '25%', 25].map(isPercentString)).toEqual([false, true, false]);
  });

  test('a whole number is an int32 if it fits into 32 bits', () => {
    expect([2_147_483_647, 2_147_483_648, -2_147_483_647, 0.5, '1'].map(isInt32)).toEqual([true, false, true, false, false]);
  });
});

describe('a percentage in pods: surge is rounded up, unavailable down', () => {
  test.each([
    ['25%', 10, 3, 2],
    ['25%', 4, 1, 1],
    ['25%', 3, 1, 0],
    ['0%', 10, 0, 0],
    ['100%', 7, 7, 7],
    ['150%', 4, 6, 6],
    ['1%', 1, 1, 0],
    ['33%', 3, 1, 0],
    ['25%', 0, 0, 0],
    [2, 10, 2, 2],
    [12, 10, 12, 12],
  ] as const)('%p of %i pods is %i up and %i down', (value, total, up, down) => {
    expect([scaleRoundedUp(value, total), scaleRoundedDown(value, total)]).toEqual([up, down]);
  });

  const percent = fc.nat({ max: 1_000 }).map((n) => `${n}%` as const);
  const pods = fc.nat({ max: 2_147_483_647 });

  test('the two are equal or differ by 1, and enclose the exact value', () => {
    fc.assert(
      fc.property(percent, pods, (value, total) => {
        const exact = BigInt(parsePercent(value)) * BigInt(total);
        const [up, down] = [scaleRoundedUp(value, total), scaleRoundedDown(value, total)];
        expect(up - down).toBe(exact % 100n === 0n ? 0 : 1);
        expect(BigInt(down) * 100n <= exact && exact <= BigInt(up) * 100n).toBe(true);
      }),
    );
  });

  test('a number of pods does not depend on the total', () => {
    fc.assert(
      fc.property(pods, pods, (value, total) =>
        expect([scaleRoundedUp(value, total), scaleRoundedDown(value, total)]).toEqual([value, value]),
      ),
    );
  });
});
