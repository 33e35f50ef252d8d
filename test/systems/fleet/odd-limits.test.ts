import { fleetBehaviourOf } from '../../../src/systems/fleet/behaviour';
import { isLimit, isZeroPercent, resolveLimit } from '../../../src/systems/fleet/limit';

const BEHAVIOUR = fleetBehaviourOf('0.16');

describe('limits as Go reads them', () => {
  test.each([
    ['a hexadecimal percentage', '0x1p4%', 16],
    ['a hexadecimal fraction', '0x1.8p3%', 12],
    ['a hexadecimal fraction alone', '0x.8p5%', 16],
    ['a hexadecimal number with a point behind it', '0x1.p4%', 16],
    ['a positive hexadecimal percentage', '+0x1p4%', 16],
    ['a negative one', '-0x1p4%', 1],
    ['an underscore between digits', '1_0%', 10],
    ['an underscore between hexadecimal digits', '0xa_ap-4%', 10],
    ['an underscore behind the prefix', '-0x_ap1%', 1],
    ['infinity', '+Infinity%', 1],
    ['less than anything', '-inf%', 1],
    ['what is no number', 'nan%', 1],
    ['more than an int64 holds, times the count', '92233720368547758080%', 1],
    ['an exponent', '1e1%', 10],
    ['a percentage too small for a float', '1e-400%', 1],
    ['the largest integer', '9223372036854775807', 2 ** 63],
    ['an integer beyond it, which is cut', '99999999999999999999', 2 ** 63],
  ])('%s: %s of 100', (_what, limit, expected) => {
    expect(isLimit(limit)).toBe(true);
    expect(resolveLimit(100, [limit], BEHAVIOUR)).toBe(expected);
  });

  test('just an int64, times the count, is beyond it', () => {
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

  test.each([[null], [undefined], [true], [{}], [['10%']]])('%p is none', (limit) => {
    expect(isLimit(limit)).toBe(false);
  });

  test.each([
    ['a percentage beyond a float', '1e400%'],
    ['a hexadecimal number without power', '0x10%'],
    ['an underscore at the end', '10_%'],
    ['two underscores', '1__0%'],
    ['an underscore in an integer', '1_0'],
    ['a hexadecimal integer', '0x10'],
    ['a hexadecimal number without digits', '0xp4%'],
    ['two underscores behind one', '1_0__0%'],
    ['an underscore at the beginning', '_10%'],
    ['a hexadecimal digit beside an underscore of a decimal number', '1_a%'],
    ['infinity with a letter more', 'infx%'],
    ['zeros', '00'],
    ['a negative integer', '-3'],
    ['a percent sign alone', '%'],
  ])('%s is refused: %s', (_what, limit) => {
    expect(isLimit(limit)).toBe(false);
  });
});
