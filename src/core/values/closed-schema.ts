import { ANY, closeSchema, defineList, defineMap } from './schema';
import type { FieldSchema, FieldSchemas } from './schema';

/* Schemas that only know the names of fields, to find misspelled ones. */

/** Lists fields of any type. */
export function listNames(...names: readonly string[]): FieldSchemas {
  return Object.fromEntries(names.map((name) => [name, ANY]));
}

/** Defines a map of these fields only. */
export function defineClosedMap(fields: FieldSchemas): FieldSchema {
  return closeSchema(defineMap(fields));
}

/** Defines a list of maps of these fields only. */
export function defineClosedList(fields: FieldSchemas): FieldSchema {
  return closeSchema(defineList(fields));
}
