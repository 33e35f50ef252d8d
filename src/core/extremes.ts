/** The greatest of any number of numbers, and at least `floor`: `greatest([2, 7], 0)` is 7. Math.max takes some 100,000 arguments and no more. */
export function greatest(numbers: Iterable<number>, floor = -Infinity): number {
  let found = floor;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** The least of any number of numbers, and at most `ceiling`: `least([2, 7], 5)` is 2. */
export function least(numbers: Iterable<number>, ceiling = Infinity): number {
  let found = ceiling;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}
