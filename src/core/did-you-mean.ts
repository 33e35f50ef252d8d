import { closest, distance } from 'fastest-levenshtein';

/** The known name that an unknown one was likely meant to be: at most half of it differs, upper and lower case apart; the first of several as near. */
export function findClosestName(unknown: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const lowercased = candidates.map((name) => name.toLowerCase());
  const nearest = closest(unknown.toLowerCase(), lowercased);
  return distance(unknown.toLowerCase(), nearest) <= nearest.length / 2 ? candidates[lowercased.indexOf(nearest)] : undefined;
}
