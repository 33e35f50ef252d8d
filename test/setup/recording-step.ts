/**
 * Step between the compared cases of the largest recordings and tables. The gate compares every fourth one, so that it stays short, and a release
 * compares all: `EVERY_CASE=1 .ci/run`.
 */
export const RECORDING_STEP = process.env['EVERY_CASE'] ? 1 : 4;

/** Returns the compared cases of a large recording: `sampleOf([a, b, c, d, e])` is `[a, e]`. */
export function sampleOf<Case>(cases: readonly Case[]): readonly Case[] {
  return cases.filter((_, index) => index % RECORDING_STEP === 0);
}
