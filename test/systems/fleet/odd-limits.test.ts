import { fleetBehaviourOf } from '../../../src/systems/fleet/behaviour';
import { isLimit, isZeroPercent, resolveLimit } from '../../../src/systems/fleet/limit';

const BEHAVIOUR = fleetBehaviourOf('0.16');

describe('limits as Go parses them', () => {
  test.each([
    ['a hexadecimal percentage', '0x1p4%', 16],
    ['a hexadecimal fraction', '0x1.8p3%', 12],
    ['a hexadecimal fraction without an integer part', '0x.8p5%', 16],
    ['a hexadecimal number that ends with a point', '0x1.p4%', 16],
    ['a positive hexadecimal percentage', '+0x1p4%', 16],
    ['a negative hexadecimal percentage', '-0x1p4%', 1],
    ['an underscore between digits', '1_0%', 10],
    ['an underscore between hexadecimal digits', '0xa_ap-4%', 10],
    ['an underscore after the prefix', '-0x_ap1%', 1],
    ['infinity', '+Infinity%', 1],
    ['negative infinity', '-inf%', 1],
    ['NaN', 'nan%', 1],
    ['a product above int64', '92233720368547758080%', 1],
    ['an exponent', '1e1%', 10],
    ['a percentage too small for a float', '1e-400%', 1],
    ['the largest integer', '9223372036854775807', 2 ** 63],
    ['a larger integer, which is clamped', '99999999999999999999', 2 ** 63],
  ])('%s: %s of 100', (_what, limit, expected) => {
    expect(isLimit(limit)).toBe(true);
    expect(resolveLimit(100, [limit], BEHAVIOUR)).toBe(expected);
  });

  test('the largest int64 times the count overflows', () => {
    expect(resolveLimit(2, ['4611686018427387904%'], BEHAVIOUR)).toBe(1);
    expect(resolveLimit(2, ['4611686018427387000%'], BEHAVIOUR)).toBe(2);
  });

  test.each([
    ['0%', true],
    ['-0x1p4%', true],
    ['-inf%', true],
    ['inf%', false],
    ['nan%', false],
    ['1%', false],
    ['10', false],
    ['0', false],
    [0, false],
    [null, false],
  ])('%p is 0 percent or less: %p', (limit, isNone) => {
    expect(isZeroPercent(limit)).toBe(isNone);
  });

  test.each([[0], [-3], [1.5]])('every number is a limit: %p', (limit) => {
    expect(isLimit(limit)).toBe(true);
  });

  test.each([[null], [undefined], [true], [{}], [['10%']]])('%p is not a limit', (limit) => {
    expect(isLimit(limit)).toBe(false);
  });

  test.each([
    ['a percentage too large for a float', '1e400%'],
    ['a hexadecimal number without power', '0x10%'],
    ['an underscore at the end', '10_%'],
    ['two underscores', '1__0%'],
    ['an underscore in an integer', '1_0'],
    ['a hexadecimal integer', '0x10'],
    ['a hexadecimal number without digits', '0xp4%'],
    ['two underscores after a valid one', '1_0__0%'],
    ['an underscore at the beginning', '_10%'],
    ['a hexadecimal digit after an underscore of a decimal number', '1_a%'],
    ['infinity with an extra letter', 'infx%'],
    ['zeros', '00'],
    ['a negative integer', '-3'],
    ['only a percent sign', '%'],
  ])('%s is refused: %s', (_what, limit) => {
    expect(isLimit(limit)).toBe(false);
  });
});
