/** Prop from which each field of an object was written, `[field, prop]`, most specific first. `[*]` matches any index and is replaced by it. */
export type PropPaths = readonly (readonly [field: string, prop: string])[];

/** Parses the index at an offset of a path: `3` for `roles[3].size` at 5. */
function parseIndexAt(path: string, offset: number): string | undefined {
  const end = path.indexOf(']', offset);
  if (path[offset] !== '[' || end === -1) return undefined;
  const index = path.slice(offset + 1, end);
  return /^\d+$/.test(index) ? index : undefined;
}

/** Matches a field with the beginning of a path. Returns its length and the indexes of its `[*]`, or undefined if it does not match. */
function matchField(field: string, path: string): { readonly length: number; readonly indexes: readonly string[] } | undefined {
  const [first = '', ...others] = field.split('[*]');
  if (!path.startsWith(first)) return undefined;
  const indexes: string[] = [];
  let { length } = first;
  for (const part of others) {
    const index = parseIndexAt(path, length);
    if (index === undefined) return undefined;
    indexes.push(index);
    length += `[${index}]`.length;
    if (!path.startsWith(part, length)) return undefined;
    length += part.length;
  }
  // `spec.size` does not match `spec.sizes`.
  return length === path.length || '.['.includes(path[length]!) ? { length, indexes } : undefined;
}

/**
 * Returns the prop that the user wrote for a path of the object, or the path itself if no prop is known.
 *
 * @example
 * resolvePropPath('spec.leaderWorkerTemplate.size', [['spec.leaderWorkerTemplate.size', 'size'], ['spec', '']]); // size
 * resolvePropPath('spec.replicas', [['spec', '']]); // replicas
 */
export function resolvePropPath(path: string, propPaths: PropPaths): string {
  for (const [field, prop] of propPaths) {
    const match = matchField(field, path);
    if (!match) continue;
    const indexes = [...match.indexes];
    const fullPath = prop.replaceAll('[*]', () => `[${indexes.shift()}]`) + path.slice(match.length);
    const trimmed = fullPath.startsWith('.') ? fullPath.slice(1) : fullPath;
    // No prop corresponds to the entire object.
    return trimmed === '' ? path : trimmed;
  }
  return path;
}
