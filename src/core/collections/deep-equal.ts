/** Reports whether two values of plain data are equal, regardless of the order of map keys. It has loops, since a callback for each level would need twice the stack. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    for (let index = 0; index < one.length; index++) if (!isDeepEqual(one[index], other[index])) return false;
    return true;
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  for (const key of keys) if (!Object.hasOwn(right, key) || !isDeepEqual(left[key], right[key])) return false;
  return true;
}
