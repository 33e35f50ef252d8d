import type { InputFile, UnreadableFile } from './read';

const SPECIAL = /[.+^${}()|[\]\\]/g;

/** `**` stands for any folders, `*` and `?` for characters of one name. */
function patternOf(glob: string): RegExp {
  const source = glob
    .replaceAll(SPECIAL, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*\*|\*|\?/g, (wild) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' })[wild]!);
  return new RegExp(`^${source}$`);
}

/** A path below the PATH that it was found in. */
function belowGiven({ file, given }: InputFile | UnreadableFile): string {
  if (given?.as !== 'folder') return file;
  const start = given.path.replace(/\/*$/, '/');
  return file.startsWith(start) ? file.slice(start.length) : file;
}

/** Every folder above a file, and the file: `a`, `a/b`, `a/b/c.yaml`. */
function ends(path: string): string[] {
  const names = path.split('/');
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}

/**
 * Does a glob leave a file out? It is held against the path below the PATH and against the path as printed, and against the folders above the file;
 * one without a slash against each name alone. What was given by name stays.
 */
export function isExcluded(entry: InputFile | UnreadableFile, globs: readonly string[]): boolean {
  if (globs.length === 0 || entry.given?.as !== 'folder') return false;
  const below = belowGiven(entry);
  const paths = [...ends(below), ...ends(entry.file)];
  const names = below.split('/');
  return globs.some((glob) => {
    const pattern = patternOf(glob.replace(/\/+$/, ''));
    return (glob.replace(/\/+$/, '').includes('/') ? paths : names).some((path) => pattern.test(path));
  });
}
