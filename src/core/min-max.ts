/** The greatest of any number of numbers, and at least `floor`: `greatest([2, 7], 0)` is 7. Math.max takes some 100,000 arguments and no more. */
export function findMax(numbers: Iterable<number>, floor = -Infinity): number {
  let result = floor;
  for (const number of numbers) result = Math.max(result, number);
  return result;
}

/** The least of any number of numbers, and at most `ceiling`: `least([2, 7], 5)` is 2. */
export function findMin(numbers: Iterable<number>, ceiling = Infinity): number {
  let result = ceiling;
  for (const number of numbers) result = Math.min(result, number);
  return result;
}
