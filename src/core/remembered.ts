/** As many answers as are kept: of thousands of objects, most ask one of a few dozen questions. */
const MOST = 1_000;

/**
 * Answers that depend on their question alone, kept so that thousands of objects that ask alike share one.
 *
 * `numbers.of('1.34', readNumbers)` reads `1.34` once. Who gives answers that others could write into, freezes them.
 */
export class Remembered<T> {
  private readonly answers = new Map<string, T>();

  of(question: string, answer: (question: string) => T): T {
    const known = this.answers.get(question);
    if (known !== undefined) return known;
    if (this.answers.size === MOST) this.answers.clear();
    const made = answer(question);
    this.answers.set(question, made);
    return made;
  }
}

/** Plain data, itself and all in it frozen. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
