import { childPath, entryPath } from './field-path';
import type { FieldPath, PathPart } from './field-path';

/** Where a value stands below what holds it. */
interface Below {
  readonly holder: Place;
  readonly part: PathPart;
  /** Is it an entry of a map whose keys are data? */
  readonly isEntry: boolean;
}

/** Where a value stands. Its path is made for what is wrong alone, since most of a thousand objects is right. */
export type Place = FieldPath | Below;

/** The place of a field or item of what stands at another. */
export function inside(holder: Place, part: PathPart): Place {
  return { holder, part, isEntry: false };
}

/** The place of an entry of a map whose keys are data. */
export function entryOf(holder: Place, key: string): Place {
  return { holder, part: key, isEntry: true };
}

export function pathOf(place: Place): FieldPath {
  if (typeof place === 'string') return place;
  const { holder, part, isEntry } = place;
  return isEntry ? entryPath(pathOf(holder), String(part)) : childPath(pathOf(holder), part);
}
