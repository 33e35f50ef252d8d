import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describeOsError } from '../input/os-error-message';
import { UsageError } from './io';

/** Where a path leads, symbolic links followed, also one to a file that is not there yet. */
function resolveTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
    return isLink ? resolve(dirname(path), readlinkSync(path)) : path;
  }
}

function getStats(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

/** Writes beside the target and renames, so that no reader ever sees half of it and a failure leaves what was there. */
function replaceFile(target: string, text: string, mode: number | undefined): void {
  // Nobody can foresee the name, and whoever has made a file of it keeps it: only what was opened here is removed.
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  const file = openSync(temporary, 'wx');
  try {
    try {
      if (mode !== undefined) fchmodSync(file, mode);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Writes a file whole or not at all. What is there and no regular file, such as a pipe, is written to as it is.
 *
 * @throws UsageError when it cannot be written
 */
export function writeOutput(path: string, cwd: string, text: string): void {
  if (path === '') throw new UsageError('--output is given no name; name a file');
  try {
    const target = resolveTarget(resolve(cwd, path));
    const existing = getStats(target);
    if (existing && !existing.isFile() && !existing.isDirectory()) writeFileSync(target, text);
    else replaceFile(target, text, existing?.mode);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${describeOsError(error)}; name a file in a folder that can be written to`);
  }
}
