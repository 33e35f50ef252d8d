/**
 * Per-plan cache of derived values. Each plan has its own cache, so that nothing outlives the plan and an object edited between two plans
 * is
 * read again.
 */
export class PlanCache {
  private readonly values = new Map<() => unknown, unknown>();
  private readonly derived = new Map<unknown, WeakMap<object, unknown>>();

  /** Returns the value of a function, which is called once and is also the key. */
  getOrCreate<T>(create: () => T): T {
    if (!this.values.has(create)) this.values.set(create, create());
    return this.values.get(create) as T;
  }

  /** Returns what a function computes from an object, once for each object and function. */
  derive<K extends object, T>(object: K, compute: (object: K, cache: PlanCache) => T): T {
    const known = this.derived.get(compute) ?? new WeakMap<object, unknown>();
    this.derived.set(compute, known);
    if (!known.has(object)) known.set(object, compute(object, this));
    return known.get(object) as T;
  }
}
