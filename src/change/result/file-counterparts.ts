import { toCheckoutPath } from '../../core/sources/checkout-path';

/** Lists the ends of a path, the longest first: `a/b.yaml` and `b.yaml`. */
function listPathEnds(file: string): readonly string[] {
  const names = toCheckoutPath(file).split('/');
  return names.map((_, index) => names.slice(index).join('/'));
}

/** Files of one side of a change, among which a file of the other side is found again: under its own path, or the one with the longest common end. */
export class FileCounterparts {
  private readonly ends: ReadonlySet<string>;

  constructor(files: Iterable<string>) {
    this.ends = new Set([...files].flatMap(listPathEnds));
  }

  /** Reports whether one of these files may be a file of the other side. If none has its name, any of them may be. */
  mayBe(other: string | undefined, file: string | undefined): boolean {
    if (other === undefined || file === undefined) return true;
    const longest = listPathEnds(other).find((end) => this.ends.has(end));
    return longest === undefined || listPathEnds(file).includes(longest);
  }
}
