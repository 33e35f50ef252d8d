import { addToGroup } from '../core/collections/group-by';
import type { DeploySource } from './deploy-source';

/** Maximum length of a path on Linux, where the tools check out repositories. */
const MAX_PATH = 4_096;

/** Lists the ends of a path: `a/b/c`, `b/c` and `c`. There are none of a path that no repository can have. */
export function listEnds(path: string): readonly string[] {
  if (path.length > MAX_PATH) return [];
  const ends = [path];
  // A part of a text takes no memory for its characters.
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) ends.push(path.slice(slash + 1));
  return ends;
}

const NO_SOURCES: readonly DeploySource[] = [];

/** Sources by their folders, since thousands of them may be in view. */
export class SourceFolderIndex {
  private readonly byFolder = new Map<string, DeploySource[]>();
  private readonly byEnd = new Map<string, DeploySource[]>();
  /** Numbers of names that the folders have. That of the root has none. */
  readonly lengths: ReadonlySet<number>;

  constructor(sources: readonly DeploySource[]) {
    const lengths = new Set<number>();
    for (const source of sources) {
      if (source.folder === undefined) continue;
      addToGroup(this.byFolder, source.folder, source);
      const ends = source.folder === '' ? [] : listEnds(source.folder);
      if (ends.length > 0) lengths.add(ends.length);
      for (const end of ends) addToGroup(this.byEnd, end, source);
    }
    this.lengths = lengths;
  }

  /** Returns the sources of a folder, which is empty for the root. */
  listOf(folder: string): readonly DeploySource[] {
    return this.byFolder.get(folder) ?? NO_SOURCES;
  }

  /** Returns the sources whose folders end with a path, since the given PATH may begin further inside the repository. */
  listEndingWith(path: string): readonly DeploySource[] {
    return this.byEnd.get(path) ?? NO_SOURCES;
  }
}
