import { getErrorMessage } from './error-message';

/** Thrown for what a caller says beside the objects, such as an inventory that cannot be read: no object is at fault. */
export class OptionError extends Error {}

/**
 * What a function makes of what it is given, which JavaScript and casts can have anything stand in.
 *
 * @param what - it takes: `plans`
 * @throws OptionError that names the function, for whatever is thrown without words of ours
 */
export function withOptionErrors<T>(functionName: string, what: string, create: () => T): T {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof TypeError) && error instanceof Error && error.message.startsWith(functionName)) throw error;
    throw new OptionError(
      `${functionName} takes ${what} as rolloutkit and YAML give them: ${JSON.stringify(getErrorMessage(error))} is thrown`,
      {
        cause: error,
      },
    );
  }
}
