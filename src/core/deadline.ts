/** Thrown where planning has taken longer than it may. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** A moment until which planning may take. */
export class Deadline {
  private readonly end: number;

  /** @param seconds - from now on */
  constructor(
    seconds: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.end = now() + seconds * 1_000;
  }

  /** @throws DeadlineError once the moment has passed */
  check(): void {
    if (this.now() > this.end) throw new DeadlineError();
  }
}
