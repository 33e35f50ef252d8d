/** What a browser has in place of `node:path`: the functions that the planner calls, for the names of files that were typed or dropped. */

/** Where the last name of a path ends: slashes behind it do not count. */
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
  // POSIX leaves it open what two slashes at the start mean, so they stay.
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

export const posix = { basename, dirname, normalize };
