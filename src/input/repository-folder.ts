import { sep } from 'node:path';

/** The folder of a repository. No commit can contain a file in it. */
export const REPOSITORY_FOLDER = '.git';

/** Reports whether a path without links passes a folder `.git` below another one. A committed link may lead there, to a password for example. */
export function isInRepositoryFolder(path: string, folder: string): boolean {
  return path.slice(folder.length).split(sep).includes(REPOSITORY_FOLDER);
}
