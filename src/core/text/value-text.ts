/** Converts a value of the input to text. A map may have a field `toString`, which `String` would call. */
export function toSafeText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a map';
  // oxlint-disable-next-line typescript/no-base-to-string -- it is not an object
  return String(value);
}

/** Converts a value of the input to a number, which a map or list never is. A map may have a field `valueOf`, which `Number` would call. */
export function toSafeNumber(value: unknown): number {
  return typeof value === 'object' && value !== null ? NaN : Number(value);
}
