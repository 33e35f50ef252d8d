import { posix } from 'node:path';
import { isFolderOf } from '../appliers/deploy-source';
import type { DeploySource } from '../appliers/deploy-source';
import { addToGroup } from '../core/group-by';
import { trimEndCharacter } from '../core/trim-end';
import { isIgnoredByName } from '../input/ignore-files';
import type { TreeMarker } from '../input/input-tree';
import { readKustomization } from '../input/kustomization';
import { CHART_FILE, KUSTOMIZATION_FILES } from '../input/marker-files';
import type { PlanInput } from '../plan/plan-input';

/** Returns the path of a file of a revision or of the checkout: `git:HEAD:apps/web.yaml` is `apps/web.yaml`. */
function toPath(file: string): string {
  return posix.normalize(file.replace(/^git:[^:]*:/, ''));
}

/** Lists the folders around a path, the nearest first. */
function listFolders(path: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(path); !folders.includes(folder); folder = posix.dirname(folder)) folders.push(folder);
  return folders;
}

/** Names that kustomize-controller reads in a folder without a kustomization. Source: fluxcd/pkg/kustomize v1.18, `scanManifests`. */
const FLUX_NAME = /\.ya?ml$/;

/** Names that Argo CD reads in a folder. Source: Argo CD v3.1 reposerver/repository/repository.go, `manifestFile`. */
const ARGO_CD_NAME = /\.(?:yaml|yml|json|jsonnet)$/;

/** Which files of one side of a change the tools read that deploy folders. */
export class DeployedFiles {
  private readonly kustomizations = new Set<string>();
  private readonly charts = new Set<string>();
  /** Folders of the kustomizations that include a path. */
  private readonly including = new Map<string, string[]>();
  private readonly ignoreFiles: { readonly folder: string; readonly marker: TreeMarker }[] = [];
  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor({ tree }: Pick<PlanInput, 'tree'>) {
    for (const [key, markers] of tree?.markers ?? []) {
      for (const marker of markers) {
        const folder = posix.dirname(toPath(marker.file));
        if (marker.ignores) this.ignoreFiles.push({ folder, marker });
        if (posix.basename(key) === CHART_FILE) this.charts.add(folder);
        if (!KUSTOMIZATION_FILES.includes(posix.basename(key))) continue;
        this.kustomizations.add(folder);
        for (const entry of readKustomization(marker.meaning).entries) {
          addToGroup(this.including, trimEndCharacter(posix.join(folder, entry), '/'), folder);
        }
      }
    }
  }

  /** Reports whether a tool leaves out a file because of its name, or of an ignore file around it. */
  isIgnoredBy(tool: string, file: string): boolean {
    const path = toPath(file);
    if (isIgnoredByName(tool, path)) return true;
    return this.ignoreFiles.some(
      ({ folder, marker }) => marker.tool === tool && path.startsWith(`${folder}/`) && marker.ignores!(path.slice(folder.length + 1)),
    );
  }

  /** Lists the names of the folders that may apply a file: those around it, and those of the kustomizations that include it. */
  listNames(file: string): readonly string[] {
    const path = toPath(file);
    return [...new Set(['', ...[path, ...this.includingOf(path)].flatMap((each) => each.split('/'))])];
  }

  /** Reports whether a file is among those that an object of Flux or Argo CD makes it apply. */
  areReadBy(source: DeploySource, file: string): boolean {
    const path = toPath(file);
    const isFlux = source.applier.mode === 'flux';
    const including = this.includingOf(path);
    if (isFlux && this.isIgnoredBy('Flux', path)) return false;
    const isRead = (isFlux ? FLUX_NAME : ARGO_CD_NAME).test(path);
    if (source.folder === '') return isRead || including.size > 0;
    if ([...including].some((folder) => isFolderOf(source, folder))) return true;
    const folders = listFolders(path);
    const roots = folders.filter((folder) => isFolderOf(source, folder) && !this.kustomizations.has(folder));
    if (roots.some((folder) => this.charts.has(folder))) return true;
    if (!isFlux) return isRead && roots.some((folder) => source.readsOneFolder !== true || folder === folders[0]);
    return [path, ...including].some((start) => this.isInGenerated(start, source, isRead));
  }

  /** Reports whether kustomize-controller finds a file or a kustomization below the folder of a source that has no kustomization of its own. */
  private isInGenerated(start: string, source: DeploySource, isRead: boolean): boolean {
    const isKustomization = this.kustomizations.has(start);
    const folders = listFolders(start);
    return folders.some((folder, index) => {
      if (!isFolderOf(source, folder) || this.kustomizations.has(folder)) return false;
      // It does not look below a folder with a kustomization.
      return (isKustomization || isRead) && !folders.slice(0, index).some((between) => this.kustomizations.has(between));
    });
  }

  /** Returns the folders of the kustomizations that include a file, directly or through others. */
  private includingOf(path: string): ReadonlySet<string> {
    const known = this.known.get(path);
    if (known) return known;
    const found = new Set(this.including.get(path) ?? []);
    // A set also visits what is added on the way.
    for (const folder of found) for (const outer of this.including.get(folder) ?? []) found.add(outer);
    this.known.set(path, found);
    return found;
  }
}
