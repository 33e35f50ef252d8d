import { OptionError } from './option-error';

/** Values that a plan may hold, each counted wherever it stands: one of 100,000 rollouts has a third as many. */
const MOST_VALUES = 50_000_000;
/** Levels of maps and lists; an object of the input has a thousand at most. */
const MOST_LEVELS = 2_000;

/** How many values are in a value, as far as a plan may hold them: counting stops behind that, so that a value in 2^30 places ends at once. */
function countUpTo(most: number, value: unknown, level: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (level > MOST_LEVELS) throw new OptionError(`contains itself, or is nested more than ${MOST_LEVELS} levels deep`);
  let count = 1;
  for (const key in value) {
    count += countUpTo(most - count, (value as Readonly<Record<string, unknown>>)[key], level + 1);
    if (count > most) throw new OptionError(`holds more than ${MOST_VALUES} values, each counted wherever it stands`);
  }
  return count;
}

/**
 * Refuses what is no plan document, since it would keep its reader busy without end.
 *
 * @throws OptionError whose words follow on the name of the plan
 */
export function checkPlanSize(plan: unknown): void {
  countUpTo(MOST_VALUES, plan, 1);
}
