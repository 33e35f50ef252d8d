import { checkTime } from '../core/budget/deadline';
import { groupBy } from '../core/collections/group-by';
import { describeObject, nameOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { findMax } from '../core/values/min-max';
import { isNamedByLabels, listFoldersOf, listLabeledNames } from './deploy-source';
import type { DeploySource } from './deploy-source';
import { SourceFolderIndex } from './source-folder-index';

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

/** Finds the sources that apply objects, among thousands of both. */
export class DeploySourceLookup {
  private readonly objects: ReadonlySet<Manifest>;
  private readonly byName: ReadonlyMap<string, readonly DeploySource[]>;
  private readonly folders: SourceFolderIndex;
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
    this.folders = new SourceFolderIndex(sources);
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
    const listed = this.findLongest(names) ?? this.folders.listOf('');
    this.known.set(key, listed);
    return listed;
  }

  /** Finds the sources whose folders share the most names with a folder of the input. Two are as many as it takes to see that none is the only one. */
  private findLongest(names: readonly string[]): readonly DeploySource[] | undefined {
    const { lengths } = this.folders;
    for (let length = Math.min(names.length, findMax(lengths, 0)); length > 0; length--) {
      const around = names.slice(0, length).join('/');
      const found = new Set(this.folders.listEndingWith(around).slice(0, 2));
      for (let start = 0; lengths.has(length) && start + length <= names.length; start++) {
        checkTime();
        for (const source of this.folders.listOf(names.slice(start, start + length).join('/')).slice(0, 2)) found.add(source);
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
