import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, posix, relative as relativePath, resolve, sep } from 'node:path';
import { checkTimeNow } from '../core/budget/deadline';
import type { ApplyUnit } from '../core/sources/apply-unit';
import { IGNORE_FILES, IgnoreFiles } from './ignore-files';
import { buildLayout, omitNamedFile } from './layout';
import type { FileContext } from './layout';
import { isAtOrBelow } from './folder-paths';
import { MARKER_FILES, isMarker } from './marker-files';
import { isBelowReadRoots, readMarkerFile } from './read-limited';
import { hasRepositoryEntry } from './repository-folder';

/** Reports whether a folder has a file of a name. A link counts, whether or not its target exists: the input may not learn that from outside of its PATH. */
export function hasFile(folder: string, name: string): boolean {
  try {
    return lstatSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return false;
  }
}

/** Lists the markers in a folder. It first looks for each by name, since a folder around the PATH may contain thousands of files. */
function listMarkers(folder: string): string[] {
  try {
    return [...MARKER_FILES].some((name) => hasFile(folder, name)) ? readdirSync(folder).filter(isMarker) : [];
  } catch {
    return [];
  }
}

/** Iterates over a folder and its ancestors, up to the root of its repository or of what this process reads. */
export function* iterateAncestors(folder: string): Generator<string> {
  for (let at = folder; isBelowReadRoots(at); at = dirname(at)) {
    yield at;
    if (hasRepositoryEntry(at) || at === dirname(at)) return;
  }
}

/** Returns the folder without links that no link of a folder around a PATH may lead out of: its repository, or else the folder itself. */
function findLinkRoot(folder: string): string {
  const top = [...iterateAncestors(folder)].at(-1) ?? folder;
  return realpathSync.native(hasRepositoryEntry(top) ? top : folder);
}

/** Finds the nearest folder with markers, the folder itself or an ancestor. */
function findNearestMarkedFolder(start: string): { readonly folder?: string; readonly markers: readonly string[] } {
  for (const folder of iterateAncestors(start)) {
    const markers = listMarkers(folder);
    if (markers.length > 0) return { folder, markers };
  }
  return { markers: [] };
}

/** Returns the path of a file relative to a folder, with slashes. */
export function toRelativePath(folder: string, path: string): string {
  return relativePath(folder, path).split(sep).join('/');
}

/** Formats the path of a folder around a PATH in the style of the PATH: absolute, with `./`, or with neither. */
function formatFolderPath(path: string, folder: string, cwd: string): string {
  if (isAbsolute(path)) return folder;
  const relative = toRelativePath(cwd, folder);
  if (relative === '') return '.';
  const hasDot = path === '.' || path.startsWith('./');
  return hasDot && !relative.startsWith('..') ? `./${relative}` : relative;
}

/**
 * Builds the layout of the files of one PATH. Their unit is the nearest marked folder, which may be above the PATH, or else the PATH.
 *
 * @param start - the PATH, if it is a folder, or the folder of the PATH
 * @param entries - paths below that folder
 */
export function buildPathLayout(path: string, start: string, entries: readonly string[], cwd: string): (entry: string) => FileContext {
  const { folder: marked, markers } = findNearestMarkedFolder(start);
  const base = marked ?? start;
  const prefix = toRelativePath(base, start);
  const below = (entry: string) => posix.join(prefix, entry);
  const isPathItself = resolve(cwd, path) === marked;
  const root: ApplyUnit =
    marked === undefined
      ? { id: resolve(cwd, path), name: path, hasMarkerFile: false, isNamedInput: true }
      : {
          id: marked,
          name: isPathItself ? path : formatFolderPath(path, marked, cwd),
          hasMarkerFile: true,
          markers,
          isNamedInput: true,
        };
  const files = [...new Set([...markers, ...entries.map(below)])];
  const isAbove = marked !== undefined && !isPathItself;
  const shown = isAbove ? (folder: string) => formatFolderPath(path, posix.join(base, folder), cwd) : undefined;
  const ownRoot = realpathSync.native(start);
  const aroundRoot = isAbove ? findLinkRoot(base) : ownRoot;
  const rootOf = (file: string) => (isAtOrBelow(prefix, file) ? ownRoot : aroundRoot);
  const layout = buildLayout(files, (file) => readMarkerFile(`${base}/${file}`, rootOf(file)), root, shown, prefix);
  return (entry) => omitNamedFile(layout(below(entry)), isAbove, root);
}

/** Finds the files of a PATH that an ignore file leaves out: one of their folder, or of a folder around it. */
export function findIgnoreFiles(start: string, shown: string, entries: readonly string[], cwd: string): IgnoreFiles {
  const root = realpathSync.native(start);
  const ignoreFiles = new IgnoreFiles();
  for (const relative of entries) {
    const name = posix.basename(relative);
    if (!IGNORE_FILES.includes(name)) continue;
    checkTimeNow();
    const prefix = relative.slice(0, -name.length);
    const toRelative = (file: string) => (file.startsWith(prefix) ? file.slice(prefix.length) : undefined);
    ignoreFiles.add(`${shown}/${relative}`, readMarkerFile(join(start, relative), root), toRelative);
  }
  if (hasRepositoryEntry(start)) return ignoreFiles;
  for (const folder of iterateAncestors(dirname(start))) {
    const toRelative = (file: string) => posix.join(toRelativePath(folder, start), file);
    for (const name of IGNORE_FILES.filter((each) => hasFile(folder, each)))
      ignoreFiles.add(
        `${formatFolderPath(shown, folder, cwd)}/${name}`,
        readMarkerFile(join(folder, name), findLinkRoot(folder)),
        toRelative,
      );
  }
  return ignoreFiles;
}
