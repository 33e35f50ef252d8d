import { matchesPattern } from '../core/sources/path-pattern';
import { listAncestorFolders, resolveInFolder } from './folder-paths';

/** Maximum number of patterns in one folder, and their maximum length. The files of any others are planned, so that a flood hides nothing. */
const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 1_000;

/** Set of paths, which may be patterns, that files refer to relative to their own folder. */
export class FilePatternSet {
  private readonly paths = new Set<string>();
  /** Patterns by the folder before their first `*` or `?`. */
  private readonly patterns = new Map<string, Set<string>>();

  add(folder: string, references: readonly string[]): void {
    for (const reference of references) {
      const path = resolveInFolder(folder, reference);
      const wildcard = path.search(/[*?]/);
      if (wildcard < 0) this.paths.add(path);
      else if (path.length <= MAX_PATTERN_LENGTH) this.addPattern(path.slice(0, Math.max(path.lastIndexOf('/', wildcard), 0)), path);
    }
  }

  private addPattern(folder: string, pattern: string): void {
    const known = this.patterns.get(folder) ?? new Set();
    if (known.size < MAX_PATTERNS) this.patterns.set(folder, known.add(pattern));
  }

  has(file: string): boolean {
    if (this.paths.has(file)) return true;
    if (this.patterns.size === 0) return false;
    return listAncestorFolders(file).some((folder) =>
      [...(this.patterns.get(folder) ?? [])].some((pattern) => matchesPattern(pattern, file)),
    );
  }
}
