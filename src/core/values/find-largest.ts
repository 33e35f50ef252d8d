/**
 * Finds the largest number from 0 up to a maximum for which a condition holds that holds for all smaller ones too, in about log2(maximum) checks:
 * `findLargest(10, (count) => count * 2 <= 7)` is 3. The condition is not checked for 0.
 */
export function findLargest(maximum: number, holds: (count: number) => boolean): number {
  let [holding, failing] = [0, maximum + 1];
  while (failing - holding > 1) {
    const middle = Math.floor((holding + failing) / 2);
    if (holds(middle)) holding = middle;
    else failing = middle;
  }
  return holding;
}
