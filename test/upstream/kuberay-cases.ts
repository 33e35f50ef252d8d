import type { Fields, Manifest } from '../../src/core/manifest/manifest';

/** A JSON pointer and its new value. Without a value the field is removed. */
export type Change = readonly [pointer: string, value?: unknown];

function put(parent: unknown, [part, ...rest]: readonly string[], change: Change): unknown {
  if (part === undefined) return change[1];
  if (Array.isArray(parent)) return parent.map((item: unknown, index) => (String(index) === part ? put(item, rest, change) : item));
  const fields = (parent ?? {}) as Fields;
  if (rest.length > 0 || change.length === 2) return { ...fields, [part]: put(fields[part], rest, change) };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== part));
}

/** Returns the object with all changes applied in order. */
export function changed(object: Manifest, changes: readonly Change[] = []): Manifest {
  return changes.reduce((made, change) => {
    const parts = change[0].slice(1).split('/');
    return put(
      made,
      parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
      change,
    ) as Manifest;
  }, object);
}

/** The recorded versions of KubeRay, each with the suffix of its recordings. */
export const RECORDED_VERSIONS = [
  ['1.5.1', '-1.5'],
  ['1.6.2', ''],
] as const;
