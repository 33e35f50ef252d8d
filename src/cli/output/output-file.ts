import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { REPOSITORY_FOLDER } from '../../input/path-layout';
import { describeOsError } from '../../input/os-error-message';
import { isInFolder } from '../../input/read-limited';
import { replaceFile, tryToCreateFile } from '../../input/replace-file';
import { UsageError } from './io';

/** The folder of the open files of a process. The link of a pipe there, as in `>(sort)`, has no path as its target. */
const PROCESS_FILES = /^\/proc\/\d+\/fd$/;

/** Follows the symbolic links of a path, even if the target file does not exist yet. */
function resolveTarget(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    if (PROCESS_FILES.test(realpathSync.native(dirname(path)))) return `${realpathSync.native(dirname(path))}${sep}${basename(path)}`;
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
    const linked = isLink ? readlinkSync(path) : path;
    // Not normalized: in `link/../x`, the parent folder is that of the target of `link`.
    const target = isAbsolute(linked) ? linked : `${realpathSync.native(dirname(path))}${sep}${linked}`;
    return join(realpathSync.native(dirname(target)), basename(target));
  }
}

/** The folder that no link may lead out of. */
interface Boundary {
  readonly folder: string;
  readonly name: 'working directory' | 'repository';
}

/** Lists the folders around a path, the nearest first. */
function listFoldersAround(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) folders.push(at);
  return folders;
}

/** Returns the folders whose checkout may contain a path: the working directory, and each repository that the path goes through, also by a link. */
function findBoundaries(path: string, cwd: string): Boundary[] {
  const passed = listFoldersAround(path).filter((folder) => existsSync(folder));
  const around = passed
    .flatMap((folder) => [folder, realpathSync.native(folder)])
    .flatMap((folder) => [folder, ...listFoldersAround(folder)]);
  const repositories = [...new Set(around)].filter((folder) => existsSync(join(folder, REPOSITORY_FOLDER)));
  return [
    ...(isInFolder(cwd, path) ? [{ folder: cwd, name: 'working directory' } as const] : []),
    ...repositories.map((folder) => ({ folder, name: 'repository' }) as const),
  ];
}

/** Reports whether the target of a link is outside of a folder, or in its repository: a checkout may contain one in place of the file, or of a folder on the way to it. */
function leadsOut(target: string, folder: string): boolean {
  const root = realpathSync.native(folder);
  return !isInFolder(root, target) || target.slice(root.length).split(sep).includes(REPOSITORY_FOLDER);
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

/** Returns the file that a path names, without links on the way. @throws UsageError for a link that must not be followed, and for a file in `.git` */
function locateTarget(path: string, cwd: string): string {
  const named = resolve(cwd, path);
  const target = resolveTarget(named);
  const boundary = findBoundaries(named, cwd).find(({ folder }) => leadsOut(target, folder));
  if (boundary && named.slice(boundary.folder.length).split(sep).includes(REPOSITORY_FOLDER))
    throw new UsageError(`cannot write ${path}: it is in ${REPOSITORY_FOLDER}, into which only git writes; name a file elsewhere`);
  if (boundary)
    throw new UsageError(
      `cannot write ${path}: a symbolic link leads from it out of the ${boundary.name}; delete the link, or name its target`,
    );
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
    else tryToCreateFile(dirname(target));
  });
}

/**
 * Writes a file completely or not at all. A link is followed only if it stays in the working directory and in each repository around the path. An existing path that is not a regular file, such as a pipe, is written to directly.
 *
 * @throws UsageError if it cannot be written
 */
export function writeOutput(path: string, cwd: string, text: string): void {
  withFileErrors(path, () => {
    const target = locateTarget(path, cwd);
    const existing = getStats(target);
    if (existing && !existing.isFile() && !existing.isDirectory()) writeDirectly(target, path, text, existing);
    else replaceFile(target, text, { mode: existing?.mode, check: (temporary) => assertNoLink(temporary, path) });
  });
}
