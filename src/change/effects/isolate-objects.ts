import { DeadlineError } from '../../core/deadline';

/**
 * Calls a function for one object. If it fails, returns what another one makes of the error, so that the other objects are planned.
 *
 * @throws DeadlineError if the time of the run is over
 */
export function callOrElse<T>(call: () => T, orElse: (error: unknown) => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    return orElse(error);
  }
}
