/** As many answers as are kept: of thousands of objects, most ask one of a few dozen questions. */
const MOST = 1_000;

/** Plain data that nobody can change any more, for what several plans share. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

/**
 * Answers that depend on their question alone, kept so that thousands of objects that ask alike share one.
 *
 * `numbers.of('1.34', readNumbers)` reads `1.34` once.
 */
export class Remembered<T> {
  private readonly answers = new Map<string, T>();

  of(question: string, answer: (question: string) => T): T {
    const known = this.get(question);
    if (known !== undefined) return known;
    const made = answer(question);
    this.keep(question, made);
    return made;
  }

  get(question: string): T | undefined {
    return this.answers.get(question);
  }

  keep(question: string, answer: T): void {
    if (this.answers.size === MOST) this.answers.clear();
    this.answers.set(question, answer);
  }
}

/** Answers to questions that begin alike, by the next value. */
type Branch = Map<unknown, unknown>;

function isPlain(value: unknown): boolean {
  return value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * The same for questions of several texts, numbers and booleans, of which null and undefined ask the same.
 *
 * No text is made of them: for thousands of objects that takes longer than all else that is asked of most. What is kept is frozen.
 */
export class RememberedByValues<T> {
  private readonly answers: Branch = new Map();
  private kept = 0;

  of(values: readonly unknown[], answer: () => T): T {
    return this.get(values) ?? this.keep(values, answer());
  }

  get(values: readonly unknown[]): T | undefined {
    // By their number first, so that no question is the beginning of another one.
    let found = this.answers.get(values.length);
    for (const value of values) {
      if (found === undefined) return undefined;
      found = (found as Branch).get(value ?? null);
    }
    return found as T | undefined;
  }

  /** The answer, which is not kept where a value may change, as a token of cdk8s. */
  keep(values: readonly unknown[], answer: T): T {
    if (!values.every(isPlain)) return answer;
    if (this.kept === MOST) {
      this.answers.clear();
      this.kept = 0;
    }
    this.kept++;
    const keys = [values.length, ...values.map((value) => value ?? null)];
    let branch = this.answers;
    for (const key of keys.slice(0, -1)) {
      const next = (branch.get(key) as Branch | undefined) ?? new Map<unknown, unknown>();
      branch.set(key, next);
      branch = next;
    }
    branch.set(keys.at(-1), frozen(answer));
    return answer;
  }
}
