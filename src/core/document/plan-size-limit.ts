import { OptionError } from '../errors/option-error';

/** Maximum number of values in a plan, counting each occurrence. A plan of 100,000 rollouts has a third of that. */
const MAX_PLAN_VALUES = 50_000_000;
/** Maximum nesting of maps and lists; an object of the input has a thousand levels at most. */
const MAX_PLAN_DEPTH = 2_000;

/** Minimum size of a map or list whose count is cached, since it may occur in 2^30 positions. There are too many smaller ones to cache. */
const MIN_CACHED_COUNT = 10_000;

/** Counts the values of a plan, and throws if it has too many. */
class PlanValueCounter {
  /** Counts of large maps and lists, with the level at which they were counted. */
  private readonly cachedCounts = new Map<object, { readonly count: number; readonly level: number }>();

  count(value: unknown, level: number): number {
    if (typeof value !== 'object' || value === null) return 1;
    if (level > MAX_PLAN_DEPTH) throw new OptionError(`contains itself, or is nested more than ${MAX_PLAN_DEPTH} levels deep`);
    const cached = this.cachedCounts.get(value);
    if (cached && level <= cached.level) return cached.count;
    let count = 1;
    for (const key in value) {
      count += this.count((value as Readonly<Record<string, unknown>>)[key], level + 1);
      if (count > MAX_PLAN_VALUES) throw new OptionError(`contains more than ${MAX_PLAN_VALUES} values, counting each occurrence`);
    }
    if (count >= MIN_CACHED_COUNT) this.cachedCounts.set(value, { count, level });
    return count;
  }
}

/**
 * Refuses an oversized plan document, which would keep its reader busy forever.
 *
 * @throws OptionError whose message continues a sentence that begins with the name of the plan
 */
export function checkPlanSize(plan: unknown): void {
  new PlanValueCounter().count(plan, 1);
}
