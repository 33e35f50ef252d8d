/** As many answers as are kept: of thousands of objects, most ask one of a few dozen questions. */
const MOST = 1_000;

/** What is asked of these values, of which null and undefined ask the same; undefined where one can't be told from others in text, as a token of cdk8s. */
export function questionOf(...values: readonly unknown[]): string | undefined {
  let question = '';
  for (const value of values) {
    if (value === null || value === undefined) question += '-';
    // With its length in front, what a text holds is taken for nothing else.
    else if (typeof value === 'string') question += `${value.length}"${value}`;
    else if (typeof value === 'number' || typeof value === 'boolean') question += `${value},`;
    else return undefined;
  }
  return question;
}

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
