import { OptionError } from './option-error';

/** Values that a plan may hold, each counted wherever it stands: one of 100,000 rollouts has a third as many. */
const MOST_VALUES = 50_000_000;
/** Levels of maps and lists; an object of the input has a thousand at most. */
const MOST_LEVELS = 2_000;

/** Values of a map or list whose number is remembered, for it may stand in 2^30 places; of smaller ones there are too many to remember each. */
const MANY = 10_000;

/** Counts the values of a plan, and stops behind as many as one may hold. */
class Counter {
  /** The number of values of what has many, and the level at which they were counted. */
  private readonly known = new Map<object, { readonly count: number; readonly level: number }>();

  count(value: unknown, level: number): number {
    if (typeof value !== 'object' || value === null) return 1;
    if (level > MOST_LEVELS) throw new OptionError(`contains itself, or is nested more than ${MOST_LEVELS} levels deep`);
    const known = this.known.get(value);
    if (known && level <= known.level) return known.count;
    let count = 1;
    for (const key in value) {
      count += this.count((value as Readonly<Record<string, unknown>>)[key], level + 1);
      if (count > MOST_VALUES) throw new OptionError(`holds more than ${MOST_VALUES} values, each counted wherever it stands`);
    }
    if (count >= MANY) this.known.set(value, { count, level });
    return count;
  }
}

/**
 * Refuses what is no plan document, since it would keep its reader busy without end.
 *
 * @throws OptionError whose words follow on the name of the plan
 */
export function checkPlanSize(plan: unknown): void {
  new Counter().count(plan, 1);
}
