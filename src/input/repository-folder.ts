import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import type { PathLike } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { trimEndCharacters } from '../core/text/trim-end';

/** The folder of a repository. No commit can contain a file in it. */
export const REPOSITORY_FOLDER = '.git';

/** Reports whether there is a file, a folder or a link, also one whose target does not exist. */
export function hasEntry(at: string): boolean {
  try {
    return lstatSync(at, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Reports whether a folder has an entry `.git`. A link counts, also where its target does not exist, as in a container without it. */
export function hasRepositoryEntry(folder: string): boolean {
  return hasEntry(join(folder, REPOSITORY_FOLDER));
}

/** Returns what identifies a file or folder; undefined if the file system finds none. */
function getFileIdentity(path: PathLike): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Reports whether two paths name one existing file or folder. Their texts do not show it: a file system may ignore case, or be mounted twice. */
export function isSameFile(path: PathLike, other: PathLike): boolean {
  const identity = getFileIdentity(other);
  return identity !== undefined && identity === getFileIdentity(path);
}

/** Returns the folder that a file of git names after a prefix; undefined if there is no such file. */
function findNamedFolder(file: string, prefix: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return undefined;
    // Like git, it reads up to a null character, and leaves out line breaks at the end.
    const text = trimEndCharacters(readFileSync(file, 'utf8').split('\0', 1)[0]!, '\r\n');
    return text.startsWith(prefix) ? realpathSync.native(resolve(dirname(file), text.slice(prefix.length))) : undefined;
  } catch {
    return undefined;
  }
}

/** Lists the folders of git that a folder, a link or a file `.git` in a folder leads to. Worktrees share a second one. */
export function listGitFolders(folder: string): string[] {
  const git = join(folder, REPOSITORY_FOLDER);
  const named = findNamedFolder(git, 'gitdir: ');
  const common = findNamedFolder(join(named ?? git, 'commondir'), '');
  return [git, named, common].filter((each) => each !== undefined);
}

/** Lists a path and the folders around it that are below another one. */
function listPathsBelow(path: string, folder: string): string[] {
  const paths: string[] = [];
  for (let at = path; at.length > folder.length && at !== dirname(at); at = dirname(at)) paths.push(at);
  return paths;
}

/**
 * Reports whether a path without links below a folder is one of git: named `.git`, or in a folder that such a file leads to. A committed link may
 * lead there, to a password for example. Like git, it ignores the case of `.git`, as some file systems do.
 */
export function isFileOfGit(path: string, folder: string): boolean {
  const paths = listPathsBelow(path, folder);
  if (paths.some((at) => basename(at).toLowerCase() === REPOSITORY_FOLDER)) return true;
  const identities = new Set(paths.map(getFileIdentity));
  identities.delete(undefined);
  return paths.some((at) => listGitFolders(dirname(at)).some((git) => identities.has(getFileIdentity(git))));
}
