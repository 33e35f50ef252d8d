import { appendToPath, appendMapKey } from './field-path';
import type { FieldPath, PathPart } from './field-path';

/** Path of a value below its parent. */
interface LazyChildPath {
  readonly parent: LazyFieldPath;
  readonly part: PathPart;
  /** Whether it is an entry of a map whose keys are data. */
  readonly isMapEntry: boolean;
}

/** Path of a value. The text is built only for a problem, since most objects have none. */
export type LazyFieldPath = FieldPath | LazyChildPath;

/** Appends a field or list item to a path. */
export function appendLazily(parent: LazyFieldPath, part: PathPart): LazyFieldPath {
  return { parent, part, isMapEntry: false };
}

/** Appends an entry of a map whose keys are data. */
export function appendMapKeyLazily(parent: LazyFieldPath, key: string): LazyFieldPath {
  return { parent, part: key, isMapEntry: true };
}

export function resolveLazyPath(path: LazyFieldPath): FieldPath {
  if (typeof path === 'string') return path;
  const { parent, part, isMapEntry } = path;
  return isMapEntry ? appendMapKey(resolveLazyPath(parent), String(part)) : appendToPath(resolveLazyPath(parent), part);
}
