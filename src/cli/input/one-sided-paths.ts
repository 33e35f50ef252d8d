import { existsSync } from 'node:fs';
import { escapeForTerminal } from '../../core/text/escape-output';
import { joinWords } from '../../core/text/text-format';
import { resolvePath } from '../../input/follow-path';
import { describeOsError } from '../../input/os-error-message';
import { UsageError } from '../output/io';
import type { Io } from '../output/io';

/** What kubectl takes for a pattern if no file has the name. */
const PATTERN = /[*?[]/;

/** Paths that only one side of a change has. Folders come and go between a revision and the working tree. */
export class OneSidedPaths {
  /** Paths that the working tree lacks. OLD has them, or the command cannot run. */
  readonly removed: ReadonlySet<string>;
  private readonly added = new Map<string, Set<string>>();

  /** @param revisions - the values of `--from` that are revisions, without a path of their own */
  constructor(
    private readonly paths: readonly string[],
    private readonly revisions: readonly string[],
    private readonly io: Io,
  ) {
    this.removed = new Set(revisions.length === 0 ? [] : paths.filter((path) => path !== '' && !this.isInWorkingTree(path)));
    const pattern = [...this.removed].find((path) => PATTERN.test(path));
    if (pattern !== undefined)
      throw new UsageError(
        `cannot read ${pattern}: the working tree has no file of this name, and kubectl takes it for a pattern; name files`,
      );
  }

  /** @throws UsageError if the path leads elsewhere for other programs */
  private isInWorkingTree(path: string): boolean {
    try {
      return existsSync(resolvePath(path, this.io.cwd));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
      throw new UsageError(`cannot read ${path}: ${describeOsError(error)}`);
    }
  }

  /** Creates a function that accepts, and remembers, a path that a revision lacks. */
  acceptAdded(revision: string): (path: string) => boolean {
    return (path) => {
      if (!this.isInWorkingTree(path)) return false;
      this.added.set(revision, (this.added.get(revision) ?? new Set()).add(path));
      return true;
    };
  }

  /** Reports whether a revision has any of the paths. */
  hasAny(revision: string): boolean {
    return this.added.get(revision)?.size !== new Set(this.paths).size;
  }

  /** Says on standard error which paths are new or gone. */
  report(): void {
    const say = (text: string) => this.io.stderr.write(`rolloutkit: ${escapeForTerminal(text)}\n`);
    for (const [revision, paths] of this.added) for (const path of paths) say(`${revision} has no ${path}: OLD contains nothing of it`);
    for (const path of this.removed) say(`only ${joinWords(this.revisions, 'or')} has ${path}: NEW contains nothing of it`);
  }
}
