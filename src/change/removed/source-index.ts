import { normalizeFolder } from '../../appliers/deploy-source';
import type { DeploySource } from '../../appliers/deploy-source';
import { SourceFolderIndex, listEnds } from '../../appliers/source-folder-index';
import { checkTime } from '../../core/budget/deadline';
import type { DeployedFiles } from './deployed-files';

/** Finds the objects that make their tool apply a file. */
export class SourceIndex {
  private readonly folders: SourceFolderIndex;
  private readonly positions: ReadonlyMap<DeploySource, number>;

  constructor(
    sources: readonly DeploySource[],
    private readonly files: DeployedFiles,
  ) {
    this.positions = new Map(sources.map((source, index) => [source, index]));
    this.folders = new SourceFolderIndex(sources);
  }

  /** Returns the sources that make their tool apply a file, in their order. */
  findSourcesOf(file: string): readonly DeploySource[] {
    if (this.positions.size === 0) return [];
    const candidates = new Set(this.folders.listOf(''));
    for (const folder of new Set(this.files.listFoldersAround(file).map(normalizeFolder))) {
      checkTime();
      for (const source of this.folders.listEndingWith(folder)) candidates.add(source);
      for (const end of listEnds(folder)) for (const source of this.folders.listOf(end)) candidates.add(source);
    }
    const found = [...candidates].filter((source) => this.files.findRootsReadBy(source, file).length > 0);
    return found.toSorted((a, b) => this.positions.get(a)! - this.positions.get(b)!);
  }
}
