import { closest, distance } from 'fastest-levenshtein';

/**
 * Returns the known name that was probably intended, ignoring case; undefined if more than half of it differs. If several are equally
 * close, it is the first.
 */
export function findClosestName(unknown: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const lowercased = candidates.map((name) => name.toLowerCase());
  const nearest = closest(unknown.toLowerCase(), lowercased);
  return distance(unknown.toLowerCase(), nearest) <= nearest.length / 2 ? candidates[lowercased.indexOf(nearest)] : undefined;
}
