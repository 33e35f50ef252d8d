import { assert, integer, property } from 'fast-check';
import { fleetBehaviourOf } from '../../../src/systems/fleet/behaviour';
import { FleetLimitError, isLimit, isZeroPercent, resolveLimit } from '../../../src/systems/fleet/limit';
import type { LimitValue } from '../../../src/systems/fleet/limit';

const NEWEST = fleetBehaviourOf('0.16.1');

describe('a limit of so many clusters', () => {
  test.each<[count: number, value: LimitValue, limit: number, why: string]>([
    [10, 5, 5, 'a whole number is itself'],
    [10, 0, 0, '0 is 0'],
    [10, 500, 10, 'and not above the count'],
    [10, -5, 0, 'nor below 0'],
    [10, '5', 5, 'a whole number in quotes is itself too'],
    [200, '300', 300, 'and is not held to the count'],
    [10, '+7', 7, 'a sign does no harm'],
    [10, '007', 7, 'nor do zeros'],
    [230, '25%', 57, 'a percentage is rounded down: 57.5'],
    [3, '10%', 1, 'but never below 1: 0.3'],
    [10, '0%', 1, '0 percent is 1'],
    [10, '-10%', 1, 'and so is less'],
    [10, '150%', 10, 'it is held to the count'],
    [1000, '12.5%', 125, 'a fraction of a percent counts'],
    [1000, '.5%', 5, 'however it is written'],
    [1000, '1e1%', 100, 'Go reads exponents'],
    [1000, 'inf%', 1, 'and infinity, which overflows to less than 1'],
    [1000, 'NaN%', 1, 'and NaN, likewise'],
    [10, undefined, 10, 'the default is 100%'],
    [10, null, 10, 'null is absent'],
    [0, 'abc', 1, 'of nothing it is 1, whatever is written'],
    [-1, 5, 1, 'so too of less than nothing'],
  ])('%s clusters, %p: %s (%s)', (count, value, limit) => {
    expect(resolveLimit(count, [value], NEWEST)).toBe(limit);
  });

  test('is the first value that is there: a partition’s own, the rollout’s, the default', () => {
    expect(resolveLimit(10, [undefined, null, '50%', 1], NEWEST)).toBe(5);
  });

  test.each(['abc', '', '0', '-3', '10 %', ' 10%', '%', '10%%', '1,5%'])('refuses %p, as the controller does', (value) => {
    expect(isLimit(value)).toBe(false);
    const message = `"${value}" is neither a whole number above 0 nor a percentage such as "10%"`;
    expect(() => resolveLimit(10, [value], NEWEST)).toThrow(new FleetLimitError(message));
  });

  test('is not held to the count before Fleet 0.13', () => {
    const before = fleetBehaviourOf('0.12');
    expect([500, -5, '150%'].map((value) => resolveLimit(10, [value], before))).toEqual([500, -5, 15]);
    expect([500, -5, '150%'].map((value) => resolveLimit(10, [value], fleetBehaviourOf('0.13')))).toEqual([10, 0, 10]);
  });

  test('in percent is the floor of the share, between 1 and the count', () => {
    assert(
      property(integer({ min: 1, max: 1_000_000 }), integer({ min: 1, max: 200 }), (count, percent) => {
        const share = Math.floor((count * percent) / 100);
        expect(resolveLimit(count, [`${percent}%`], NEWEST)).toBe(Math.min(count, Math.max(1, share)));
      }),
    );
  });
});

test('0 percent and less are what becomes 1', () => {
  expect(['0%', '-10%', '0.0%', '1%', '0', 0, '5'].filter(isZeroPercent)).toEqual(['0%', '-10%', '0.0%']);
});
