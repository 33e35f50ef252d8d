import { accessSync, closeSync, constants, fstatSync, openSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, sep } from 'node:path';
import { followPath, resolvePath } from '../../input/follow-path';
import { REPOSITORY_FOLDER, hasRepositoryEntry, isFileOfGit } from '../../input/repository-folder';
import { describeOsError } from '../../input/os-error-message';
import { isInFolder } from '../../input/read-limited';
import { replaceFile, tryToCreateFile } from '../../input/replace-file';
import { UsageError } from './io';

/** Returns the file that a path leads to, even if it does not exist yet; the path itself if its folder does not exist. */
export function resolveTarget(path: string): string {
  try {
    return followPath(path).target;
  } catch {
    return path;
  }
}

/** The folder that no link may lead out of. */
interface Boundary {
  readonly folder: string;
  readonly name: 'working directory' | 'repository';
}

/** Returns the folders whose checkout may contain a link of a path: the working directory, and each repository that the path passes. */
function findBoundaries(passed: ReadonlySet<string>, cwd: string): Boundary[] {
  const folder = realpathSync.native(cwd);
  const repositories = [...passed].filter(hasRepositoryEntry);
  return [
    ...(passed.has(folder) ? [{ folder, name: 'working directory' } as const] : []),
    ...repositories.map((each) => ({ folder: each, name: 'repository' }) as const),
  ];
}

/** @throws UsageError if the path leads through a link, since a folder has become one after its path was resolved */
function assertNoLink(temporary: string, path: string): void {
  if (realpathSync.native(temporary) !== temporary) throw new UsageError(`cannot write ${path}: a folder has become a symbolic link`);
}

function getStats(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

/** Seconds that a pipe may take to get a reader, such as a program that is started at the same time. */
const SECONDS_TO_READER = 5;

/** Waits until a program reads a pipe: opening it would wait without a limit. */
function awaitReader(target: string, path: string): number {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waits = 0; ; waits++) {
    try {
      return openSync(target, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      if (waits >= SECONDS_TO_READER * 20)
        throw new UsageError(`cannot write ${path}: it is a pipe, and no program reads it within ${SECONDS_TO_READER} seconds`);
      Atomics.wait(pause, 0, 0, 50);
    }
  }
}

/** Opens a pipe or a device. @throws UsageError if it is not the one that was checked: a link may have taken its place */
function openChecked(path: string, checked: Stats, open: () => number): number {
  const file = open();
  const { ino, dev } = fstatSync(file);
  if (ino === checked.ino && dev === checked.dev) return file;
  closeSync(file);
  throw new UsageError(`cannot write ${path}: another file has taken its place; run the command again`);
}

/** Writes to a pipe or a device. Nothing is emptied: the file that is open is the one that was checked. */
function writeDirectly(target: string, path: string, text: string, checked: Stats): void {
  const reader = checked.isFIFO() ? openChecked(path, checked, () => awaitReader(target, path)) : undefined;
  try {
    const file = openChecked(path, checked, () => openSync(target, constants.O_WRONLY));
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
  } finally {
    if (reader !== undefined) closeSync(reader);
  }
}

/** Names of the open files of this process. The text of such a link can name another file, such as one that has taken the place of a deleted one. */
const OPEN_FILE = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** Reports whether a path is the name of an open file of this process, such as `/dev/stdout`. A path that cannot be resolved is none. */
export function isOpenFile(path: string, cwd: string): boolean {
  try {
    return OPEN_FILE.test(resolvePath(path, cwd));
  } catch {
    return false;
  }
}

/** Returns the number of the open file that such a name stands for. */
function descriptorOf(path: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === 'stdout' ? 1 : name === 'stderr' ? 2 : Number(name);
}

/** The end of a path that only a folder can have: `out/`, `out/.`. Node.js drops it when it resolves the path. */
const FOLDER_END = sep === '/' ? /\/\.?$/ : /[\\/]\.?$/;

/** Returns the file that a path names, without links on the way. @throws UsageError for a folder, a link that must not be followed, and a file in `.git` */
function locateTarget(path: string, cwd: string): string {
  if (FOLDER_END.test(path)) throw new UsageError(`cannot write ${path}: a path with a slash at its end is a folder; name a file in it`);
  const resolved = resolvePath(path, cwd);
  if (OPEN_FILE.test(resolved)) return resolved;
  const { target, passed } = followPath(resolved);
  for (const { folder, name } of findBoundaries(passed, cwd)) {
    if (!isInFolder(folder, target))
      throw new UsageError(`cannot write ${path}: a symbolic link leads from it out of the ${name}; delete the link, or name its target`);
    if (isFileOfGit(target, folder))
      throw new UsageError(`cannot write ${path}: it leads into ${REPOSITORY_FOLDER}, into which only git writes; name a file elsewhere`);
  }
  return target;
}

/** Runs what writes a file. @throws UsageError if it fails */
function withFileErrors(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write ${path}: ${describeOsError(error)}; name a file in a writable folder`);
  }
}

/**
 * Checks that a file may be replaced, and writes nothing to find out.
 *
 * @param isDryRun - whether it is not replaced in this run, so that it may be read-only here
 * @throws UsageError if a link leads out of the repository, or the file or its folder is read-only
 */
export function assertReplaceable(path: string, cwd: string, isDryRun: boolean): void {
  withFileErrors(path, () => {
    const target = locateTarget(path, cwd);
    if (isDryRun) return;
    accessSync(target, constants.W_OK);
    accessSync(dirname(target), constants.W_OK | constants.X_OK);
  });
}

/**
 * Checks that a file can be written, before a command runs that may take long or ask a cluster.
 *
 * @throws UsageError if it cannot be written
 */
export function assertWritable(path: string, cwd: string): void {
  withFileErrors(path, () => {
    const target = locateTarget(path, cwd);
    const existing = getStats(target);
    if (existing?.isDirectory()) throw new UsageError(`cannot write ${path}: it is a folder; name a file in a writable folder`);
    if (existing && !existing.isFile()) accessSync(target, constants.W_OK);
    else if (!OPEN_FILE.test(target)) tryToCreateFile(dirname(target));
  });
}

/**
 * Writes a file completely or not at all. A link is followed only if it stays in the working directory and in each repository that the path passes. A pipe, a device and an open file such as `/dev/stdout` are written to directly.
 *
 * @throws UsageError if it cannot be written
 */
export function writeOutput(path: string, cwd: string, text: string): void {
  withFileErrors(path, () => {
    const target = locateTarget(path, cwd);
    const existing = getStats(target);
    // Other texts may be written to the same open file.
    if (existing?.isFile() && OPEN_FILE.test(target)) writeFileSync(descriptorOf(target), text);
    else if (existing && !existing.isFile() && !existing.isDirectory()) writeDirectly(target, path, text, existing);
    else replaceFile(target, text, { mode: existing?.mode, check: (temporary) => assertNoLink(temporary, path) });
  });
}
