import { addToGroup } from '../core/group-by';
import { posix } from 'node:path';
import { matchesPattern } from '../core/path-pattern';
import { trimEndCharacter } from '../core/trim-end';
import type { ApplyUnit } from '../core/apply-unit';
import { isChainsawTest, isExpectationFileName, isClusterTestFile, readChainsawTest } from './cluster-tests';
import type { KustomizationData } from '../core/rules/kustomization';
import { readKustomization } from './kustomization';
import type { Kustomization } from './kustomization';
import { readFleetNamespaces, SetNamespaces } from './set-namespaces';
import { mergeAddedLabels } from './kustomize-labels';
import type { AddedLabels } from './kustomize-labels';

/** File names of a kustomization. */
export const KUSTOMIZATION_FILES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
export const CHART_FILE = 'Chart.yaml';
const FLEET_FILES: readonly string[] = ['fleet.yaml', 'fleet.yml'];
/** Files that make their folder an apply unit. */
export const MARKER_FILES: ReadonlySet<string> = new Set([...KUSTOMIZATION_FILES, CHART_FILE, ...FLEET_FILES]);

/** Values files of a chart, which may have their own keys `apiVersion` and `kind`: next to `Chart.yaml`, and in `ci` for chart-testing. */
const VALUES_FILE = /^values.*\.ya?ml$|^ci\//;

export function isMarker(name: string): boolean {
  return MARKER_FILES.has(name);
}

/** Role that the files around a file give it. */
export interface FileContext {
  readonly unit: ApplyUnit;
  /** Folder of the Helm chart if the file is a template, relative to the given PATH. For a chart inside a chart it is the outer one. */
  readonly chart?: string;
  /** Kustomization, if the file is one and its files do not show what it builds. */
  readonly unbuilt?: KustomizationData;
  /** Kustomization, if the file is one that changes objects or includes what is not in the layout. No file shows these objects. */
  readonly changing?: KustomizationData;
  /** Whether a kustomization or a chainsaw test uses it as a patch. */
  readonly isPatch: boolean;
  /** Whether it contains values for the Helm chart around it. */
  readonly isValues?: boolean;
  /** Whether it contains the objects that a kuttl or chainsaw test expects in the cluster. */
  readonly isExpectation?: boolean;
  /** Whether a kustomization lists it as a resource, and therefore reads it strictly. */
  readonly isResource?: boolean;
  /** Whether workloads without selector or containers may be patches: a kustomization here includes another folder, or a test changes existing objects. */
  readonly mayPatch: boolean;
  /** Whether its folder or one around it has a kustomization, which may read it as a patch. @default false */
  readonly isBesideKustomization?: boolean;
  /** Namespaces that the kustomizations that include it, or the fleet.yaml around it, may give to its objects. @default - none */
  readonly setNamespaces?: readonly string[];
  /** Labels that the kustomization that lists it adds to its objects, and those that the kustomizations around that one add. @default - none */
  readonly labels?: AddedLabels;
}

/** Lists the folders from that of a file up to the root of the layout, which is the empty string. */
function listAncestorFolders(file: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) folders.push(folder);
  return [...folders, ''];
}

function resolveInFolder(folder: string, path: string): string {
  return posix.normalize(folder === '' ? path : `${folder}/${path}`);
}

/** Returns the path of what a kustomization includes, relative to the root of the layout, which is the empty string. */
function resolveIncluded(folder: string, path: string): string {
  return stripTrailingSlashes(resolveInFolder(folder, path)).replace(/^\.$/, '');
}

/** Set of paths, which may be patterns, that files refer to relative to their own folder. */
class FilePatternSet {
  private readonly paths = new Set<string>();
  private readonly patterns: string[] = [];

  add(folder: string, references: readonly string[]): void {
    for (const reference of references) {
      const path = resolveInFolder(folder, reference);
      if (/[*?]/.test(path)) this.patterns.push(path);
      else this.paths.add(path);
    }
  }

  has(file: string): boolean {
    return this.paths.has(file) || this.patterns.some((pattern) => matchesPattern(pattern, file));
  }
}

/** Removes the slashes at the end of a path: `charts//` is `charts`. */
export function stripTrailingSlashes(path: string): string {
  return trimEndCharacter(path, '/');
}

/** Joins a path and a folder below it: `joinPath('charts/', 'web')` is `charts/web`, and `joinPath('charts/', '')` is `charts/`. */
function joinPath(base: string, folder: string): string {
  return folder === '' ? base : `${stripTrailingSlashes(base)}/${folder}`;
}

/** Returns the outermost chart that renders a chart. A chart in the folder `charts` of another one is rendered with it. */
function findOutermostChart(chart: string, charts: ReadonlySet<string>): string {
  const parent = listAncestorFolders(chart).find((folder) => charts.has(folder) && chart.startsWith(resolveInFolder(folder, 'charts/')));
  return parent === undefined ? chart : findOutermostChart(parent, charts);
}

/**
 * Builds a function that returns the labels that kustomizations add to a file.
 * If several kustomizations include the same folder, the first one wins. Suppose `overlays/dev` and `overlays/prod` both include `base`,
 * and each adds a label: the files of `base` are planned with the label of `overlays/dev`.
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

/** Builds a function that returns the namespaces that kustomizations and a fleet.yaml may give to the objects of a file. */
function buildNamespaceLookup(
  kustomizations: ReadonlyMap<string, Kustomization>,
  fleetNamespaces: ReadonlyMap<string, readonly string[]>,
): (file: string) => readonly string[] {
  const setNamespaces = new SetNamespaces(
    new Map(
      [...kustomizations].map(([folder, { namespace, entries }]) => [
        folder,
        { namespaces: namespace === undefined ? [] : [namespace], includes: entries.map((path) => resolveIncluded(folder, path)) },
      ]),
    ),
  );
  return (file) => {
    const bundle = fleetNamespaces.size === 0 ? undefined : listAncestorFolders(file).find((folder) => fleetNamespaces.has(folder));
    return [...new Set([...setNamespaces.of(file), ...(bundle === undefined ? [] : fleetNamespaces.get(bundle)!)])];
  };
}

/** Finds the folders of kustomizations whose files do not show what they build, and that no other kustomization includes. */
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

/** Finds the folders of kustomizations that change objects, or include what is not among the files. */
function findChangingFolders(kustomizations: ReadonlyMap<string, Kustomization>, files: readonly string[]): ReadonlySet<string> {
  const known = new Set(files.flatMap((file) => [file, ...listAncestorFolders(file)]));
  const isKnown = (folder: string, path: string) => known.has(resolveIncluded(folder, path));
  const changing = [...kustomizations].filter(
    ([folder, { changesObjects, entries }]) => changesObjects || !entries.every((path) => isKnown(folder, path)),
  );
  return new Set(changing.map(([folder]) => folder));
}

/**
 * Builds a function that returns the role of each file of a folder.
 *
 * @param files - paths of all files, relative to the folder
 * @param read - returns the text of a file, or undefined if it cannot be read
 * @param root - unit of the files that are in no folder with a marker file
 * @param displayNameOf - returns the displayed name of a folder. @default - the name of the root unit, a slash and the folder
 */
export function buildLayout(
  files: readonly string[],
  read: (file: string) => string | undefined,
  root: ApplyUnit,
  displayNameOf: (folder: string) => string = (folder) => joinPath(root.name, folder),
): (file: string) => FileContext {
  const marked = new Map<string, string[]>();
  const charts = new Set<string>();
  const patchingFolders = new Set<string>();
  const kustomizations = new Map<string, Kustomization>();
  const fleetNamespaces = new Map<string, readonly string[]>();
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
    addToGroup(marked, folder, name);
    if (name === CHART_FILE) charts.add(folder);
    if (FLEET_FILES.includes(name)) fleetNamespaces.set(folder, readFleetNamespaces(read(file) ?? ''));
    if (!KUSTOMIZATION_FILES.includes(name)) continue;
    const kustomization = readKustomization(read(file) ?? '');
    kustomizations.set(folder, kustomization);
    if (kustomization.hasExternalEntries) patchingFolders.add(folder);
    patches.add(folder, kustomization.patches);
    for (const resource of kustomization.resources) resources.add(resolveInFolder(folder, resource));
  }

  const unbuilt = findUnbuiltFolders(kustomizations);
  const changing = findChangingFolders(kustomizations, files);
  const labelsOf = buildLabelLookup(kustomizations);
  const namespacesOf = buildNamespaceLookup(kustomizations, fleetNamespaces);

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
      markers: marked.get(folder)!,
      isNamedInput: false,
      parent: unitOf(folders.slice(index + 1)),
    };
    units.set(folder, unit);
    return unit;
  };

  return (file) => {
    const folders = listAncestorFolders(file);
    const enclosingChart = folders.find((folder) => charts.has(folder));
    const built = KUSTOMIZATION_FILES.includes(posix.basename(file)) ? kustomizations.get(folders[0]!) : undefined;
    const data = built && { folder: displayNameOf(folders[0]!), ...(built.hasOnlyPatches && { patchesAlone: true as const }) };
    const labels = labelsOf(file);
    const setNamespaces = namespacesOf(file);
    const chart = folders.find((folder) => charts.has(folder) && file.startsWith(resolveInFolder(folder, 'templates/')));
    return {
      unit: unitOf(folders),
      ...(chart !== undefined && { chart: displayNameOf(findOutermostChart(chart, charts)) }),
      ...(data && unbuilt.has(folders[0]!) && { unbuilt: data }),
      ...(data && changing.has(folders[0]!) && { changing: data }),
      isPatch: patches.has(file),
      isValues: enclosingChart !== undefined && VALUES_FILE.test(enclosingChart === '' ? file : file.slice(enclosingChart.length + 1)),
      isExpectation: isExpectationFileName(posix.basename(file)) || expectations.has(file),
      isResource: resources.has(file),
      mayPatch: folders.some((folder) => patchingFolders.has(folder)),
      isBesideKustomization: folders.some((folder) => kustomizations.has(folder)),
      ...(setNamespaces.length > 0 && { setNamespaces }),
      ...(labels && { labels }),
    };
  };
}
