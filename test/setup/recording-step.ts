/**
 * Step between the cases of the largest recordings and tables that the gate compares. It is prime, so that it meets every kind of case in
 * a recording that repeats its kinds.
 */
export const GATE_STEP = 17;

/**
 * Step between the compared cases of the largest recordings and tables. The gate compares every seventeenth one, so that it stays short, and a
 * release compares all: `EVERY_CASE=1 .ci/run`.
 */
export const RECORDING_STEP = process.env['EVERY_CASE'] ? 1 : GATE_STEP;

/** Returns the compared cases of a large recording: in the gate, the first, the eighteenth, and so on. */
export function sampleOf<Case>(cases: readonly Case[]): readonly Case[] {
  return cases.filter((_, index) => index % RECORDING_STEP === 0);
}
