import { fleetBehaviour } from '../../../src/systems/fleet/behaviour';
import { isLimit, resolveLimit } from '../../../src/systems/fleet/limit';

const BEHAVIOUR = fleetBehaviour('0.16');

describe('limits as Go reads them', () => {
  test.each([
    ['a hexadecimal percentage', '0x1p4%', 16],
    ['a hexadecimal fraction', '0x1.8p3%', 12],
    ['an underscore between digits', '1_0%', 10],
    ['an exponent', '1e1%', 10],
    ['a percentage too small for a float', '1e-400%', 1],
    ['the largest integer', '9223372036854775807', 2 ** 63],
    ['an integer beyond it, which is cut', '99999999999999999999', 2 ** 63],
  ])('%s: %s of 100', (_what, limit, expected) => {
    expect(isLimit(limit)).toBe(true);
    expect(resolveLimit(100, [limit], BEHAVIOUR)).toBe(expected);
  });

  test.each([
    ['a percentage beyond a float', '1e400%'],
    ['a hexadecimal number without power', '0x10%'],
    ['an underscore at the end', '10_%'],
    ['two underscores', '1__0%'],
    ['an underscore in an integer', '1_0'],
    ['a hexadecimal integer', '0x10'],
  ])('%s is refused: %s', (_what, limit) => {
    expect(isLimit(limit)).toBe(false);
  });
});
