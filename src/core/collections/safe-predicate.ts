/** Returns the result of a predicate; false if it throws. A Proxy that a caller passes in may throw when it is read. */
export function testSafely(predicate: () => boolean): boolean {
  try {
    return predicate();
  } catch {
    return false;
  }
}
