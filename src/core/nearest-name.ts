import { closest, distance } from 'fastest-levenshtein';

/** The known name that an unknown one was likely meant to be: at most half of it differs, upper and lower case apart; the first of several as near. */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const spelled = known.map((name) => name.toLowerCase());
  const nearest = closest(unknown.toLowerCase(), spelled);
  return distance(unknown.toLowerCase(), nearest) <= nearest.length / 2 ? known[spelled.indexOf(nearest)] : undefined;
}
