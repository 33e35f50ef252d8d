/** Name of the file that lists what Helm does not load, in the folder of the outermost chart. */
export const HELM_IGNORE_FILE = '.helmignore';

/** Hidden files and folders directly in `templates`, which Helm ignores in every chart. Source: Helm v3.16 pkg/ignore/rules.go, `AddDefaults`. */
const DEFAULT_PATTERN = 'templates/.?*';

/** Comparisons after which the patterns of one chart are not evaluated further. A change may bring thousands of long ones. */
const MAX_COMPARISONS = 50_000_000;

interface IgnorePattern {
  readonly text: string;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** Whether it is compared with the name of a file instead of its path. */
  readonly isForNames: boolean;
}

/** Returns the position after a character of a class, which may be escaped; undefined if none can be there. */
function skipClassCharacter(pattern: string, at: number): number | undefined {
  if (at >= pattern.length || pattern[at] === '-' || pattern[at] === ']') return undefined;
  const next = at + (pattern[at] === '\\' ? 2 : 1);
  return next < pattern.length ? next : undefined;
}

/** Returns the length of a character class that begins at a position: `[a-z]`. Undefined if it is malformed. Source: Go path/filepath/match.go. */
function measureClass(pattern: string, start: number): number | undefined {
  let at: number | undefined = start + (pattern[start + 1] === '^' ? 2 : 1);
  for (let count = 0; ; count++) {
    if (pattern[at] === ']' && count > 0) return at + 1 - start;
    at = skipClassCharacter(pattern, at);
    if (at !== undefined && pattern[at] === '-') at = skipClassCharacter(pattern, at + 1);
    if (at === undefined) return undefined;
  }
}

function matchesClass(text: string, character: string): boolean {
  const isNegated = text[1] === '^';
  let isFound = false;
  const read = (at: number): readonly [character: string, next: number] =>
    text[at] === '\\' ? [text[at + 1]!, at + 2] : [text[at]!, at + 1];
  for (let at = isNegated ? 2 : 1; at < text.length - 1;) {
    const [low, next] = read(at);
    const [high, end] = text[next] === '-' ? read(next + 1) : [low, next];
    isFound ||= low <= character && character <= high;
    at = end;
  }
  return isFound !== isNegated;
}

/** Removes all slashes at the start of a path. Helm removes one whenever it compares such a pattern, and keeps the rest for the next time. */
function trimSlashes(path: string): string {
  let start = 0;
  while (path[start] === '/') start++;
  return path.slice(start);
}

/** Parses a line as Helm does. Returns undefined for a blank line and a comment. */
function parsePattern(line: string): IgnorePattern | undefined {
  const rule = line.trim();
  if (rule === '' || rule.startsWith('#')) return undefined;
  const isNegated = rule.startsWith('!');
  const positive = isNegated ? rule.slice(1) : rule;
  const isForFolders = positive.endsWith('/');
  const path = isForFolders ? positive.slice(0, -1) : positive;
  return { text: trimSlashes(path), isNegated, isForFolders, isForNames: !path.includes('/') };
}

/**
 * Rules of a `.helmignore`. The first pattern that matches decides, and a negated one ignores everything that it does not match.
 * Source: Helm v3.16 pkg/ignore/rules.go. Helm refuses a chart with a malformed pattern, which matches nothing here.
 */
export class HelmIgnore {
  private readonly patterns: readonly IgnorePattern[];
  private readonly folders = new Map<string, boolean>();
  private comparisons = 0;

  constructor(text: string) {
    this.patterns = [...text.split('\n'), DEFAULT_PATTERN].flatMap((line) => parsePattern(line) ?? []);
  }

  /** Reports whether Helm ignores a file. If the patterns are too many, all further files count as ignored. */
  ignores(file: string): boolean {
    const slash = file.lastIndexOf('/');
    return (slash >= 0 && this.ignoresFolder(file.slice(0, slash))) || this.matches(file, false);
  }

  private ignoresFolder(folder: string): boolean {
    const known = this.folders.get(folder);
    if (known !== undefined) return known;
    const slash = folder.lastIndexOf('/');
    const isIgnored = (slash >= 0 && this.ignoresFolder(folder.slice(0, slash))) || this.matches(folder, true);
    this.folders.set(folder, isIgnored);
    return isIgnored;
  }

  private matches(path: string, isFolder: boolean): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const { text, isNegated, isForFolders, isForNames } of this.patterns) {
      if (this.comparisons > MAX_COMPARISONS) return true;
      if (isForFolders && !isFolder) {
        if (isNegated) return true;
        continue;
      }
      if (this.matchesGlob(text, isForNames ? name : path) !== isNegated) return true;
    }
    return false;
  }

  /** Reports whether Go's `filepath.Match` matches. On a mismatch, the last star matches one more character, which is no slash. */
  private matchesGlob(pattern: string, path: string): boolean {
    let [inPattern, inPath, star, afterStar] = [0, 0, -1, 0];
    for (;;) {
      // A class is read to its end each time, character by character.
      this.comparisons += pattern[inPattern] === '[' ? 10 * pattern.length : 1;
      if (this.comparisons > MAX_COMPARISONS) return false;
      if (pattern[inPattern] === '*') {
        star = ++inPattern;
        afterStar = inPath;
        continue;
      }
      if (inPath === path.length && inPattern === pattern.length) return true;
      const length = inPath < path.length ? matchCharacter(pattern, inPattern, path[inPath]!) : undefined;
      if (length !== undefined) {
        inPattern += length;
        inPath++;
        continue;
      }
      if (star < 0 || afterStar >= path.length || path[afterStar] === '/') return false;
      inPattern = star;
      inPath = ++afterStar;
    }
  }
}

/** Returns the length of the part of a pattern that matches a character; undefined if it does not. */
function matchCharacter(pattern: string, at: number, character: string): number | undefined {
  const expected = pattern[at];
  if (expected === '?') return character === '/' ? undefined : 1;
  if (expected === '\\') return pattern[at + 1] === character ? 2 : undefined;
  if (expected !== '[') return expected === character ? 1 : undefined;
  const length = measureClass(pattern, at);
  return length !== undefined && matchesClass(pattern.slice(at, at + length), character) ? length : undefined;
}
