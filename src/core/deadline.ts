/** Thrown where planning has taken longer than it may. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Milliseconds of a clock that nobody sets. Node.js loads a module for `performance`, which takes longer than to plan a small file. */
function readMonotonicMilliseconds(): number {
  const isNode = typeof process === 'object' && typeof process.hrtime === 'function';
  return isNode ? Number(process.hrtime.bigint()) / 1_000_000 : performance.now();
}

/** A moment until which planning may take. */
export class Deadline {
  private readonly end: number;

  /** @param seconds - from now on */
  constructor(
    seconds: number,
    private readonly now: () => number = readMonotonicMilliseconds,
  ) {
    this.end = now() + seconds * 1_000;
  }

  /** @throws DeadlineError once the moment has passed */
  check(): void {
    if (this.now() > this.end) throw new DeadlineError();
  }
}
