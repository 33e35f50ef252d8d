/**
 * Where that is kept which is worked out once and asked for often. Each plan has one of its own, so that nothing outlives the plan
 * and an object edited between two plans is read anew.
 */
export class Memory {
  private readonly kept = new Map<() => unknown, unknown>();

  /** What a reader keeps here: made at its first call, by the function that it is known by. */
  of<T>(make: () => T): T {
    if (!this.kept.has(make)) this.kept.set(make, make());
    return this.kept.get(make) as T;
  }
}
