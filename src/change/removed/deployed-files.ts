import { posix } from 'node:path';
import { toCheckoutPath } from '../../core/sources/checkout-path';
import { findRepositoryRoot } from '../../appliers/deploy-source';
import type { DeploySource } from '../../appliers/deploy-source';
import { checkTimeNow } from '../../core/budget/deadline';
import { addToGroup } from '../../core/collections/group-by';
import { trimEndCharacters } from '../../core/text/trim-end';
import { listAncestorFolders } from '../../input/folder-paths';
import { isIgnoredByName } from '../../input/ignore-files';
import type { TreeMarker } from '../../input/input-tree';
import { readKustomization } from '../../input/kustomize/kustomization';
import { CHART_FILE, KUSTOMIZATION_FILES } from '../../input/marker-files';
import type { PlanInput } from '../../plan/plan-input';

function toPath(file: string): string {
  return posix.normalize(toCheckoutPath(file));
}

/** Lists the folders around a path, the nearest first. The outermost one is `.`. */
function listFolders(path: string): string[] {
  return listAncestorFolders(path).map((folder) => folder || '.');
}

/** Names that kustomize-controller reads in a folder without a kustomization. Source: fluxcd/pkg/kustomize v1.18, `scanManifests`. */
const FLUX_NAME = /\.ya?ml$/;

/** Names that Argo CD reads in a folder. Source: Argo CD v3.1 reposerver/repository/repository.go, `manifestFile`. */
const ARGO_CD_NAME = /\.(?:yaml|yml|json|jsonnet)$/;

/** A file or a folder, by its path, and by its path below the given PATH. */
interface Place {
  readonly path: string;
  readonly below: string;
}

/** Which files of one side of a change the tools read that deploy folders. All paths are below the given PATH. */
export class DeployedFiles {
  private readonly kustomizations = new Set<string>();
  private readonly charts = new Set<string>();
  /** Folders of the kustomizations that include a path. */
  private readonly including = new Map<string, string[]>();
  /** Ignore files, by their folder. */
  private readonly ignoreFiles = new Map<string, TreeMarker[]>();
  private readonly isIgnored = new Map<string, boolean>();
  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor(private readonly input: Pick<PlanInput, 'tree'>) {
    for (const [key, markers] of input.tree?.markers ?? []) {
      const folder = posix.dirname(key);
      for (const marker of markers) {
        if (marker.ignores) addToGroup(this.ignoreFiles, folder, marker);
        if (posix.basename(key) === CHART_FILE) this.charts.add(folder);
        if (!KUSTOMIZATION_FILES.includes(posix.basename(key))) continue;
        this.kustomizations.add(folder);
        for (const entry of readKustomization(marker.meaning).entries)
          addToGroup(this.including, trimEndCharacters(posix.join(folder, entry), '/'), folder);
      }
    }
  }

  /** Reports whether a tool leaves out a file because of its name, or of an ignore file around it. */
  isIgnoredBy(tool: string, file: string): boolean {
    const { below } = this.placeOf(file);
    const key = `${tool} ${below}`;
    const known = this.isIgnored.get(key) ?? (isIgnoredByName(tool, below) || this.isIgnoredByFile(tool, below));
    this.isIgnored.set(key, known);
    return known;
  }

  private isIgnoredByFile(tool: string, below: string): boolean {
    return listFolders(below).some((folder) => {
      const path = folder === '.' ? below : below.slice(folder.length + 1);
      return this.ignoreFiles.get(folder)?.some((marker) => marker.tool === tool && marker.ignores!(path));
    });
  }

  /** Lists the names of the folders that may apply a file: those around it, and those of the kustomizations that include it. */
  listNames(file: string): readonly string[] {
    const { path, below } = this.placeOf(file);
    return [...new Set(['', ...[path, ...this.includingOf(below)].flatMap((each) => each.split('/'))])];
  }

  /** Lists the folders from which a tool may apply a file: those around it, and around the kustomizations that include it. */
  listFoldersAround(file: string): readonly string[] {
    const { path, below } = this.placeOf(file);
    const prefix = path.slice(0, path.length - below.length);
    const including = [...this.includingOf(below)].flatMap((folder) => [folder, ...listFolders(folder)]);
    return [...new Set([...listFolders(path), ...including.map((folder) => prefix + folder)])];
  }

  /**
   * Returns the folders in which the repository may begin, so that a file is among those that an object of Flux or Argo CD makes it apply. There
   * are none if it does not apply the file.
   */
  findRootsReadBy(source: DeploySource, file: string): readonly string[] {
    checkTimeNow();
    const { path, below } = this.placeOf(file);
    const isFlux = source.applier.mode === 'flux';
    const including = [...this.includingOf(below)];
    if (isFlux && this.isIgnoredBy('Flux', file)) return [];
    const isRead = (isFlux ? FLUX_NAME : ARGO_CD_NAME).test(below);
    if (source.folder === '') return isRead || including.length > 0 ? [''] : [];
    // The names of the given PATH are before the path below it.
    const prefix = path.slice(0, path.length - below.length);
    const rootOf = (folder: string) => findRepositoryRoot(source, prefix + folder, folder === '.' ? '' : folder);
    const folders = listFolders(below);
    const generated = (start: string) => this.listGeneratedBy(start, isFlux, source.readsOneFolder === true);
    const starts = isFlux ? including.flatMap(generated) : [];
    const applied = [...including, ...folders.filter((folder) => this.charts.has(folder)), ...starts, ...(isRead ? generated(below) : [])];
    return applied.flatMap((folder) => rootOf(folder) ?? []);
  }

  /**
   * Lists the folders without a kustomization from which a tool applies a file, or a folder with a kustomization: Flux also from the folders
   * around it, up to one below a kustomization, and Argo CD from any around it, or only from the nearest.
   */
  private listGeneratedBy(start: string, isFlux: boolean, isOneFolder: boolean): readonly string[] {
    const folders = listFolders(start);
    const first = folders.findIndex((folder) => this.kustomizations.has(folder));
    if (isFlux) return first < 0 ? folders : folders.slice(0, first);
    return (isOneFolder ? folders.slice(0, 1) : folders).filter((folder) => !this.kustomizations.has(folder));
  }

  /** Returns the folders of the kustomizations that include a file, directly or through others. */
  private includingOf(below: string): ReadonlySet<string> {
    const known = this.known.get(below);
    if (known) return known;
    const found = new Set(this.including.get(below) ?? []);
    // A set also visits what is added on the way.
    for (const folder of found) for (const outer of this.including.get(folder) ?? []) found.add(outer);
    this.known.set(below, found);
    return found;
  }

  private placeOf(file: string): Place {
    const path = toPath(file);
    const below = this.input.tree?.paths.get(file);
    return { path, below: below === undefined ? path : posix.normalize(below) };
  }
}
