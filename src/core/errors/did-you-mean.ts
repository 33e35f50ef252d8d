import { closest, distance } from 'fastest-levenshtein';
import { checkTime } from '../budget/deadline';

/** Largest length of a name that may be a misspelt one. Comparing takes time for the product of both lengths. */
const MAX_COMPARED_LENGTH = 100;

/**
 * Returns the known name that was probably intended, ignoring case; undefined if more than half of it differs. If several are equally
 * close, it is the first.
 */
export function findClosestName(unknown: string, candidates: readonly string[]): string | undefined {
  checkTime();
  if (candidates.length === 0 || unknown.length > MAX_COMPARED_LENGTH) return undefined;
  const lowercased = candidates.map((name) => name.toLowerCase());
  const nearest = closest(unknown.toLowerCase(), lowercased);
  return distance(unknown.toLowerCase(), nearest) <= nearest.length / 2 ? candidates[lowercased.indexOf(nearest)] : undefined;
}
