import { RECORDING_STEP } from './recording-step';

/** Returns the number of cases of a property, at least 1: `scaleRuns(100)` is 25, and 100 with `EVERY_CASE=1`. */
export function scaleRuns(numRuns: number): number {
  return Math.max(1, Math.round(numRuns / RECORDING_STEP));
}
