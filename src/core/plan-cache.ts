/**
 * Where that is kept which is worked out once and asked for often. Each plan has one of its own, so that nothing outlives the plan
 * and an object edited between two plans is read anew.
 */
export class PlanCache {
  private readonly values = new Map<() => unknown, unknown>();

  /** What a reader keeps here: made at its first call, by the function that it is known by. */
  getOrCreate<T>(create: () => T): T {
    if (!this.values.has(create)) this.values.set(create, create());
    return this.values.get(create) as T;
  }
}
