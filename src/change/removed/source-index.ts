import { normalizeFolder } from '../../appliers/deploy-source';
import type { DeploySource } from '../../appliers/deploy-source';
import { listEnds } from '../../appliers/deploy-source-lookup';
import { checkTime } from '../../core/deadline';
import { addToGroup } from '../../core/group-by';
import type { DeployedFiles } from './deployed-files';

/** Objects that make a tool apply a folder, by that folder, since thousands of them may be in view. */
export class SourceIndex {
  private readonly byFolder = new Map<string, DeploySource[]>();
  /** The sources by each end of their folders, as the given PATH may begin further inside the repository. */
  private readonly byEnd = new Map<string, DeploySource[]>();
  private readonly positions: ReadonlyMap<DeploySource, number>;

  constructor(
    sources: readonly DeploySource[],
    private readonly files: DeployedFiles,
  ) {
    this.positions = new Map(sources.map((source, index) => [source, index]));
    for (const source of sources) {
      if (source.folder === undefined) continue;
      addToGroup(this.byFolder, source.folder, source);
      for (const end of listEnds(source.folder)) addToGroup(this.byEnd, end, source);
    }
  }

  /** Returns the sources that make their tool apply a file, in their order. */
  findSourcesOf(file: string): readonly DeploySource[] {
    if (this.positions.size === 0) return [];
    const candidates = new Set(this.byFolder.get(''));
    for (const folder of new Set(this.files.listFoldersAround(file).map(normalizeFolder))) {
      checkTime();
      for (const source of this.byEnd.get(folder) ?? []) candidates.add(source);
      for (const end of listEnds(folder)) for (const source of this.byFolder.get(end) ?? []) candidates.add(source);
    }
    const found = [...candidates].filter((source) => this.files.findRootsReadBy(source, file).length > 0);
    return found.toSorted((a, b) => this.positions.get(a)! - this.positions.get(b)!);
  }
}
