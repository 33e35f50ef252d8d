import { OptionError } from './option-error';

/** Values that a plan may hold, each counted wherever it stands: one of 100,000 rollouts has a third as many. */
const MAX_PLAN_VALUES = 50_000_000;
/** Levels of maps and lists; an object of the input has a thousand at most. */
const MAX_PLAN_DEPTH = 2_000;

/** Values of a map or list whose number is remembered, for it may stand in 2^30 places; of smaller ones there are too many to remember each. */
const MIN_CACHED_COUNT = 10_000;

/** Counts the values of a plan, and stops behind as many as one may hold. */
class PlanValueCounter {
  /** The number of values of what has many, and the level at which they were counted. */
  private readonly cachedCounts = new Map<object, { readonly count: number; readonly level: number }>();

  count(value: unknown, level: number): number {
    if (typeof value !== 'object' || value === null) return 1;
    if (level > MAX_PLAN_DEPTH) throw new OptionError(`contains itself, or is nested more than ${MAX_PLAN_DEPTH} levels deep`);
    const cached = this.cachedCounts.get(value);
    if (cached && level <= cached.level) return cached.count;
    let count = 1;
    for (const key in value) {
      count += this.count((value as Readonly<Record<string, unknown>>)[key], level + 1);
      if (count > MAX_PLAN_VALUES) throw new OptionError(`holds more than ${MAX_PLAN_VALUES} values, each counted wherever it stands`);
    }
    if (count >= MIN_CACHED_COUNT) this.cachedCounts.set(value, { count, level });
    return count;
  }
}

/**
 * Refuses what is no plan document, since it would keep its reader busy without end.
 *
 * @throws OptionError whose words follow on the name of the plan
 */
export function checkPlanSize(plan: unknown): void {
  new PlanValueCounter().count(plan, 1);
}
