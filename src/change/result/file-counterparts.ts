import { toCheckoutPath } from '../../core/sources/checkout-path';

/** Lists the ends of a path, the longest first: `a/b.yaml` and `b.yaml`. */
function listPathEnds(file: string): readonly string[] {
  const names = toCheckoutPath(file).split('/');
  return names.map((_, index) => names.slice(index).join('/'));
}

/** Files of NEW, by which a file of OLD is found again: under its own path, or under the one with the longest common end. */
export class FileCounterparts {
  private readonly ends: ReadonlySet<string>;

  constructor(files: Iterable<string>) {
    this.ends = new Set([...files].flatMap(listPathEnds));
  }

  /** Reports whether a file of NEW may be a file of OLD. If NEW has none of its name, any of them may be. */
  mayBe(oldFile: string | undefined, newFile: string | undefined): boolean {
    if (oldFile === undefined || newFile === undefined) return true;
    const longest = listPathEnds(oldFile).find((end) => this.ends.has(end));
    return longest === undefined || listPathEnds(newFile).includes(longest);
  }
}
