import { posix } from 'node:path';
import { trimEndCharacters } from '../core/text/trim-end';

/* Paths relative to the root of a layout, which is the empty string. */

/** Lists the folders from that of a file up to the root of the layout, which is the empty string. */
export function listAncestorFolders(file: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(file); folder !== '.' && folder !== folders.at(-1); folder = posix.dirname(folder)) folders.push(folder);
  return [...folders, ''];
}

export function resolveInFolder(folder: string, path: string): string {
  return posix.normalize(folder === '' ? path : `${folder}/${path}`);
}

/** Returns the path of what a kustomization includes, relative to the root of the layout, which is the empty string. */
export function resolveIncluded(folder: string, path: string): string {
  return stripTrailingSlashes(resolveInFolder(folder, path)).replace(/^\.$/, '');
}

/** Reports whether a folder is `start` or below it. */
export function isAtOrBelow(start: string, folder: string): boolean {
  return start === '' || folder === start || folder.startsWith(`${start}/`);
}

/** Removes the slashes at the end of a path: `charts//` is `charts`. */
export function stripTrailingSlashes(path: string): string {
  return trimEndCharacters(path, '/');
}

/** Joins a path and a folder below it: `joinPath('charts/', 'web')` is `charts/web`, and `joinPath('charts/', '')` is `charts/`. */
export function joinPath(base: string, folder: string): string {
  return folder === '' ? base : `${stripTrailingSlashes(base)}/${folder}`;
}

/** Returns the path of a file below a folder, which may end with slashes: `in/a.yaml` below `in//` is `a.yaml`. Another path stays as it is. */
export function toPathBelow(folder: string, file: string): string {
  const around = `${stripTrailingSlashes(folder)}/`;
  return file.startsWith(around) ? file.slice(around.length) : file;
}

/**
 * Returns the key by which kubectl sorts the files below a folder: it visits those of the folder `q` before `q-1` and `q.yaml`. No path contains a null.
 *
 * Source: Go 1.24 `path/filepath.Walk`.
 */
export function toVisitKey(path: string): string {
  return path.replaceAll('/', '\0');
}
