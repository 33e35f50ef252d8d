import { getFieldName } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { isFields, isClassInstance } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { appendLazily, resolveLazyPath } from '../../../core/lazy-field-path';
import type { LazyFieldPath } from '../../../core/lazy-field-path';
import { toDisplayValue } from '../../../core/display-value';
import { collectFromEach } from '../../../core/join-lists';
import { invalidWorkload } from '../../rules/invalid-workload';
import { TEXT_FORMATS } from './formats';
import type { FormatName } from './formats';

/**
 * A text as the server decodes it: empty where it is left out.
 * Undefined where it can not be known, as of a token of an adapter, and then nothing is said of it.
 */
export function decodeString(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : undefined;
}

/** A number, undefined where it is left out or not known. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Is there a value, so that a pointer in Go is not nil? */
export function isNonNil(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A map, or nothing where it is left out or not known. */
export function asMap(value: unknown): Fields | undefined {
  return isFields(value) && !isClassInstance(value) ? value : undefined;
}

/** An item of a list with its place. */
export interface ListItem {
  readonly value: Fields;
  readonly location: LazyFieldPath;
}

/** The maps of a list with their places; a null is an empty one. What is not known yet is passed over. */
export function listItems(value: unknown, location: LazyFieldPath): readonly ListItem[] {
  if (!Array.isArray(value)) return [];
  const items: ListItem[] = [];
  for (let index = 0; index < value.length; index++) {
    const fields = value[index] === null ? {} : asMap(value[index]);
    if (fields) items.push({ value: fields, location: appendLazily(location, index) });
  }
  return items;
}

/** The texts of a list with their places; a null is an empty one. */
export function listStrings(value: unknown, location: LazyFieldPath): readonly { readonly value: string; readonly place: LazyFieldPath }[] {
  if (!Array.isArray(value)) return [];
  return collectFromEach(value as readonly unknown[], (item, index) => {
    const text = decodeString(item);
    return text === undefined ? [] : [{ value: text, place: appendLazily(location, index) }];
  });
}

/** Does a list hold anything? What is not known yet does. */
export function isNonEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isNonNil(value);
}

/** The messages of the rule that say something of one value. */
type SingleValueMessage = {
  [Id in keyof typeof invalidWorkload.messages]: (typeof invalidWorkload.messages)[Id]['sample'] extends {
    readonly field: string;
    readonly value: unknown;
  }
    ? Id
    : never;
}[keyof typeof invalidWorkload.messages];

/** A refusal that says why of one value. */
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

/** A field that has to be there: a text that is left out or empty. */
export function validateRequired(value: unknown, location: LazyFieldPath): readonly Finding[] {
  return decodeString(value) === '' ? [reportMissing(location)] : [];
}

/** A text that has to be written in a form, if it is there; an empty one counts only where it is a value. */
export function validateFormat(value: string | undefined, format: FormatName, location: LazyFieldPath): readonly Finding[] {
  if (value === undefined) return [];
  const { matches, maxLength } = TEXT_FORMATS[format];
  if (!matches(value)) {
    const path = resolveLazyPath(location);
    return [invalidWorkload.createFinding('format', { path, data: { field: getFieldName(path), value: toDisplayValue(value), format } })];
  }
  return maxLength === undefined ? [] : validateMaxLength(value.length, maxLength, 'character', location);
}

/** A text that has to be there, in a form. */
export function validateRequiredFormat(value: unknown, format: FormatName, location: LazyFieldPath): readonly Finding[] {
  const text = decodeString(value);
  return text === '' ? [reportMissing(location)] : validateFormat(text, format, location);
}

/** A text that may be left out, in a form. */
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

/** A text that has to be one of some; one that is left out has been filled in, unless it `isNeeded`. */
export function validateEnum(value: unknown, choices: readonly string[], location: LazyFieldPath, isNeeded = false): readonly Finding[] {
  const text = decodeString(value);
  if (text === undefined || choices.includes(text)) return [];
  if (text === '') return isNeeded ? [reportMissing(location)] : [];
  return [reportUnsupportedValue(value, choices, location)];
}

/** A text with a pointer in Go: an empty one is a value. */
export function validatePointerEnum(value: unknown, choices: readonly string[], location: LazyFieldPath): readonly Finding[] {
  if (typeof value !== 'string' || choices.includes(value)) return [];
  return [reportUnsupportedValue(value, choices, location)];
}

export function reportUnsupportedValue(value: unknown, choices: readonly string[], location: LazyFieldPath): Finding {
  const path = resolveLazyPath(location);
  return invalidWorkload.createFinding('choice', { path, data: { field: getFieldName(path), value: toDisplayValue(value), choices } });
}

/** A number within a range, if it is there. */
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

/** Of several fields one has to be there, and no more. */
export function validateExactlyOne(value: Fields, choices: readonly string[], location: LazyFieldPath): readonly Finding[] {
  const present = choices.filter((name) => isNonNil(value[name]));
  if (present.length === 1) return [];
  const path = resolveLazyPath(location);
  const field = getFieldName(path);
  if (present.length === 0) return [invalidWorkload.createFinding('none', { path, data: { field, choices } })];
  return [invalidWorkload.createFinding('several', { path, data: { field, present } })];
}

/** Fields that are there beside the one that the server takes, which is the first. */
export function validateAtMostOne(present: readonly string[], location: LazyFieldPath): readonly Finding[] {
  if (present.length < 2) return [];
  return present.slice(1).map((name) => {
    const path = resolveLazyPath(appendLazily(location, name));
    return invalidWorkload.createFinding('several', { path, data: { field: getFieldName(resolveLazyPath(location)), present } });
  });
}

/** A field that can not be set while another has a value. */
export function reportMutuallyExclusive(location: LazyFieldPath, other: string, otherValue: unknown): Finding {
  const path = resolveLazyPath(location);
  return invalidWorkload.createFinding('mutuallyExclusive', {
    path,
    data: { field: getFieldName(path), other, otherValue: toDisplayValue(otherValue) },
  });
}

/** A name that the pod declares nowhere. */
export function reportUndeclaredName(value: unknown, declared: readonly string[], location: LazyFieldPath): Finding {
  const path = resolveLazyPath(location);
  return invalidWorkload.createFinding('notDeclared', {
    path,
    data: { field: getFieldName(path), value: toDisplayValue(value), declared },
  });
}
