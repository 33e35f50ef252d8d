/** Thrown when planning exceeds its deadline. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * Returns the milliseconds of a monotonic clock. In Node.js, loading the module for `performance` takes longer than planning a small file.
 */
function readMonotonicMilliseconds(): number {
  const isNode = typeof process === 'object' && typeof process.hrtime === 'function';
  return isNode ? Number(process.hrtime.bigint()) / 1_000_000 : performance.now();
}

/** The time by which planning must finish. */
export class Deadline {
  private readonly end: number;

  /** @param seconds - time from now */
  constructor(
    seconds: number,
    private readonly now: () => number = readMonotonicMilliseconds,
  ) {
    this.end = now() + seconds * 1_000;
  }

  /** Checks the deadline. @throws DeadlineError once it has passed */
  check(): void {
    if (this.now() > this.end) throw new DeadlineError();
  }
}
