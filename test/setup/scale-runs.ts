/** Share of the cases that properties check; a release checks all: `EVERY_CASE=1 .ci/run`. */
const SHARE = process.env['EVERY_CASE'] ? 1 : 0.25;

/** Returns the number of cases of a property, at least 1: `scaleRuns(100)` is 25, and 100 with `EVERY_CASE=1`. */
export function scaleRuns(numRuns: number): number {
  return Math.max(1, Math.round(numRuns * SHARE));
}
