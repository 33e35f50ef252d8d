import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Error of a path that may not be read. The message says what is wrong and what to do. */
export class RootError extends Error {
  override readonly name = 'RootError';
}

/** Returns the path without symbolic links; undefined for one that leads to no file system, such as /dev/fd/0 of a pipe. */
function tryRealpath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns the absolute path without symbolic links; of a path that does not exist, that of its deepest existing folder, and the rest. Undefined
 * for a path that exists, but not in a folder.
 */
function resolveLinks(path: string): string | undefined {
  if (existsSync(path)) return tryRealpath(path);
  const above = dirname(path);
  const folder = above === path ? path : resolveLinks(above);
  return folder === undefined ? undefined : join(folder, relative(above, path));
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The folders below which files may be read. */
export class Roots {
  private readonly roots: readonly string[];

  /** @param roots - folders. Relative paths begin in the first one. @throws RootError for a folder that does not exist */
  constructor(roots: readonly string[], cwd: string) {
    this.roots = roots.map((root) => {
      const path = resolve(cwd, root);
      if (root === '') throw new RootError('a root is empty, perhaps because a shell variable is not set; name a folder');
      if (!existsSync(path)) throw new RootError(`the root ${root} does not exist; name a folder`);
      if (!statSync(path).isDirectory()) throw new RootError(`the root ${root} is not a folder; name one`);
      const real = realpathSync.native(path);
      if (real.includes('\ufffd')) throw new RootError(`the path of the root ${root} is not UTF-8, so it may be that of another folder`);
      return real;
    });
  }

  /** Absolute paths of the folders, without symbolic links. */
  get folders(): readonly string[] {
    return this.roots;
  }

  /** Folder where relative paths begin. */
  get base(): string {
    return this.roots[0]!;
  }

  /** Returns the root that contains a path. @throws RootError if none does */
  check(path: string): string {
    const resolved = resolveLinks(resolve(this.base, path));
    const root = resolved === undefined ? undefined : this.roots.find((folder) => isWithin(folder, resolved));
    if (root !== undefined) return root;
    throw new RootError(`${path} is not below ${this.roots.join(' or ')}; name a path there, or start the server with another root`);
  }

  /** Returns the nearest file of a name in the folder of a path or above it, within the root; undefined if there is none. */
  findNearest(path: string, name: string): string | undefined {
    const root = this.check(path);
    let folder = resolveLinks(resolve(this.base, path)) ?? root;
    for (; isWithin(root, folder); folder = dirname(folder)) {
      const file = join(folder, name);
      if (existsSync(file)) return file;
      if (folder === dirname(folder)) return undefined;
    }
    return undefined;
  }
}
