import { getPackageVersion } from './package-version';
import type { Printer } from './io';

/** Does a command line ask for the version before anything else? What stands behind is not looked at then. */
export function isVersionRequest([first]: readonly string[]): boolean {
  return first === '--version' || first === '-V';
}

export function printVersion(stdout: Printer): void {
  stdout.write(`${getPackageVersion()}\n`);
}
