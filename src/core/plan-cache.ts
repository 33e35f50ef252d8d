/**
 * Per-plan cache of derived values. Each plan has its own cache, so that nothing outlives the plan and an object edited between two plans
 * is
 * read again.
 */
export class PlanCache {
  private readonly values = new Map<() => unknown, unknown>();

  /** Returns the value of a function, which is called once and is also the key. */
  getOrCreate<T>(create: () => T): T {
    if (!this.values.has(create)) this.values.set(create, create());
    return this.values.get(create) as T;
  }
}
