import { getFieldName, appendLazily, resolveLazyPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { isFields, isClassInstance } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { toDisplayValue } from '../../../core/text/display-value';
import { collectFromEach } from '../../../core/text/join-lists';
import { invalidWorkload } from '../../rules/invalid-workload';
import { TEXT_FORMATS } from './formats';
import type { FormatName } from './formats';

/**
 * Returns a string as the API server decodes it: empty if it is missing.
 * Returns undefined if the value is unknown, such as an adapter token, which is not validated.
 */
export function decodeString(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : undefined;
}

/** Returns a number, or undefined if it is missing or unknown. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Reports whether there is a value, so that a pointer in Go is not nil. */
export function isNonNil(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns a map, or undefined if it is missing or unknown. */
export function asMap(value: unknown): Fields | undefined {
  return isFields(value) && !isClassInstance(value) ? value : undefined;
}

/** An item of a list with its location. */
export interface ListItem {
  readonly value: Fields;
  readonly location: LazyFieldPath;
}

/** Lists the maps of a list with their locations. A null item is an empty map. Unknown items are skipped. */
export function listItems(value: unknown, location: LazyFieldPath): readonly ListItem[] {
  if (!Array.isArray(value)) return [];
  const items: ListItem[] = [];
  for (let index = 0; index < value.length; index++) {
    const fields = value[index] === null ? {} : asMap(value[index]);
    if (fields) items.push({ value: fields, location: appendLazily(location, index) });
  }
  return items;
}

/** Lists the strings of a list with their locations. A null item is an empty string. */
export function listStrings(
  value: unknown,
  location: LazyFieldPath,
): readonly { readonly value: string; readonly location: LazyFieldPath }[] {
  if (!Array.isArray(value)) return [];
  return collectFromEach(value as readonly unknown[], (item, index) => {
    const text = decodeString(item);
    return text === undefined ? [] : [{ value: text, location: appendLazily(location, index) }];
  });
}

/** Reports whether a list has any items. An unknown value counts as non-empty. */
export function isNonEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isNonNil(value);
}

/** The messages of the rule that are about one value. */
type SingleValueMessage = {
  [Id in keyof typeof invalidWorkload.messages]: (typeof invalidWorkload.messages)[Id]['sample'] extends {
    readonly field: string;
    readonly value: unknown;
  }
    ? Id
    : never;
}[keyof typeof invalidWorkload.messages];

/** Builds a finding that explains why one value is refused. */
export function reportInvalid(messageId: Exclude<SingleValueMessage, undefined>, value: unknown, location: LazyFieldPath): Finding {
  const path = resolveLazyPath(location);
  return invalidWorkload.createFinding(messageId as 'notWhole', {
    path,
    data: { field: getFieldName(path), value: toDisplayValue(value) },
  });
}

export function reportMissing(location: LazyFieldPath): Finding {
  const path = resolveLazyPath(location);
  return invalidWorkload.createFinding('missing', { path, data: { field: getFieldName(path) } });
}

/** Reports a required string that is missing or empty. */
export function validateRequired(value: unknown, location: LazyFieldPath): readonly Finding[] {
  return decodeString(value) === '' ? [reportMissing(location)] : [];
}

/** Validates the format of a string that is set. An empty string is validated too, so callers skip it if it counts as missing. */
export function validateFormat(value: string | undefined, format: FormatName, location: LazyFieldPath): readonly Finding[] {
  if (value === undefined) return [];
  const { matches, maxLength } = TEXT_FORMATS[format];
  if (!matches(value)) {
    const path = resolveLazyPath(location);
    return [invalidWorkload.createFinding('format', { path, data: { field: getFieldName(path), value: toDisplayValue(value), format } })];
  }
  return maxLength === undefined ? [] : validateMaxLength(value.length, maxLength, 'character', location);
}

/** Validates a required string and its format. */
export function validateRequiredFormat(value: unknown, format: FormatName, location: LazyFieldPath): readonly Finding[] {
  const text = decodeString(value);
  return text === '' ? [reportMissing(location)] : validateFormat(text, format, location);
}

/** Validates the format of an optional string. */
export function validateOptionalFormat(value: unknown, format: FormatName, location: LazyFieldPath): readonly Finding[] {
  const text = decodeString(value);
  return text === '' ? [] : validateFormat(text, format, location);
}

export function validateMaxLength(
  length: number,
  limit: number,
  unit: 'character' | 'byte' | 'item',
  location: LazyFieldPath,
): readonly Finding[] {
  if (length <= limit) return [];
  const path = resolveLazyPath(location);
  return [invalidWorkload.createFinding('tooLong', { path, data: { field: getFieldName(path), length, limit, unit } })];
}

/** Validates a field that has a value. Most fields of most objects have none, and then no location is built. */
export function validateField(
  fields: Fields,
  name: string,
  location: LazyFieldPath,
  validate: (value: unknown, location: LazyFieldPath) => readonly Finding[],
): readonly Finding[] {
  const value = fields[name];
  return isNonNil(value) ? validate(value, appendLazily(location, name)) : [];
}

/** Validates that a string is one of the choices. A missing one has a default, unless `isRequired`. */
export function validateEnum(value: unknown, choices: readonly string[], location: LazyFieldPath, isRequired = false): readonly Finding[] {
  const text = decodeString(value);
  if (text === undefined || choices.includes(text)) return [];
  if (text === '') return isRequired ? [reportMissing(location)] : [];
  return [reportUnsupportedValue(value, choices, location)];
}

/** Validates that a string that is a pointer in Go is one of the choices. An empty string counts as a value. */
export function validatePointerEnum(value: unknown, choices: readonly string[], location: LazyFieldPath): readonly Finding[] {
  if (typeof value !== 'string' || choices.includes(value)) return [];
  return [reportUnsupportedValue(value, choices, location)];
}

export function reportUnsupportedValue(value: unknown, choices: readonly string[], location: LazyFieldPath): Finding {
  const path = resolveLazyPath(location);
  return invalidWorkload.createFinding('choice', { path, data: { field: getFieldName(path), value: toDisplayValue(value), choices } });
}

/** Validates that a number is within a range, if it is set. */
export function validateRange(value: unknown, minimum: number, maximum: number | undefined, location: LazyFieldPath): readonly Finding[] {
  const number = asNumber(value);
  if (number === undefined || (number >= minimum && (maximum === undefined || number <= maximum))) return [];
  const path = resolveLazyPath(location);
  return [
    invalidWorkload.createFinding('range', {
      path,
      data: { field: getFieldName(path), value: number, minimum, ...(maximum !== undefined && { maximum }) },
    }),
  ];
}

export function reportDuplicate(value: unknown, location: LazyFieldPath): Finding {
  return reportInvalid('duplicate', value, location);
}

/** Validates that exactly one of several fields is set. */
export function validateExactlyOne(value: Fields, choices: readonly string[], location: LazyFieldPath): readonly Finding[] {
  const present = choices.filter((name) => isNonNil(value[name]));
  if (present.length === 1) return [];
  const path = resolveLazyPath(location);
  const field = getFieldName(path);
  if (present.length === 0) return [invalidWorkload.createFinding('none', { path, data: { field, choices } })];
  return [invalidWorkload.createFinding('several', { path, data: { field, present } })];
}

/** Reports the fields that are set in addition to the first one, which is the one that the API server uses. */
export function validateAtMostOne(present: readonly string[], location: LazyFieldPath): readonly Finding[] {
  if (present.length < 2) return [];
  return present.slice(1).map((name) => {
    const path = resolveLazyPath(appendLazily(location, name));
    return invalidWorkload.createFinding('several', { path, data: { field: getFieldName(resolveLazyPath(location)), present } });
  });
}

/** Reports a field that cannot be set while another field has a value. */
export function reportMutuallyExclusive(location: LazyFieldPath, other: string, otherValue: unknown): Finding {
  const path = resolveLazyPath(location);
  return invalidWorkload.createFinding('mutuallyExclusive', {
    path,
    data: { field: getFieldName(path), other, otherValue: toDisplayValue(otherValue) },
  });
}

/** Reports a name that the pod does not declare. */
export function reportUndeclaredName(value: unknown, declared: readonly string[], location: LazyFieldPath): Finding {
  const path = resolveLazyPath(location);
  return invalidWorkload.createFinding('notDeclared', {
    path,
    data: { field: getFieldName(path), value: toDisplayValue(value), declared },
  });
}
