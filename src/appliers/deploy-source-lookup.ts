import { checkTime } from '../core/budget/deadline';
import { addToGroup, groupBy } from '../core/collections/group-by';
import { describeObject, nameOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { findMax } from '../core/values/min-max';
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

/** Finds the sources that apply objects, among thousands of both. */
export class DeploySourceLookup {
  private readonly objects: ReadonlySet<Manifest>;
  private readonly byName: ReadonlyMap<string, readonly DeploySource[]>;
  private readonly byFolder = new Map<string, DeploySource[]>();
  /** The sources by each end of their folders, as the given PATH may begin further inside the repository. */
  private readonly byEnd = new Map<string, DeploySource[]>();
  /** Numbers of names that their folders have. */
  private readonly lengths = new Set<number>();
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
      const ends = source.folder === '' ? [] : listEnds(source.folder);
      if (ends.length > 0) this.lengths.add(ends.length);
      for (const end of ends) addToGroup(this.byEnd, end, source);
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
    const listed = this.findLongest(names) ?? this.byFolder.get('') ?? [];
    this.known.set(key, listed);
    return listed;
  }

  /** Finds the sources whose folders share the most names with a folder of the input. Two are as many as it takes to see that none is the only one. */
  private findLongest(names: readonly string[]): readonly DeploySource[] | undefined {
    for (let length = Math.min(names.length, findMax(this.lengths, 0)); length > 0; length--) {
      const around = names.slice(0, length).join('/');
      const found = new Set((this.byEnd.get(around) ?? []).slice(0, 2));
      for (let start = 0; this.lengths.has(length) && start + length <= names.length; start++) {
        checkTime();
        for (const source of (this.byFolder.get(names.slice(start, start + length).join('/')) ?? []).slice(0, 2)) found.add(source);
      }
      if (found.size > 0) return [...found];
    }
    return undefined;
  }

  /** Reports whether a file of the input is in the folder of the only source. */
  private isFolderRead(): boolean {
    const isRead = (file: string) => this.listByFolder(listFoldersOf(file)).length > 0;
    this.isOnlyFolderRead ??= this.files === undefined || this.files().some(isRead);
    return this.isOnlyFolderRead;
  }
}
