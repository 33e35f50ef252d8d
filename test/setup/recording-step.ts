/**
 * Step between the compared cases of the largest recordings and tables. The gate compares every eighth one, so that it stays short, and a release
 * compares all: `EVERY_CASE=1 .ci/run`.
 */
export const RECORDING_STEP = process.env['EVERY_CASE'] ? 1 : 8;

/** Returns the compared cases of a large recording: in the gate, the first, the ninth, and so on. */
export function sampleOf<Case>(cases: readonly Case[]): readonly Case[] {
  return cases.filter((_, index) => index % RECORDING_STEP === 0);
}
