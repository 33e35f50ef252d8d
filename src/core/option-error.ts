import { errorText } from './error-text';

/** Thrown for what a caller says beside the objects, such as an inventory that cannot be read: no object is at fault. */
export class OptionError extends Error {}

/**
 * What a function makes of what it is given, which JavaScript and casts can have anything stand in.
 *
 * @param what - it takes: `plans`
 * @throws OptionError that names the function, for whatever is thrown without words of ours
 */
export function madeOf<T>(maker: string, what: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError) && error instanceof Error && error.message.startsWith(maker)) throw error;
    throw new OptionError(`${maker} takes ${what} as rolloutkit and YAML give them: ${JSON.stringify(errorText(error))} is thrown`, {
      cause: error,
    });
  }
}
