import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import { appendLazily } from '../../../core/manifest/field-path';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import { validateVolumeFieldRef } from './references';
import { listItems, reportMissing, validateRange, reportInvalid, validateRequired, decodeString } from './field-errors';

/* Validation of the files in a volume: their paths, keys and modes. Source: k/k pkg/apis/core/validation/validation.go, `ValidateVolumes` and its callees. */

/** The highest file mode, 0777. */
const MAX_MODE = 0o777;

/** A check of one volume source. */
export type SourceCheck = (source: Fields, location: LazyFieldPath) => readonly Finding[];

/** Validates a path below the volume: it must be relative and must not leave the volume. */
export function validateRelativePath(value: unknown, location: LazyFieldPath): readonly Finding[] {
  const text = decodeString(value);
  if (text === undefined) return [];
  return joinLists(text.startsWith('/') ? [reportInvalid('absolute', text, location)] : [], validateNoBacksteps(text, location));
}

export function validateNoBacksteps(value: unknown, location: LazyFieldPath): readonly Finding[] {
  const text = decodeString(value);
  return text?.split('/').includes('..') ? [reportInvalid('backsteps', text, location)] : [];
}

/** Validates a file path like `validateRelativePath`. Names that begin with two dots are reserved for the kubelet. */
export function validateFilePath(value: unknown, location: LazyFieldPath): readonly Finding[] {
  const text = decodeString(value);
  const found = validateRelativePath(text, location);
  if (found.length > 0 || !text?.startsWith('..')) return found;
  return [reportInvalid('backsteps', text, location)];
}

export function createRequiredCheck(...names: readonly string[]): SourceCheck {
  return (source, location) =>
    collectFromEach(names, (name) => (isEmptyString(source[name]) ? [reportMissing(appendLazily(location, name))] : []));
}

export function isEmptyString(value: unknown): boolean {
  return decodeString(value) === '' || (Array.isArray(value) && value.length === 0);
}

export function validateMode(source: Fields, name: string, location: LazyFieldPath): readonly Finding[] {
  return validateRange(source[name], 0, MAX_MODE, appendLazily(location, name));
}

function validateKeyToPath({ key, path, mode }: Fields, location: LazyFieldPath): readonly Finding[] {
  return joinLists(
    validateRequired(key, appendLazily(location, 'key')),
    decodeString(path) === '' ? [reportMissing(appendLazily(location, 'path'))] : validateFilePath(path, appendLazily(location, 'path')),
    validateMode({ mode }, 'mode', location),
  );
}

export function validateKeysToPaths(items: unknown, location: LazyFieldPath): readonly Finding[] {
  return collectFromEach(listItems(items, location), (item) => validateKeyToPath(item.value, item.location));
}

export function createKeyedSourceCheck(name: string): SourceCheck {
  return (source, location) =>
    joinLists(
      createRequiredCheck(name)(source, location),
      validateMode(source, 'defaultMode', location),
      validateKeysToPaths(source.items, appendLazily(location, 'items')),
    );
}

function validateDownwardFile(file: Fields, location: LazyFieldPath): readonly Finding[] {
  return joinLists(
    decodeString(file.path) === ''
      ? [reportMissing(appendLazily(location, 'path'))]
      : validateFilePath(file.path, appendLazily(location, 'path')),
    validateVolumeFieldRef(file, location),
    validateMode(file, 'mode', location),
  );
}

export function validateDownwardFiles(items: unknown, location: LazyFieldPath): readonly Finding[] {
  return collectFromEach(listItems(items, location), (item) => validateDownwardFile(item.value, item.location));
}
