import { posix } from 'node:path';
import { matchesPattern } from '../core/path-pattern';
import { trimEndCharacter } from '../core/trim-end';
import type { ApplyUnit } from '../core/apply-unit';
import { isChainsawTest, isExpectationFileName, isClusterTestFile, readChainsawTest } from './cluster-tests';
import type { KustomizationData } from '../core/rules/kustomization';
import { readKustomization } from './kustomization';
import type { Kustomization } from './kustomization';
import { mergeAddedLabels } from './kustomize-labels';
import type { AddedLabels } from './kustomize-labels';

/** The names of a kustomization. */
export const KUSTOMIZATION_FILES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
export const CHART_FILE = 'Chart.yaml';
/** Files that make their folder a unit. */
export const MARKER_FILES: ReadonlySet<string> = new Set([...KUSTOMIZATION_FILES, CHART_FILE, 'fleet.yaml', 'fleet.yml']);

/** Values of a chart, which may have keys `apiVersion` and `kind` of their own: those beside it, and those in `ci` with which chart-testing installs it. */
const VALUES_FILE = /^values.*\.ya?ml$|^ci\//;

export function isMarker(name: string): boolean {
  return MARKER_FILES.has(name);
}

/** What the files around a file make of it. */
export interface FileContext {
  readonly unit: ApplyUnit;
  /** The folder of the Helm chart whose template it is, as reached from the PATH given: of a chart within a chart the outer one. */
  readonly chart?: string;
  /** The kustomization that it is, where its files do not say what comes of it. */
  readonly unbuilt?: KustomizationData;
  /** Does a kustomization, or a test of chainsaw, name it as a patch? */
  readonly isPatch: boolean;
  /** Does it hold values for the templates of the Helm chart around it? */
  readonly isValues?: boolean;
  /** Does it hold what a test of kuttl or chainsaw expects to find in the cluster? */
  readonly isExpectation?: boolean;
  /** Does a kustomization name it as a resource, and so read it strictly? */
  readonly isResource?: boolean;
  /** May workloads without selector or containers be patches here: does a kustomization around it take in what stands elsewhere, or a test change what is there? */
  readonly mayPatch: boolean;
  /** What labels the kustomization that names it, and those that take in that one, put on its objects. @default - none */
  readonly labels?: AddedLabels;
}

/** The folders from that of a file up to the one at which the layout begins, which is empty. */
function listAncestorFolders(file: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) folders.push(folder);
  return [...folders, ''];
}

function resolveInFolder(folder: string, path: string): string {
  return posix.normalize(folder === '' ? path : `${folder}/${path}`);
}

/** The paths below the layout that a test names from its folder, patterns among them. */
class FilePatternSet {
  private readonly paths = new Set<string>();
  private readonly patterns: string[] = [];

  add(folder: string, named: readonly string[]): void {
    for (const name of named) {
      const path = resolveInFolder(folder, name);
      if (/[*?]/.test(path)) this.patterns.push(path);
      else this.paths.add(path);
    }
  }

  has(file: string): boolean {
    return this.paths.has(file) || this.patterns.some((pattern) => matchesPattern(pattern, file));
  }
}

/** A path without the slashes at its end: `charts//` is `charts`. */
export function stripTrailingSlashes(path: string): string {
  return trimEndCharacter(path, '/');
}

/** `below('charts/', 'web')` is `charts/web`; of a folder itself nothing stands behind. */
function joinPath(base: string, folder: string): string {
  return folder === '' ? base : `${stripTrailingSlashes(base)}/${folder}`;
}

/** A chart in the folder `charts` of another one is rendered with that. */
function findOutermostChart(chart: string, charts: ReadonlySet<string>): string {
  const parent = listAncestorFolders(chart).find((folder) => charts.has(folder) && chart.startsWith(resolveInFolder(folder, 'charts/')));
  return parent === undefined ? chart : findOutermostChart(parent, charts);
}

/**
 * What labels reach a file. Of several kustomizations that take in the same one the first counts: where `overlays/dev` and `overlays/prod`
 * take in `base`, each with a label, the files of `base` are planned with that of `overlays/dev`.
 */
function buildLabelLookup(kustomizations: ReadonlyMap<string, Kustomization>): (file: string) => AddedLabels | undefined {
  const parentFolderOf = new Map<string, string>();
  for (const [folder, { entries }] of kustomizations) {
    for (const path of entries) {
      const included = stripTrailingSlashes(resolveInFolder(folder, path));
      if (!parentFolderOf.has(included)) parentFolderOf.set(included, folder);
    }
  }
  return (file) => {
    const seen = new Set<string>();
    let added: AddedLabels | undefined;
    for (
      let parentFolder = parentFolderOf.get(file);
      parentFolder !== undefined && !seen.has(parentFolder);
      parentFolder = parentFolderOf.get(parentFolder)
    ) {
      seen.add(parentFolder);
      const labels = kustomizations.get(parentFolder)!.labels;
      if (labels) added = added ? mergeAddedLabels(added, labels) : labels;
    }
    return added;
  };
}

/** The folders of kustomizations whose files do not say what comes of them, and that no other one takes in. */
function findUnbuiltFolders(kustomizations: ReadonlyMap<string, Kustomization>): ReadonlyMap<string, Kustomization> {
  const included = new Set<string>();
  for (const [folder, { entries }] of kustomizations)
    for (const path of entries) included.add(stripTrailingSlashes(resolveInFolder(folder, path)));
  const topLevel = [...kustomizations].filter(
    ([folder, { hasExternalEntries, changesObjects, isComponent }]) =>
      (hasExternalEntries || changesObjects) && !isComponent && !included.has(folder),
  );
  return new Map(topLevel);
}

/**
 * What the files below a folder are to each other.
 *
 * @param files - all of them, by their paths below the folder
 * @param read - the text of one of them; undefined where it cannot be had
 * @param root - the unit of those that lie in no marked folder below
 * @param shown - a folder below it as the files in it are shown. @default - behind the name of the unit, with a slash
 */
export function buildLayout(
  files: readonly string[],
  read: (file: string) => string | undefined,
  root: ApplyUnit,
  displayNameOf: (folder: string) => string = (folder) => joinPath(root.name, folder),
): (file: string) => FileContext {
  const marked = new Set<string>();
  const charts = new Set<string>();
  const patchingFolders = new Set<string>();
  const kustomizations = new Map<string, Kustomization>();
  const patches = new FilePatternSet();
  const expectations = new FilePatternSet();
  const resources = new Set<string>();
  for (const file of files) {
    const name = posix.basename(file);
    const folder = listAncestorFolders(file)[0]!;
    if (isClusterTestFile(name)) patchingFolders.add(folder);
    if (isChainsawTest(name)) {
      const test = readChainsawTest(read(file) ?? '');
      expectations.add(folder, test.expectations);
      patches.add(folder, test.patches);
    }
    if (!isMarker(name)) continue;
    marked.add(folder);
    if (name === CHART_FILE) charts.add(folder);
    if (!KUSTOMIZATION_FILES.includes(name)) continue;
    const kustomization = readKustomization(read(file) ?? '');
    kustomizations.set(folder, kustomization);
    if (kustomization.hasExternalEntries) patchingFolders.add(folder);
    patches.add(folder, kustomization.patches);
    for (const resource of kustomization.resources) resources.add(resolveInFolder(folder, resource));
  }

  const unbuilt = findUnbuiltFolders(kustomizations);
  const labelsOf = buildLabelLookup(kustomizations);

  const units = new Map<string, ApplyUnit>();
  const unitOf = (folders: readonly string[]): ApplyUnit => {
    const index = folders.findIndex((folder) => folder !== '' && marked.has(folder));
    if (index < 0) return root;
    const folder = folders[index]!;
    const known = units.get(folder);
    if (known) return known;
    const unit = {
      id: joinPath(root.id, folder),
      name: displayNameOf(folder),
      hasMarkerFile: true,
      isNamedInput: false,
      parent: unitOf(folders.slice(index + 1)),
    };
    units.set(folder, unit);
    return unit;
  };

  return (file) => {
    const folders = listAncestorFolders(file);
    const enclosingChart = folders.find((folder) => charts.has(folder));
    const kustomization = KUSTOMIZATION_FILES.includes(posix.basename(file)) ? unbuilt.get(folders[0]!) : undefined;
    const labels = labelsOf(file);
    const chart = folders.find((folder) => charts.has(folder) && file.startsWith(resolveInFolder(folder, 'templates/')));
    return {
      unit: unitOf(folders),
      ...(chart !== undefined && { chart: displayNameOf(findOutermostChart(chart, charts)) }),
      ...(kustomization && {
        unbuilt: { folder: displayNameOf(folders[0]!), ...(kustomization.hasOnlyPatches && { patchesAlone: true }) },
      }),
      isPatch: patches.has(file),
      isValues: enclosingChart !== undefined && VALUES_FILE.test(enclosingChart === '' ? file : file.slice(enclosingChart.length + 1)),
      isExpectation: isExpectationFileName(posix.basename(file)) || expectations.has(file),
      isResource: resources.has(file),
      mayPatch: folders.some((folder) => patchingFolders.has(folder)),
      ...(labels && { labels }),
    };
  };
}
