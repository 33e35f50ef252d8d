import { closest, distance } from 'fastest-levenshtein';

/** The known name that an unknown one was likely meant to be: at most half of it differs, upper and lower case apart. */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  const nearest = closest(unknown, [...known]);
  return distance(unknown.toLowerCase(), nearest.toLowerCase()) <= nearest.length / 2 ? nearest : undefined;
}
