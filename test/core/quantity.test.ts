import * as fc from 'fast-check';
import { formatNanos, isQuantity, parseQuantityNanos, parseQuantityNumber } from '../../src/core/values/quantity';

describe('quantities are parsed as in Kubernetes', () => {
  test.each([
    ['1', 1_000_000_000n],
    [2, 2_000_000_000n],
    [0.1, 100_000_000n],
    ['0', 0n],
    ['500m', 500_000_000n],
    ['1.5', 1_500_000_000n],
    ['.5', 500_000_000n],
    ['5.', 5_000_000_000n],
    ['+3', 3_000_000_000n],
    ['-2', -2_000_000_000n],
    ['1k', 1_000_000_000_000n],
    ['1Ki', 1_024_000_000_000n],
    ['1.5Gi', 1_610_612_736_000_000_000n],
    ['1E', 1_000_000_000_000_000_000_000_000_000n],
    ['1e3', 1_000_000_000_000n],
    ['1E-3', 1_000_000n],
    ['1n', 1n],
  ])('%p is %p billionths', (quantity, nanos) => {
    expect(parseQuantityNanos(quantity)).toBe(nanos);
  });

  test('amounts finer than a billionth are rounded up, so that no request becomes 0', () => {
    expect(parseQuantityNanos('0.1n')).toBe(1n);
    expect(parseQuantityNanos('1e-1000')).toBe(1n);
    expect(parseQuantityNanos('-0.1n')).toBe(-1n);
    expect(parseQuantityNanos('0.30000000000000004')).toBe(300_000_001n);
  });

  test('insignificant digits are ignored', () => {
    const zeros = '0'.repeat(3_000);
    expect(parseQuantityNanos(`${zeros}7`)).toBe(7_000_000_000n);
    expect(parseQuantityNanos(zeros)).toBe(0n);
    expect(parseQuantityNanos(`0.${zeros}1`)).toBe(1n);
    expect(parseQuantityNanos(`0.${zeros}0`)).toBe(0n);
    expect(parseQuantityNanos(`1.5${zeros}`)).toBe(1_500_000_000n);
    expect(parseQuantityNanos(`1${zeros}`)).toBe(10n ** 300n);
    expect(parseQuantityNanos(`1${zeros.slice(0, 1_000)}e-1000`)).toBe(1_000_000_000n);
  });

  test('an amount above int64 is limited to it with a binary suffix, and otherwise only to what JSON can represent', () => {
    expect(parseQuantityNanos('100Ei')).toBe((2n ** 63n - 1n) * 1_000_000_000n);
    expect(parseQuantityNanos('100E')).toBe(100n * 10n ** 27n);
    expect(parseQuantityNanos('1e999999')).toBe(10n ** 300n);
    expect(parseQuantityNanos('-1e999999')).toBe(-(10n ** 300n));
    expect(Number.isFinite(parseQuantityNumber('1e999999'))).toBe(true);
  });

  test('a sign, a point or a suffix without digits is 0', () => {
    expect(['.', '+', '-', 'm', '.Ki', '+m'].map(parseQuantityNanos)).toEqual([0n, 0n, 0n, 0n, 0n, 0n]);
  });

  test.each([
    ['9'.repeat(1_000_000), '1e400'],
    [`${'0'.repeat(1_000_000)}5`, '5'],
    [`1.${'0'.repeat(1_000_000)}1`, '1000000001n'],
    [`0.${'0'.repeat(1_000_000)}`, '0'],
  ])('a million digits are parsed like the few significant ones', (digits, same) => {
    expect(parseQuantityNanos(digits)).toBe(parseQuantityNanos(same));
  });

  test.each(['', '1,5', '1KiB', '1K', '1e3Ki', '0x10', 'NaN', '--1', '1m1', null, undefined, NaN, Infinity, {}, true])(
    '%p is not a quantity',
    (value) => {
      expect(parseQuantityNanos(value)).toBeUndefined();
      expect(parseQuantityNumber(value)).toBeUndefined();
    },
  );

  test('a quantity can be parsed to a plain number', () => {
    expect([parseQuantityNumber('500m'), parseQuantityNumber('16Gi'), parseQuantityNumber('0.1'), parseQuantityNumber(3)]).toEqual([
      0.5, 17_179_869_184, 0.1, 3,
    ]);
  });
});

describe('amounts are formatted for people', () => {
  test.each([
    ['units', '3000', '3000'],
    ['units', '1.5', '1500m'],
    ['units', '0', '0'],
    ['units', '0.0000005', '500n'],
    ['bytes', '2048Mi', '2Gi'],
    ['bytes', '1500M', '1500M'],
    ['bytes', '1023', '1023'],
    ['bytes', '-2Gi', '-2Gi'],
    ['bytes', '0.5', '500m'],
  ] as const)('in %s, %s is formatted as %s', (unit, quantity, expected) => {
    expect(formatNanos(parseQuantityNanos(quantity)!, unit)).toBe(expected);
  });

  test('and parsed to the same amount again', () => {
    const amount = fc.bigInt({ min: -(10n ** 27n), max: 10n ** 27n });
    fc.assert(
      fc.property(amount, fc.constantFrom('bytes' as const, 'units' as const), (nanos, unit) => {
        expect(parseQuantityNanos(formatNanos(nanos, unit))).toBe(nanos);
      }),
    );
  });
});

test('spaces around a quantity do not change its amount', () => {
  expect([' 8', '8 ', '\u20038\u00a0'].map(parseQuantityNumber)).toEqual([8, 8, 8]);
});

test.each<[unknown, boolean]>([
  ['1', true],
  [' 500m ', true],
  ['\u00a08\u3000', true],
  ['8\t', false],
  ['\n8', false],
  ['\ufeff8', false],
  [1.5, true],
  ['', false],
  ['1 m', false],
  [NaN, false],
  [null, false],
  [true, false],
  [['1'], false],
])('%p is accepted as a quantity: %p', (value, isAccepted) => {
  expect(isQuantity(value)).toBe(isAccepted);
});
