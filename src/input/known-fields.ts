import { isFields } from '../core/manifest/manifest';

/** Reports whether a value of a field changes nothing that the files do not show. */
type ValueCheck = (value: unknown) => boolean;

/**
 * Fields of a file or an object that change nothing that the files of the input do not show: those with any value (`true`), those whose value
 * a function accepts, and those with known fields, in the map or in each entry of a list. Any other field counts, whatever its name and case is.
 */
export interface KnownFields {
  readonly [name: string]: true | ValueCheck | KnownFields;
}

/** Reports whether a field is not set, as programs in Go read it. An empty map is set: it may select a tool. */
export function isFieldUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Reports whether a value is false. */
export function isFalse(value: unknown): boolean {
  return value === false;
}

/** A name that programs in Go read as no other one, except in another case. They read `targetCuſtomizations` as `targetCustomizations`. */
const ASCII_NAME = /^\p{ASCII}*$/u;

/** Lists the fields of a value that are not known, without the indices of lists: `sources.kustomize.patches`. */
export function listUnknownFields(value: unknown, known: KnownFields, path: readonly string[] = []): string[] {
  if (isFieldUnset(value)) return [];
  if (Array.isArray(value)) return [...new Set(value.flatMap((entry) => listUnknownFields(entry, known, path)))];
  if (!isFields(value)) return [path.join('.')];
  return Object.entries(value).flatMap(([name, field]) => {
    const inner = Object.hasOwn(known, name) ? known[name] : undefined;
    const innerPath = [...path, name];
    if (inner === true || (isFieldUnset(field) && ASCII_NAME.test(name))) return [];
    if (typeof inner === 'object') return listUnknownFields(field, inner, innerPath);
    return inner?.(field) === true ? [] : [innerPath.join('.')];
  });
}
