import { getErrorMessage } from './error-message';

/** Thrown for an invalid option of the caller, such as an inventory that cannot be read. No object causes it. */
export class OptionError extends Error {}

/**
 * Returns the result of a function whose arguments may be of any type, because of JavaScript callers and casts.
 *
 * @param what - kind of the arguments: `plans`
 * @throws OptionError that names the function, for every error with another message
 */
export function withOptionErrors<T>(functionName: string, what: string, create: () => T): T {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof TypeError) && error instanceof Error && error.message.startsWith(functionName)) throw error;
    throw new OptionError(
      `${functionName} requires ${what} as rolloutkit or a YAML parser returns them, but reading them throws ${JSON.stringify(getErrorMessage(error))}`,
      {
        cause: error,
      },
    );
  }
}
