import { recordLateClock } from '../core/budget/late-clocks';

/** Thrown when validating an object against its schema exceeds a limit. */
export class ValidationLimitError extends Error {
  override readonly name = 'ValidationLimitError';

  /** @param reason - the limit: the time, the steps of one pattern, or the values that defaults add */
  constructor(readonly reason: 'seconds' | 'pattern' | 'defaults') {
    super(reason);
  }
}

/** Maximum number of values that defaults may add to an object. An object of 3 MiB has at most a million values itself. */
const MAX_DEFAULTS = 500_000;

/** Number of steps between two checks of the clock. */
const STEPS_PER_TIME_CHECK = 1_024;

/** The time budget of validating objects against CRDs. */
export class ValidationClock {
  private readonly end: number;
  private steps = 0;
  private defaults = 0;

  /** @param seconds - time from now */
  constructor(readonly seconds: number) {
    this.end = Date.now() + seconds * 1_000;
  }

  /** Reports whether the time is exceeded. */
  readonly isLate = (): boolean => {
    const isLate = Date.now() > this.end;
    if (isLate) recordLateClock();
    return isLate;
  };

  /** Counts steps, and checks the time after some. @throws ValidationLimitError once it is exceeded */
  tick(steps = 1): void {
    this.steps += steps;
    if (this.steps < STEPS_PER_TIME_CHECK) return;
    this.steps = 0;
    if (this.isLate()) throw new ValidationLimitError('seconds');
  }

  /** Begins to count the defaults of another object. */
  beginObject(): void {
    this.defaults = 0;
  }

  /** Counts values that defaults add. @throws ValidationLimitError if there are too many, or once the time is exceeded */
  addDefaults(count: number): void {
    this.tick(count);
    this.defaults += count;
    if (this.defaults > MAX_DEFAULTS) throw new ValidationLimitError('defaults');
  }
}

/** Returns a clock that other work shares, or a new one for a number of seconds from now. */
export function toValidationClock(limit: number | ValidationClock): ValidationClock {
  return typeof limit === 'number' ? new ValidationClock(limit) : limit;
}
