import { closest, distance } from 'fastest-levenshtein';
import { inputFinding } from './catalogue';
import type { Finding } from './finding';
import { isFields } from './manifest';

/** The known name that an unknown one was likely meant to be: at most half of it differs, upper and lower case apart. */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  const nearest = closest(unknown, [...known]);
  return distance(unknown.toLowerCase(), nearest.toLowerCase()) <= nearest.length / 2 ? nearest : undefined;
}

/** Every field of the map at `path` that its consumer does not know and drops, one finding each; nothing where there is no map. */
export function unknownFieldFindings(value: unknown, path: string, known: readonly string[], consumer = 'the API server'): Finding[] {
  if (!isFields(value)) return [];
  return Object.keys(value)
    .filter((field) => !known.includes(field))
    .map((field) => {
      const nearest = nearestName(field, known);
      return inputFinding('input/unknown-field', {
        path: `${path}.${field}`,
        message: `${path} has no field "${field}"; ${consumer} drops it, so it has no effect.`,
        help: nearest ? `Write ${nearest}, or delete the field.` : `Delete the field; known here: ${known.join(', ')}.`,
      });
    });
}
