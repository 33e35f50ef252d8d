/** Share of the cases that properties check. `npm run test:fresh` checks a quarter, with another seed each time. */
const SHARE = Number(process.env.PROPERTY_SHARE ?? 1);

/** Returns the number of cases of a property, at least 1: `scaleRuns(100)` is 25 under `npm run test:fresh`. */
export function scaleRuns(numRuns: number): number {
  return Math.max(1, Math.round(numRuns * SHARE));
}
