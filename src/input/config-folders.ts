import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REPOSITORY_FOLDER } from './read-paths';

/**
 * Lists the folders in which a configuration is searched for: a folder and those around it, up to the root of its repository, since a folder
 * above belongs to another user, such as `/tmp`. Outside a repository, the working directory is the last one, or the folder itself if it
 * is not below the working directory.
 */
export function listConfigFolders(folder: string, cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    folders.push(at);
    if (existsSync(join(at, REPOSITORY_FOLDER))) return folders;
    if (at === dirname(at)) break;
  }
  return folders.includes(cwd) ? folders.slice(0, folders.indexOf(cwd) + 1) : [folder];
}
