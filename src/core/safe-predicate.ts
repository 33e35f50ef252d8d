/** Is a value of a caller what is asked for? A Proxy may throw when it is asked, and is then taken for nothing of the kind. */
export function testSafely(predicate: () => boolean): boolean {
  try {
    return predicate();
  } catch {
    return false;
  }
}
