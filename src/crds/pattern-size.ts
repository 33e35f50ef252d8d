import type { RE2JS } from 're2js';

/**
 * Maximum product of the length of a text and the number of instructions of a pattern. RE2 needs time in proportion to it, and cannot be
 * interrupted: 100,000,000 take up to 7 seconds.
 */
const MAX_PATTERN_STEPS = 100_000_000;

/** Returns the number of steps that RE2 needs at most to search a text once. */
export function countPatternSteps(pattern: RE2JS, text: string): number {
  return (text.length + 1) * pattern.programSize();
}

/** Reports whether searching a text for a pattern may take longer than a clock can wait for. */
export function exceedsPatternLimit(pattern: RE2JS, text: string): boolean {
  return countPatternSteps(pattern, text) > MAX_PATTERN_STEPS;
}
