import { getPackageVersion } from '../package-version';
import type { Printer } from '../output/io';

/** Reports whether the first argument requests the version. All others are then ignored. */
export function isVersionRequest([first]: readonly string[]): boolean {
  return first === '--version' || first === '-V';
}

export function printVersion(stdout: Printer): void {
  stdout.write(`${getPackageVersion()}\n`);
}
