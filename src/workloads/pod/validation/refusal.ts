import { fieldName } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { isFields, isInstance } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { inside, pathOf } from '../../../core/place';
import type { Place } from '../../../core/place';
import { seen } from '../../../core/seen';
import { ofEach } from '../../../core/together';
import { invalidWorkload } from '../../rules/invalid-workload';
import { FORMATS } from './formats';
import type { FormatName } from './formats';

/**
 * A text as the server decodes it: empty where it is left out.
 * Undefined where it can not be known, as of a token of an adapter, and then nothing is said of it.
 */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : undefined;
}

/** A number, undefined where it is left out or not known. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Is there a value, so that a pointer in Go is not nil? */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A map, or nothing where it is left out or not known. */
export function mapOf(value: unknown): Fields | undefined {
  return isFields(value) && !isInstance(value) ? value : undefined;
}

/** An item of a list with its place. */
export interface Item {
  readonly value: Fields;
  readonly place: Place;
}

/** The maps of a list with their places; a null is an empty one. What is not known yet is passed over. */
export function itemsOf(value: unknown, place: Place): readonly Item[] {
  if (!Array.isArray(value)) return [];
  const items: Item[] = [];
  for (let index = 0; index < value.length; index++) {
    const fields = value[index] === null ? {} : mapOf(value[index]);
    if (fields) items.push({ value: fields, place: inside(place, index) });
  }
  return items;
}

/** The texts of a list with their places; a null is an empty one. */
export function textsOf(value: unknown, place: Place): readonly { readonly value: string; readonly place: Place }[] {
  if (!Array.isArray(value)) return [];
  return ofEach(value as readonly unknown[], (item, index) => {
    const text = textOf(item);
    return text === undefined ? [] : [{ value: text, place: inside(place, index) }];
  });
}

/** Does a list hold anything? What is not known yet does. */
export function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isGiven(value);
}

/** The messages of the rule that say something of one value. */
type PlainMessage = {
  [Id in keyof typeof invalidWorkload.messages]: (typeof invalidWorkload.messages)[Id]['sample'] extends {
    readonly field: string;
    readonly value: unknown;
  }
    ? Id
    : never;
}[keyof typeof invalidWorkload.messages];

/** A refusal that says why of one value. */
export function refused(messageId: Exclude<PlainMessage, undefined>, value: unknown, place: Place): Finding {
  const path = pathOf(place);
  return invalidWorkload.finding(messageId as 'notWhole', { path, data: { field: fieldName(path), value: seen(value) } });
}

export function missing(place: Place): Finding {
  const path = pathOf(place);
  return invalidWorkload.finding('missing', { path, data: { field: fieldName(path) } });
}

/** A field that has to be there: a text that is left out or empty. */
export function requiredFindings(value: unknown, place: Place): readonly Finding[] {
  return textOf(value) === '' ? [missing(place)] : [];
}

/** A text that has to be written in a form, if it is there; an empty one counts only where it is a value. */
export function formatFindings(value: string | undefined, format: FormatName, place: Place): readonly Finding[] {
  if (value === undefined) return [];
  const { fits, longest } = FORMATS[format];
  if (!fits(value)) {
    const path = pathOf(place);
    return [invalidWorkload.finding('format', { path, data: { field: fieldName(path), value: seen(value), format } })];
  }
  return longest === undefined ? [] : lengthFindings(value.length, longest, 'character', place);
}

/** A text that has to be there, in a form. */
export function nameFindings(value: unknown, format: FormatName, place: Place): readonly Finding[] {
  const text = textOf(value);
  return text === '' ? [missing(place)] : formatFindings(text, format, place);
}

/** A text that may be left out, in a form. */
export function optionalNameFindings(value: unknown, format: FormatName, place: Place): readonly Finding[] {
  const text = textOf(value);
  return text === '' ? [] : formatFindings(text, format, place);
}

export function lengthFindings(length: number, limit: number, unit: 'character' | 'byte' | 'item', place: Place): readonly Finding[] {
  if (length <= limit) return [];
  const path = pathOf(place);
  return [invalidWorkload.finding('tooLong', { path, data: { field: fieldName(path), length, limit, unit } })];
}

/** A text that has to be one of some; one that is left out has been filled in, unless it `isNeeded`. */
export function choiceFindings(value: unknown, choices: readonly string[], place: Place, isNeeded = false): readonly Finding[] {
  const text = textOf(value);
  if (text === undefined || choices.includes(text)) return [];
  if (text === '') return isNeeded ? [missing(place)] : [];
  return [choiceFinding(value, choices, place)];
}

/** A text with a pointer in Go: an empty one is a value. */
export function pointedChoiceFindings(value: unknown, choices: readonly string[], place: Place): readonly Finding[] {
  if (typeof value !== 'string' || choices.includes(value)) return [];
  return [choiceFinding(value, choices, place)];
}

export function choiceFinding(value: unknown, choices: readonly string[], place: Place): Finding {
  const path = pathOf(place);
  return invalidWorkload.finding('choice', { path, data: { field: fieldName(path), value: seen(value), choices } });
}

/** A number within a range, if it is there. */
export function rangeFindings(value: unknown, least: number, most: number | undefined, place: Place): readonly Finding[] {
  const number = numberOf(value);
  if (number === undefined || (number >= least && (most === undefined || number <= most))) return [];
  const path = pathOf(place);
  return [
    invalidWorkload.finding('range', { path, data: { field: fieldName(path), value: number, least, ...(most !== undefined && { most }) } }),
  ];
}

export function duplicate(value: unknown, place: Place): Finding {
  return refused('duplicate', value, place);
}

/** Of several fields one has to be there, and no more. */
export function oneOfFindings(value: Fields, choices: readonly string[], place: Place): readonly Finding[] {
  const present = choices.filter((name) => isGiven(value[name]));
  if (present.length === 1) return [];
  const path = pathOf(place);
  const field = fieldName(path);
  if (present.length === 0) return [invalidWorkload.finding('none', { path, data: { field, choices } })];
  return [invalidWorkload.finding('several', { path, data: { field, present } })];
}

/** Fields that are there beside the one that the server takes, which is the first. */
export function furtherFindings(present: readonly string[], place: Place): readonly Finding[] {
  if (present.length < 2) return [];
  return present.slice(1).map((name) => {
    const path = pathOf(inside(place, name));
    return invalidWorkload.finding('several', { path, data: { field: fieldName(pathOf(place)), present } });
  });
}

/** A field that can not be set while another has a value. */
export function besideFinding(place: Place, other: string, otherValue: unknown): Finding {
  const path = pathOf(place);
  return invalidWorkload.finding('beside', { path, data: { field: fieldName(path), other, otherValue: seen(otherValue) } });
}

/** A name that the pod declares nowhere. */
export function notDeclared(value: unknown, known: readonly string[], place: Place): Finding {
  const path = pathOf(place);
  return invalidWorkload.finding('notDeclared', { path, data: { field: fieldName(path), value: seen(value), known } });
}
