import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The folder of a repository. No commit can contain a file in it. */
export const REPOSITORY_FOLDER = '.git';

/** Returns what identifies a file or folder; undefined if the file system finds none. */
function getFileIdentity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Reports whether two paths name one existing file or folder. Their texts do not show it: a file system may ignore case, or be mounted twice. */
export function isSameFile(path: string, other: string): boolean {
  const identity = getFileIdentity(other);
  return identity !== undefined && identity === getFileIdentity(path);
}

/** Reports whether a path names the folder `.git` next to it, or a file of that name. Like git, it ignores case, as some file systems do. */
function isRepositoryFolder(path: string): boolean {
  return basename(path).toLowerCase() === REPOSITORY_FOLDER || isSameFile(path, join(dirname(path), REPOSITORY_FOLDER));
}

/** Iterates over a path and the folders around it that are below another one. */
export function* iteratePathsBelow(path: string, folder: string): Generator<string> {
  for (let at = path; at.length > folder.length && at !== dirname(at); at = dirname(at)) yield at;
}

/** Reports whether a path without links passes a folder `.git` below another one. A committed link may lead there, to a password for example. */
export function isInRepositoryFolder(path: string, folder: string): boolean {
  for (const at of iteratePathsBelow(path, folder)) if (isRepositoryFolder(at)) return true;
  return false;
}
