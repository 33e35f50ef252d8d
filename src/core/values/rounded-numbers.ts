/** A path whose last part is added and removed while a value is visited. */
type VisitedPath = (string | number)[];

/** Visits the whole numbers that a 64-bit float may not represent exactly. */
export function visitRoundedNumbers(value: unknown, path: VisitedPath, visit: (path: VisitedPath) => void): void {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) visit(path);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [part, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    path.push(part);
    visitRoundedNumbers(inner, path, visit);
    path.pop();
  }
}
