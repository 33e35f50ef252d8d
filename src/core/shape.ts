import { isInt32 } from './int-or-percent';
import { isFields, isInstance } from './manifest';

/** The types of the API's fields, as far as rollouts need them. */
export type FieldType = 'map' | 'list' | 'string' | 'boolean' | 'int32' | 'int-or-percent' | 'string-map';

/**
 * Fields by path with their types: `{ 'spec.replicas': 'int32', 'spec.template.spec.containers[].name': 'string' }`.
 * `[]` stands for every item of a list. A `!` behind the type forbids null too, which counts as absent elsewhere.
 */
export type Shape = Readonly<Record<string, FieldType | `${FieldType}!`>>;

/** A field whose value has another type than the API wants. */
export interface Mismatch {
  /** Field path as the API server writes it. */
  readonly path: string;
  readonly expected: FieldType;
  readonly seen: unknown;
}

const CHECKS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  map: isFields,
  list: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  int32: isInt32,
  // Which strings are fine is a rule of its own (a percent, not a quoted number), so any string passes here.
  'int-or-percent': (value) => typeof value === 'string' || isInt32(value),
  'string-map': (value) => isFields(value) && Object.values(value).every((entry) => typeof entry === 'string' || entry === null),
};

const DESCRIPTIONS: Readonly<Record<FieldType, string>> = {
  map: 'a map',
  list: 'a list',
  string: 'a string',
  boolean: 'true or false',
  int32: 'a whole number',
  'int-or-percent': 'a whole number or a percentage such as "25%"',
  'string-map': 'a map of strings',
};

/** A type as a message names it: "a whole number". */
export function describeType(type: FieldType): string {
  return DESCRIPTIONS[type];
}

/** A value as a message shows it: short, on one line, with its quotes: `"1"`, `null`, `{…}`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
  if (isFields(value)) return Object.keys(value).length === 0 ? '{}' : 'a map';
  const text = JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}…"`;
}

interface Place {
  readonly path: string;
  readonly value: unknown;
}

function placesOf(root: unknown, pattern: string): Place[] {
  let places: Place[] = [{ path: '', value: root }];
  for (const part of pattern.split('.')) {
    const field = part.replace(/\[\]$/, '');
    const next: Place[] = [];
    for (const { path, value } of places) {
      if (!isFields(value) || !(field in value)) continue;
      const inner = value[field];
      const innerPath = path === '' ? field : `${path}.${field}`;
      if (!part.endsWith('[]')) next.push({ path: innerPath, value: inner });
      else if (Array.isArray(inner)) inner.forEach((item, index) => next.push({ path: `${innerPath}[${index}]`, value: item }));
    }
    places = next;
  }
  return places;
}

/** The fields of `object` that are there and have another type than `shape` says, in the order of the shape; tokens are not judged. */
export function mismatchesOf(object: unknown, shape: Shape): Mismatch[] {
  const mismatches: Mismatch[] = [];
  for (const [pattern, type] of Object.entries(shape)) {
    const notNull = type.endsWith('!');
    const expected = (notNull ? type.slice(0, -1) : type) as FieldType;
    for (const { path, value } of placesOf(object, pattern)) {
      if (value === undefined || (value === null && !notNull)) continue;
      if (!CHECKS[expected](value) && !isInstance(value)) mismatches.push({ path, expected, seen: value });
    }
  }
  return mismatches;
}
