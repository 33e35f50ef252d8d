/** Maximum number of cached results. Thousands of objects usually need only a few dozen of them. */
const MAX_CACHED_ENTRIES = 1_000;

/** Freezes plain data deeply, so that several plans can share it. */
export function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeep(inner);
  }
  return value;
}

/** Computes a value when it is first read. */
export function memoize<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}

/**
 * Memoizes results that depend only on their key, so that thousands of equal objects share one.
 *
 * `numbers.getOrCompute('1.34', parseNumbers)` parses `1.34` once.
 */
export class BoundedMemo<T> {
  private readonly entries = new Map<string, T>();

  getOrCompute(key: string, compute: (key: string) => T): T {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const computed = compute(key);
    this.set(key, computed);
    return computed;
  }

  get(key: string): T | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: T): void {
    if (this.entries.size === MAX_CACHED_ENTRIES) this.entries.clear();
    this.entries.set(key, value);
  }
}

/** Results of keys with the same first values, by the next value. */
type Branch = Map<unknown, unknown>;

function isPrimitive(value: unknown): boolean {
  return value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * Memoizes by a tuple of primitives; null and undefined are the same key.
 *
 * No text is built from the tuple, since for thousands of objects that takes longer than most computations. Cached results are frozen.
 */
export class BoundedTupleMemo<T> {
  private readonly root: Branch = new Map();
  private count = 0;

  getOrCompute(values: readonly unknown[], compute: () => T): T {
    return this.get(values) ?? this.set(values, compute());
  }

  get(values: readonly unknown[]): T | undefined {
    // The length comes first, so that no key is a prefix of another one.
    let node = this.root.get(values.length);
    for (const value of values) {
      if (node === undefined) return undefined;
      node = (node as Branch).get(value ?? null);
    }
    return node as T | undefined;
  }

  /** Returns the result. It is not cached if a value of the key may change, such as a token of cdk8s. */
  set(values: readonly unknown[], result: T): T {
    if (!values.every(isPrimitive)) return result;
    if (this.count === MAX_CACHED_ENTRIES) {
      this.root.clear();
      this.count = 0;
    }
    this.count++;
    const keys = [values.length, ...values.map((value) => value ?? null)];
    let branch = this.root;
    for (const key of keys.slice(0, -1)) {
      const next = (branch.get(key) as Branch | undefined) ?? new Map<unknown, unknown>();
      branch.set(key, next);
      branch = next;
    }
    branch.set(keys.at(-1), freezeDeep(result));
    return result;
  }
}
