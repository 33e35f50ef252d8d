import { parseTime } from './time';
import { isInt32 } from './int-or-percent';
import { isFields } from '../manifest/manifest';
import { isQuantity } from './quantity';

/** Types of fields that rollouts need. */
export type FieldType =
  | 'any'
  | 'map'
  | 'list'
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'int-or-percent'
  | 'int-or-string'
  | 'quantity'
  | 'whole-quantity'
  | 'time'
  | 'string-map'
  | 'quantity-map'
  | 'whole-quantity-map'
  | 'time-map'
  | 'string-list'
  | 'int32-list'
  | 'int64-list';

/** Types of the entries of a map of plain values; null counts as an empty value. */
export const MAP_ENTRY_TYPES: Readonly<Partial<Record<FieldType, FieldType>>> = {
  'string-map': 'string',
  'quantity-map': 'quantity',
  'whole-quantity-map': 'whole-quantity',
  'time-map': 'time',
};

/** Types of the items of a list of plain values. */
export const LIST_ITEM_TYPES: Readonly<Partial<Record<FieldType, FieldType>>> = {
  'string-list': 'string',
  'int32-list': 'int32',
  'int64-list': 'int64',
};

/** Checks that report whether a value has a type. */
export const TYPE_CHECKS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  any: () => true,
  map: isFields,
  list: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  int32: isInt32,
  // JSON numbers beyond 2^53 are not exact, but no field of the API needs one. 9223372036854775807, the maximum, is parsed as 2 ** 63.
  int64: (value) => Number.isInteger(value) && Math.abs(value as number) <= 2 ** 63,
  // Another rule checks the form of the string (a percentage, not a quoted number), so any string is valid here.
  'int-or-percent': (value) => typeof value === 'string' || isInt32(value),
  'int-or-string': (value) => typeof value === 'string' || isInt32(value),
  quantity: isQuantity,
  // The definitions of custom resources take integers and strings, and the API server refuses a number such as 1.5.
  'whole-quantity': (value) => isQuantity(value) && (typeof value === 'string' || Number.isInteger(value)),
  time: (value) => parseTime(value) !== undefined,
  'string-map': isFields,
  'quantity-map': isFields,
  'whole-quantity-map': isFields,
  'time-map': isFields,
  'string-list': Array.isArray,
  'int32-list': Array.isArray,
  'int64-list': Array.isArray,
};

const TYPE_DESCRIPTIONS: Readonly<Record<FieldType, string>> = {
  any: 'any value',
  map: 'a map',
  list: 'a list',
  string: 'a string',
  boolean: 'true or false',
  int32: 'a whole number',
  int64: 'a whole number',
  'int-or-percent': 'a whole number or a percentage such as "25%"',
  'int-or-string': 'a whole number or a string',
  quantity: 'a quantity such as "500m" or "1Gi"',
  'whole-quantity': 'a quantity such as "500m" or "1Gi"',
  time: 'a time such as "2026-01-31T08:00:00Z"',
  'string-map': 'a map of strings',
  'quantity-map': 'a map of quantities',
  'whole-quantity-map': 'a map of quantities',
  'time-map': 'a map of times',
  'string-list': 'a list of strings',
  'int32-list': 'a list of whole numbers',
  'int64-list': 'a list of whole numbers',
};

/** Describes a type for a message: "a whole number". */
export function describeType(type: FieldType): string {
  return TYPE_DESCRIPTIONS[type];
}
