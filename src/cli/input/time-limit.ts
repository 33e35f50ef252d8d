import { Deadline, DeadlineError } from '../../core/budget/deadline';
import { pluralize } from '../../core/text/text-format';
import { UsageError } from '../output/io';

/**
 * Does work for which the budget has its seconds again.
 *
 * @param what - the work, for the error: `comparing the findings`
 * @throws UsageError if it takes longer
 */
export function limitSeconds<Result>(seconds: number, what: string, work: () => Result): Result {
  try {
    return new Deadline(seconds).limit(work);
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    throw new UsageError(
      `${what} takes more than ${pluralize(seconds, 'second')}; raise the budget with --budget seconds=${2 * seconds}, if you trust this input`,
    );
  }
}
