/** The seed of `npm test`, so that every run checks the same cases. `npm run test:fresh` uses a random seed. */
const FIXED_SEED = 1;

export const SEED = Number(process.env['PROPERTY_SEED'] ?? FIXED_SEED);

/** Share of the cases that properties check; a release checks all: `EVERY_CASE=1 .ci/run`. */
const SHARE = process.env['EVERY_CASE'] ? 1 : 0.1;

/** Returns the number of cases of a property, at least 1: `scaleRuns(100)` is 10, and 100 with `EVERY_CASE=1`. */
export function scaleRuns(numRuns: number): number {
  return Math.max(1, Math.round(numRuns * SHARE));
}

/**
 * Returns one of every `period` cases, other ones for each seed and offset; all with `EVERY_CASE=1`. It is for cases that are listed and not drawn.
 * No list of cases should repeat itself with this period.
 */
export function takeOneOf<T>(period: number, cases: readonly T[], offset: number): readonly T[] {
  if (process.env['EVERY_CASE']) return cases;
  const taken = (SEED + offset) % period;
  return cases.filter((_, index) => index % period === taken);
}
