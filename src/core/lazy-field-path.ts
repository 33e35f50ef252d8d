import { appendToPath, appendMapKey } from './field-path';
import type { FieldPath, PathPart } from './field-path';

/** Where a value stands below what holds it. */
interface LazyChildPath {
  readonly parent: LazyFieldPath;
  readonly part: PathPart;
  /** Is it an entry of a map whose keys are data? */
  readonly isMapEntry: boolean;
}

/** Where a value stands. Its path is made for what is wrong alone, since most of a thousand objects is right. */
export type LazyFieldPath = FieldPath | LazyChildPath;

/** The place of a field or item of what stands at another. */
export function appendLazily(parent: LazyFieldPath, part: PathPart): LazyFieldPath {
  return { parent, part, isMapEntry: false };
}

/** The place of an entry of a map whose keys are data. */
export function appendMapKeyLazily(parent: LazyFieldPath, key: string): LazyFieldPath {
  return { parent, part: key, isMapEntry: true };
}

export function resolveLazyPath(path: LazyFieldPath): FieldPath {
  if (typeof path === 'string') return path;
  const { parent, part, isMapEntry } = path;
  return isMapEntry ? appendMapKey(resolveLazyPath(parent), String(part)) : appendToPath(resolveLazyPath(parent), part);
}
