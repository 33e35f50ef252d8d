import type { RE2JS } from 're2js';

/**
 * Maximum product of the length of a text and the number of instructions of a pattern. RE2 needs time in proportion to it, and cannot be
 * interrupted: 100,000,000 take up to 7 seconds.
 */
const MAX_PATTERN_STEPS = 100_000_000;

/** Returns the number of steps that RE2 needs at most to search a text once. */
function countPatternSteps(pattern: RE2JS, text: string): number {
  return (text.length + 1) * pattern.programSize();
}

/** Number of steps of RE2 that take as long as a comparison of two values. */
const STEPS_PER_TICK = 10_000;

/** Number of instructions of RE2 that are compiled in the time of a comparison of two values. */
const INSTRUCTIONS_PER_TICK = 10;

/** Returns the time of searching a text once, in comparisons of two values. */
export function countSearchTicks(pattern: RE2JS, text: string): number {
  return 1 + countPatternSteps(pattern, text) / STEPS_PER_TICK;
}

/** Returns the time of compiling a pattern, in comparisons of two values. */
export function countCompileTicks(pattern: RE2JS): number {
  return 1 + pattern.programSize() / INSTRUCTIONS_PER_TICK;
}

/** Reports whether searching a text for a pattern may take longer than a clock can wait for. */
export function exceedsPatternLimit(pattern: RE2JS, text: string): boolean {
  return countPatternSteps(pattern, text) > MAX_PATTERN_STEPS;
}
