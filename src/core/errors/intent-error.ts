import { getErrorMessage } from './error-message';
import { escapeLinesForTerminal } from '../text/escape-output';

/** Thrown for an intent that cannot be carried out. The message contains its location and the problem. */
export class IntentError extends Error {
  /** The problem, and what to write instead. */
  public readonly reason: string;
  /** Location of the intent: the path of a construct, the name of a component. */
  public readonly place?: string;

  /**
   * Builds the message from the place and the reason.
   *
   * @param reason the problem, and what to write instead
   * @param place location of the intent
   */
  public constructor(reason: string, place?: string) {
    super(escapeLinesForTerminal(place === undefined ? reason : `${place} ${reason}`));
    this.reason = reason;
    this.place = place;
  }

  /** Returns the same error with its location. */
  public at(place: string): IntentError {
    const ErrorClass = this.constructor as new (reason: string, place: string) => IntentError;
    return new ErrorClass(this.reason, place);
  }
}

/** Thrown for an unexpected error in an intent. The message contains its location. */
export class UnexpectedIntentError extends Error {
  /** Builds the message from the place and the reason. */
  public constructor(
    public readonly reason: string,
    place: string,
    cause: unknown,
  ) {
    super(escapeLinesForTerminal(`${place} ${reason}`), { cause });
  }
}

/**
 * Returns the result of `resolve`, and adds the location to an IntentError. The location is computed only for an error.
 *
 * @throws UnexpectedIntentError for any other error, so that an unexpected value has a location too
 */
export function withConstructPath<T>(place: () => string, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof IntentError) throw error.at(place());
    throw new UnexpectedIntentError(getErrorMessage(error), place(), error);
  }
}
