import { assert, integer, property } from 'fast-check';
import { fleetBehaviourOf } from '../../../src/systems/fleet/behaviour';
import { FleetLimitError, isLimit, isZeroPercent, resolveLimit } from '../../../src/systems/fleet/limit';
import type { LimitValue } from '../../../src/systems/fleet/limit';

const NEWEST = fleetBehaviourOf('0.16.1');

describe('a limit for a number of clusters', () => {
  test.each<[count: number, value: LimitValue, limit: number, why: string]>([
    [10, 5, 5, 'an integer is used as it is'],
    [10, 0, 0, '0 stays 0'],
    [10, 500, 10, 'an integer is clamped to the count'],
    [10, -5, 0, 'an integer is clamped to 0'],
    [10, '5', 5, 'a quoted integer is used as it is'],
    [200, '300', 300, 'a quoted integer is not clamped to the count'],
    [10, '+7', 7, 'a sign is allowed'],
    [10, '007', 7, 'leading zeros are allowed'],
    [230, '25%', 57, 'a percentage is rounded down: 57.5'],
    [3, '10%', 1, 'a percentage is at least 1: 0.3'],
    [10, '0%', 1, '0 percent resolves to 1'],
    [10, '-10%', 1, 'a negative percentage resolves to 1'],
    [10, '150%', 10, 'a percentage is clamped to the count'],
    [1000, '12.5%', 125, 'a fraction of a percent counts'],
    [1000, '.5%', 5, 'a fraction without a leading zero counts'],
    [1000, '1e1%', 100, 'Go parses exponents'],
    [1000, 'inf%', 1, 'Go parses infinity, which overflows to less than 1'],
    [1000, 'NaN%', 1, 'Go parses NaN, which is less than 1'],
    [10, undefined, 10, 'the default is 100%'],
    [10, null, 10, 'null is unset'],
    [0, 'abc', 1, 'for 0 clusters any value is 1'],
    [-1, 5, 1, 'for a negative count it is 1 too'],
  ])('%s clusters, %p: %s (%s)', (count, value, limit) => {
    expect(resolveLimit(count, [value], NEWEST)).toBe(limit);
  });

  test('is the first value that is set: the partition’s, the rollout’s, the default', () => {
    expect(resolveLimit(10, [undefined, null, '50%', 1], NEWEST)).toBe(5);
  });

  test.each(['abc', '', '0', '-3', '10 %', ' 10%', '%', '10%%', '1,5%'])('refuses %p, as the controller does', (value) => {
    expect(isLimit(value)).toBe(false);
    const message = `"${value}" is neither an integer above 0 nor a percentage such as "10%"`;
    expect(() => resolveLimit(10, [value], NEWEST)).toThrow(new FleetLimitError(message));
  });

  test('is not clamped to the count before Fleet 0.13', () => {
    const before = fleetBehaviourOf('0.12');
    expect([500, -5, '150%'].map((value) => resolveLimit(10, [value], before))).toEqual([500, -5, 15]);
    expect([500, -5, '150%'].map((value) => resolveLimit(10, [value], fleetBehaviourOf('0.13')))).toEqual([10, 0, 10]);
  });

  test('in percent is the share, rounded down, between 1 and the count', () => {
    assert(
      property(integer({ min: 1, max: 1_000_000 }), integer({ min: 1, max: 200 }), (count, percent) => {
        const share = Math.floor((count * percent) / 100);
        expect(resolveLimit(count, [`${percent}%`], NEWEST)).toBe(Math.min(count, Math.max(1, share)));
      }),
    );
  });
});

test('0 percent and less resolve to 1', () => {
  expect(['0%', '-10%', '0.0%', '1%', '0', 0, '5'].filter(isZeroPercent)).toEqual(['0%', '-10%', '0.0%']);
});
