import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { isSameFile } from './repository-folder';

/** The folder of the open files of a process. The link of a pipe there, as in `>(sort)`, has no path as its target. */
const PROCESS_FILES = /^\/proc\/\d+\/fd$/;

/** Maximum number of links of a path, as in Linux. */
const MAX_LINKS = 40;

/** Windows takes both slashes. */
const SEPARATOR = sep === '/' ? '/' : /[\\/]/;

/** A path without its links. */
interface FollowedPath {
  readonly target: string;
  /** Folders that the path passes, each without links, and those around them. */
  readonly passed: ReadonlySet<string>;
}

/** @throws Error for a path with a byte that is not UTF-8, which Node.js replaces by U+FFFD, so that the text may name another file */
export function assertUtf8(path: string): void {
  if (path.includes('\ufffd')) throw new Error('its path, or that of a link in it, is not UTF-8, so it may lead to another file');
}

/** Returns a path without links; the path itself if nothing is there. */
function resolveLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Returns the text of a symbolic link; undefined for anything else, and for the link of a pipe among the open files of a process. */
function findLink(path: string): string | undefined {
  if (!isLink(path)) return undefined;
  const linked = readlinkSync(path);
  assertUtf8(linked);
  return PROCESS_FILES.test(dirname(path)) && !(isAbsolute(linked) && existsSync(linked)) ? undefined : linked;
}

/** Returns the names of a path without its root. */
function splitPath(path: string): string[] {
  return path.slice(parse(path).root.length).split(SEPARATOR);
}

/**
 * Follows an absolute path link by link, even if the target file does not exist yet. A link that `findLink` does not find is a file.
 *
 * @throws the error of the file system if a folder of the path does not exist
 */
export function followPath(path: string): FollowedPath {
  const passed = new Set<string>();
  let target = parse(path).root;
  let links = 0;
  for (let names = splitPath(path); names.length > 0;) {
    const [name = '', ...rest] = names;
    // Not normalized before: in `link/../x`, the parent folder is that of the target of `link`.
    const next = join(target, name);
    passed.add(target);
    const linked = name === '' || name === '..' ? undefined : findLink(next);
    if (linked === undefined) {
      target = rest.length > 0 ? realpathSync.native(next) : next;
      names = rest;
    } else {
      if (links++ === MAX_LINKS) realpathSync.native(path);
      if (isAbsolute(linked)) target = parse(linked).root;
      names = [...splitPath(linked), ...rest];
    }
  }
  return { target, passed };
}

/**
 * Resolves a path that the user names. In `link/../x`, the parent folder of `link` is that of its target for the operating system, but that of the
 * link itself for a program that normalizes the path. kubectl does both: it lists the one folder and opens files of the other.
 *
 * @throws Error if these are two folders, or for a path that is not UTF-8, whether or not its links are followed
 */
export function resolvePath(path: string, cwd: string): string {
  // A name before ".." is not in the resolved path.
  assertUtf8(path);
  let at = isAbsolute(path) ? parse(path).root : cwd;
  for (const name of splitPath(path)) {
    if (name === '..' && isLink(at) && !isSameFile(`${at}${sep}..`, dirname(at)))
      throw new Error(`".." follows the symbolic link ${basename(at)}, so it leads elsewhere for other programs`);
    at = join(at, name);
  }
  const resolved = resolve(cwd, path);
  assertUtf8(resolved);
  assertUtf8(resolveLinks(resolved));
  return resolved;
}
