/** Replaces `node:path` in a browser: the functions that the planner calls for the names of files. */

/** Returns the end of the last name of a path, without trailing slashes. */
function endOfName(path: string): number {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return end;
}

export function basename(path: string): string {
  const end = endOfName(path);
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

function dirname(path: string): string {
  const slash = path.lastIndexOf('/', endOfName(path) - 1);
  if (endOfName(path) === 0 || slash <= 0) return path.startsWith('/') ? '/' : '.';
  // POSIX leaves the meaning of two leading slashes to the implementation, so they are kept.
  return slash === 1 && path.startsWith('/') ? '//' : path.slice(0, slash);
}

function normalize(path: string): string {
  const isAbsolute = path.startsWith('/');
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length > 0 && names.at(-1) !== '..') names.pop();
    else if (!isAbsolute) names.push(name);
  }
  const isFolder = path.endsWith('/');
  if (names.length === 0) return isAbsolute ? '/' : isFolder ? './' : '.';
  return `${isAbsolute ? '/' : ''}${names.join('/')}${isFolder ? '/' : ''}`;
}

function join(...paths: readonly string[]): string {
  return normalize(paths.filter((path) => path !== '').join('/'));
}

export const posix = { basename, dirname, join, normalize };
