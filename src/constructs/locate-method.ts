import type { IConstruct } from 'constructs';
import { getErrorMessage } from '../core/errors/error-message';
import { describeOsError } from '../input/os-error-message';
import { locateErrors } from '../props/call-site';

/** Reports whether an error is one of the operating system. It may be of another realm, as in jest, so its class is not checked. */
function isOsError(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}

/** Returns why `write` fails, or undefined if it does not. */
function findProblem(folder: string, write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    if (!isOsError(error)) return getErrorMessage(error);
    // A path that exists and cannot be created as a folder is a file.
    const reason = error.code === 'EEXIST' ? 'it is a file' : describeOsError(error);
    return `cannot write into ${folder}: ${reason}; name a folder that can be written`;
  }
}

/**
 * Runs a method of a construct that writes into a folder. Errors have the path of the construct and the line of the user's code that called it.
 */
export function writeLocated(construct: IConstruct, folder: string, write: () => void): void {
  locateErrors(() => {
    const problem = findProblem(folder, write);
    if (problem !== undefined) throw new Error(`[${construct.node.path}] ${problem}`);
  });
}
