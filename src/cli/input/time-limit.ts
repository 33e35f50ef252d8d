import { Deadline, DeadlineError } from '../../core/budget/deadline';
import { formatTimeout } from '../../core/budget/timeout-message';
import type { TimeoutDetails } from '../../core/budget/timeout-message';
import { UsageError } from '../output/io';

/**
 * Does work that may end by a deadline.
 *
 * @param what - the work, for the error: `comparing the findings`
 * @throws UsageError if it takes longer than the seconds of the budget
 */
export function withTimeoutError<Result>(seconds: number, what: string, work: () => Result, details?: TimeoutDetails): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof DeadlineError ? new UsageError(formatTimeout(what, seconds, details)) : error;
  }
}

/** Does work for which the budget has its seconds again. @throws UsageError if it takes longer */
export function limitSeconds<Result>(seconds: number, what: string, work: () => Result, details?: TimeoutDetails): Result {
  return withTimeoutError(seconds, what, () => new Deadline(seconds).limit(work), details);
}
