/** As many answers as are kept: of thousands of objects, most ask one of a few dozen questions. */
const MOST = 1_000;

/**
 * Answers that depend on their question alone, kept so that thousands of objects that ask alike share one.
 *
 * `numbers.of('1.34', readNumbers)` reads `1.34` once.
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
