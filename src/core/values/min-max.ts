/**
 * Returns the maximum of any number of numbers, and at least `floor`: `findMax([2, 7], 0)` is 7. Math.max accepts only about 100,000
 * arguments.
 */
export function findMax(numbers: Iterable<number>, floor = -Infinity): number {
  let result = floor;
  for (const number of numbers) result = Math.max(result, number);
  return result;
}

/** Returns the minimum of any number of numbers, and at most `ceiling`: `findMin([2, 7], 5)` is 2. */
export function findMin(numbers: Iterable<number>, ceiling = Infinity): number {
  let result = ceiling;
  for (const number of numbers) result = Math.min(result, number);
  return result;
}
