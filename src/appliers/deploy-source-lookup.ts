import { addToGroup, groupBy } from '../core/group-by';
import { describeObject, nameOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { isNamedByLabels, listFoldersOf, listLabeledNames } from './deploy-source';
import type { DeploySource } from './deploy-source';

/** An object that a source may apply. */
export interface SourceQuery {
  readonly next: Manifest;
  readonly live?: Manifest;
  /** File of NEW, relative to the given PATH. */
  readonly file?: string;
}

/** The source that applies an object, and why. */
export interface FoundSource {
  readonly source: DeploySource;
  readonly because: string;
}

/** Lists the ends of a path: `a/b/c`, `b/c` and `c`. */
export function listEnds(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(index).join('/'));
}

/** Finds the sources that apply objects, among thousands of both. */
export class DeploySourceLookup {
  private readonly objects: ReadonlySet<Manifest>;
  private readonly byName: ReadonlyMap<string, readonly DeploySource[]>;
  private readonly byFolder = new Map<string, DeploySource[]>();
  /** The sources by each end of their folders, as the given PATH may begin further inside the repository. */
  private readonly byEnd = new Map<string, DeploySource[]>();
  private readonly positions: ReadonlyMap<DeploySource, number>;
  /** The sources of the files of a folder. */
  private readonly known = new Map<string, readonly DeploySource[]>();
  private isOnlyFolderRead: boolean | undefined;

  /** @param files - the files of the input, if a single source whose folder none of them is in applies all of them. @default - it does not */
  constructor(
    private readonly sources: readonly DeploySource[],
    private readonly files?: () => readonly string[],
  ) {
    this.objects = new Set(sources.map(({ object }) => object));
    this.byName = groupBy(sources, ({ object }) => nameOf(object));
    this.positions = new Map(sources.map((source, index) => [source, index]));
    for (const source of sources) {
      if (source.folder === undefined) continue;
      addToGroup(this.byFolder, source.folder, source);
      if (source.folder !== '') for (const end of listEnds(source.folder)) addToGroup(this.byEnd, end, source);
    }
  }

  /**
   * Returns the source that applies an object. The labels of the live object decide, then the folder of its file.
   *
   * If the input contains one source only, and its folder is not part of the input, it is assumed to apply what is.
   */
  find({ next, live, file }: SourceQuery): FoundSource | undefined {
    if (this.sources.length === 0 || this.objects.has(next)) return undefined;
    const named = this.findNamed(live ? [live, next] : [next]);
    if (named) return { source: named, because: `${describeObject(named.object)} applied it` };
    const [first, second] = file === undefined ? [] : this.listByFolder(listFoldersOf(file));
    if (first && !second) return { source: first, because: `${describeObject(first.object)} applies its folder` };
    const [only, another] = this.sources;
    if (!first && only && !another && only.folder !== '' && only.mayApply?.(next) !== false && !this.isFolderRead())
      return { source: only, because: `${describeObject(only.object)} is in view` };
    return undefined;
  }

  /** Returns the first source that the labels of an object name. */
  private findNamed(objects: readonly Manifest[]): DeploySource | undefined {
    let found: DeploySource | undefined;
    for (const object of objects) {
      for (const source of listLabeledNames(object).flatMap((name) => this.byName.get(name) ?? [])) {
        const isBefore = found === undefined || this.positions.get(source)! < this.positions.get(found)!;
        if (isBefore && isNamedByLabels(source, object)) found = source;
      }
    }
    return found;
  }

  /**
   * Lists the sources whose folders share the most names with a folder of the input: the ends of one of the folders around it, or folders that
   * end with one of these. The root of the repository is not known, so `new` may be `24-argo/new`.
   */
  private listByFolder(names: readonly string[]): readonly DeploySource[] {
    const key = names.join('/');
    const known = this.known.get(key);
    if (known) return known;
    const ends = new Set(names.flatMap((_, index) => listEnds(names.slice(0, index + 1).join('/'))));
    const around = new Set(names.map((_, index) => names.slice(0, index + 1).join('/')));
    const found = new Map<number, Set<DeploySource>>();
    for (const end of ends) {
      const length = end.split('/').length;
      const sources = found.get(length) ?? new Set();
      found.set(length, sources);
      // Two are as many as it takes to see that none is the only one.
      for (const source of (this.byFolder.get(end) ?? []).slice(0, 2)) sources.add(source);
      if (around.has(end)) for (const source of (this.byEnd.get(end) ?? []).slice(0, 2)) sources.add(source);
    }
    const longest = [...found].filter(([, sources]) => sources.size > 0).toSorted(([a], [b]) => b - a)[0]?.[1];
    const listed = longest ? [...longest] : (this.byFolder.get('') ?? []);
    this.known.set(key, listed);
    return listed;
  }

  /** Reports whether a file of the input is in the folder of the only source. */
  private isFolderRead(): boolean {
    const isRead = (file: string) => this.listByFolder(listFoldersOf(file)).length > 0;
    this.isOnlyFolderRead ??= this.files === undefined || this.files().some(isRead);
    return this.isOnlyFolderRead;
  }
}
