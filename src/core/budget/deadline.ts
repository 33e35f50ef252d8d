import { recordLateClock } from './late-clocks';

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

/** The deadline of the work that runs now. All of planning is synchronous. */
let active: Deadline | undefined;

/** Calls of `checkTime` since the clock was read. */
let calls = 0;

/** Number of calls of `checkTime` per look at the clock. */
const CALLS_PER_CHECK = 1_024;

/**
 * Checks the deadline of the work that runs now, if it has one. Functions call it that run once for each field or item of an object, since a
 * single object may take longer than all seconds of the budget.
 *
 * @throws DeadlineError once the deadline has passed
 */
export function checkTime(): void {
  calls = (calls + 1) % CALLS_PER_CHECK;
  if (calls === 0) active?.check();
}

/** Checks the deadline of the work that runs now, before work that takes long itself. @throws DeadlineError once it has passed */
export function checkTimeNow(): void {
  active?.check();
}

function limitBy<Result>(deadline: Deadline, work: () => Result): Result {
  const before = active;
  active = deadline;
  try {
    return work();
  } finally {
    active = before;
  }
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

  /** The seconds that are left, at least a millisecond. */
  get secondsLeft(): number {
    return Math.max(1, this.end - this.now()) / 1_000;
  }

  /** Does work during which `checkTime` checks this deadline. */
  limit<Result>(work: () => Result): Result {
    return limitBy(this, work);
  }

  /** Checks the deadline. @throws DeadlineError once it has passed */
  check(): void {
    if (this.now() <= this.end) return;
    recordLateClock();
    throw new DeadlineError();
  }
}
