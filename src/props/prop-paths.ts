/** From which prop each field of an object was written, `[field, prop]`, the more exact first; `[*]` stands for any index, and keeps it. */
export type PropPaths = readonly (readonly [field: string, prop: string])[];

/** The index that stands at this place of a path: `3` of `roles[3].size` at 5. */
function parseIndexAt(path: string, offset: number): string | undefined {
  const end = path.indexOf(']', offset);
  if (path[offset] !== '[' || end === -1) return undefined;
  const index = path.slice(offset + 1, end);
  return /^\d+$/.test(index) ? index : undefined;
}

/** How much of a path is this field, and the indexes that stand for its `[*]`; nothing where the path is that of another field. */
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
  // `spec.size` is no begin of `spec.sizes`.
  return length === path.length || '.['.includes(path[length]!) ? { length, indexes } : undefined;
}

/**
 * The prop that a user wrote for what stands at this path of the object; the path itself where no prop is known.
 *
 * @example
 * propAt('spec.leaderWorkerTemplate.size', [['spec.leaderWorkerTemplate.size', 'size'], ['spec', '']]); // size
 * propAt('spec.replicas', [['spec', '']]); // replicas
 */
export function resolvePropPath(path: string, propPaths: PropPaths): string {
  for (const [field, prop] of propPaths) {
    const match = matchField(field, path);
    if (!match) continue;
    const indexes = [...match.indexes];
    const fullPath = prop.replaceAll('[*]', () => `[${indexes.shift()}]`) + path.slice(match.length);
    const trimmed = fullPath.startsWith('.') ? fullPath.slice(1) : fullPath;
    // Where the whole object is meant, no prop is.
    return trimmed === '' ? path : trimmed;
  }
  return path;
}
