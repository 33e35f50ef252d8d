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
import { basename, dirname, join, resolve, sep } from 'node:path';
import { REPOSITORY_FOLDER } from '../input/read-paths';
import { describeOsError } from '../input/os-error-message';
import { UsageError } from './io';

/** Follows the symbolic links of a path, even if the target file does not exist yet. */
function resolveTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
    const target = isLink ? resolve(realpathSync(dirname(path)), readlinkSync(path)) : path;
    return join(realpathSync(dirname(target)), basename(target));
  }
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/**
 * Reports whether a link of the working directory leads out of it, or into its repository: a checkout may contain one in place of the file,
 * or of a folder on the way to it.
 */
function leadsOut(path: string, target: string, cwd: string): boolean {
  if (!isBelow(cwd, path)) return false;
  const root = realpathSync(cwd);
  return !isBelow(root, target) || target.slice(root.length).split(sep).includes(REPOSITORY_FOLDER);
}

function getStats(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

/** Writes a temporary file next to the target and renames it. Readers never see half a file, and a failure leaves the old file. */
function replaceFile(target: string, text: string, mode: number | undefined): void {
  // The name is unpredictable, and `wx` fails if the file exists, so only a file created here is removed.
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
 * Writes a file completely or not at all. A link of the working directory is followed only if it stays in it. An existing path that is not a regular file, such as a pipe, is written to directly.
 *
 * @throws UsageError if it cannot be written
 */
export function writeOutput(path: string, cwd: string, text: string): void {
  if (path === '') throw new UsageError('--output needs a file name; name a file');
  try {
    const named = resolve(cwd, path);
    const target = resolveTarget(named);
    if (leadsOut(named, target, cwd))
      throw new UsageError(
        `cannot write ${path}: a symbolic link leads from it out of the working directory; delete the link, or name its target`,
      );
    const existing = getStats(target);
    if (existing && !existing.isFile() && !existing.isDirectory()) writeFileSync(target, text);
    else replaceFile(target, text, existing?.mode);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write ${path}: ${describeOsError(error)}; name a file in a writable folder`);
  }
}
