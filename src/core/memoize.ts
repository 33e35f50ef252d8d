/** As many answers as are kept: of thousands of objects, most ask one of a few dozen questions. */
const MAX_CACHED_ENTRIES = 1_000;

/** Plain data that nobody can change any more, for what several plans share. */
export function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeep(inner);
  }
  return value;
}

/**
 * Answers that depend on their question alone, kept so that thousands of objects that ask alike share one.
 *
 * `numbers.of('1.34', readNumbers)` reads `1.34` once.
 */
export class BoundedMemo<T> {
  private readonly entries = new Map<string, T>();

  getOrCompute(key: string, answer: (key: string) => T): T {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const computed = answer(key);
    this.set(key, computed);
    return computed;
  }

  get(key: string): T | undefined {
    return this.entries.get(key);
  }

  set(key: string, answer: T): void {
    if (this.entries.size === MAX_CACHED_ENTRIES) this.entries.clear();
    this.entries.set(key, answer);
  }
}

/** Answers to questions that begin alike, by the next value. */
type Branch = Map<unknown, unknown>;

function isPrimitive(value: unknown): boolean {
  return value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * The same for questions of several texts, numbers and booleans, of which null and undefined ask the same.
 *
 * No text is made of them: for thousands of objects that takes longer than all else that is asked of most. What is kept is frozen.
 */
export class BoundedTupleMemo<T> {
  private readonly root: Branch = new Map();
  private count = 0;

  getOrCompute(values: readonly unknown[], answer: () => T): T {
    return this.get(values) ?? this.set(values, answer());
  }

  get(values: readonly unknown[]): T | undefined {
    // By their number first, so that no question is the beginning of another one.
    let node = this.root.get(values.length);
    for (const value of values) {
      if (node === undefined) return undefined;
      node = (node as Branch).get(value ?? null);
    }
    return node as T | undefined;
  }

  /** The answer, which is not kept where a value may change, as a token of cdk8s. */
  set(values: readonly unknown[], answer: T): T {
    if (!values.every(isPrimitive)) return answer;
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
    branch.set(keys.at(-1), freezeDeep(answer));
    return answer;
  }
}
