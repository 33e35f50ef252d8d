import * as fc from 'fast-check';
import { findLargest } from '../../src/core/values/find-largest';

test('the largest number for which a condition holds is found in a few checks', () => {
  let checks = 0;
  const isSmall = (count: number) => {
    checks++;
    return count <= 333_333;
  };
  expect([findLargest(1_000_000, isSmall), checks]).toEqual([333_333, 20]);
});

test('it is between 0 and the maximum', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.integer({ min: -5, max: 105 }), (maximum, limit) => {
      expect(findLargest(maximum, (count) => count <= limit)).toBe(Math.max(0, Math.min(maximum, limit)));
    }),
  );
});
