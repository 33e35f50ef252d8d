import { getErrorMessage } from './error-message';
import { escapeLinesForTerminal } from './escape-output';

/** Thrown for an intent that nothing can carry out: the message says where it stands, and what is wrong with it. */
export class IntentError extends Error {
  /** What is wrong, and what to write instead. */
  public readonly reason: string;
  /** Where the intent stands: the path of a construct, the name of a component. */
  public readonly place?: string;

  /**
   * Puts the place before the reason, and both into the message.
   *
   * @param reason what is wrong, and what to write instead
   * @param place where the intent stands
   */
  public constructor(reason: string, place?: string) {
    super(escapeLinesForTerminal(place === undefined ? reason : `${place} ${reason}`));
    this.reason = reason;
    this.place = place;
  }

  /** The same error with the place that it comes from. */
  public at(place: string): IntentError {
    const Same = this.constructor as new (reason: string, place: string) => IntentError;
    return new Same(this.reason, place);
  }
}

/** Thrown for what nothing foresaw in an intent: its message says where that stands. */
export class UnexpectedIntentError extends Error {
  /** Puts the place before the reason. */
  public constructor(
    public readonly reason: string,
    place: string,
    cause: unknown,
  ) {
    super(escapeLinesForTerminal(`${place} ${reason}`), { cause });
  }
}

/**
 * What `settle` gives; an intent that it refuses is refused with its place, which is asked for then.
 *
 * @throws PlacedError for whatever else is thrown: a value that nothing foresaw must not look like a defect of nowhere
 */
export function withConstructPath<T>(place: () => string, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof IntentError) throw error.at(place());
    throw new UnexpectedIntentError(getErrorMessage(error), place(), error);
  }
}
