import { addToGroup } from '../core/group-by';
import { posix } from 'node:path';
import { matchesPattern } from '../core/path-pattern';
import { trimEndCharacter } from '../core/trim-end';
import type { ApplyUnit } from '../core/apply-unit';
import {
  isChainsawTest,
  isExpectationFileName,
  isClusterTestFile,
  readChainsawTest,
  CHART_FILE,
  FLEET_FILES,
  isMarker,
  KUSTOMIZATION_FILES,
} from './marker-files';
import type { KustomizationData } from '../core/rules/kustomization';
import { isManifestFile, readKustomization, UNREAD_KUSTOMIZATION } from './kustomization';
import type { Kustomization } from './kustomization';
import { readFleetNamespaces, SetNamespaces } from './set-namespaces';
import { HelmCharts } from './helm-chart';
import type { ChartCondition, ChartDependencies, ChartFault } from '../core/rules/helm-template';
import { isPlannedUnrendered } from '../core/rules/not-read';
import type { UnrenderedReason } from '../core/rules/not-read';
import { hasTooManyLabels, mergeAddedLabels } from './kustomize-labels';
import type { AddedLabels } from './kustomize-labels';

/** Values files of a chart, which may have their own keys `apiVersion` and `kind`: next to `Chart.yaml`, and in `ci` for chart-testing. */
const VALUES_FILE = /^values.*\.ya?ml$|^ci\//;

/** Role that the files around a file give it. */
export interface FileContext {
  readonly unit: ApplyUnit;
  /** Folder of the Helm chart if the file is a template, relative to the given PATH. For a chart inside a chart it is the outer one. */
  readonly chart?: string;
  /** Why Helm does not render it, although it is a file of a chart. @default - it does, or it is no file of a chart */
  readonly unrendered?: { readonly chart: string; readonly reason: UnrenderedReason };
  /** Dependencies of the chart, if it is a Chart.yaml and the files of the input do not show what Helm applies. */
  readonly dependencies?: ChartDependencies & { readonly chart: string };
  /** Why Helm may refuse the chart, if the file is its Chart.yaml. */
  readonly fault?: ChartFault & { readonly chart: string };
  /** What may make Helm refuse the chart depending on the release, if the file is its Chart.yaml. @default - nothing */
  readonly conditions?: readonly (ChartCondition & { readonly chart: string })[];
  /** Kustomization, if the file is one and its files do not show what it builds. */
  readonly unbuilt?: KustomizationData;
  /** Whether this kustomization, or one that it includes, changes objects or includes some that the input lacks. @default false */
  readonly altersObjects?: boolean;
  /** Whether it only changes names and images, so that it matters only if the files must show every object. @default false */
  readonly onlyRenames?: boolean;
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
  /** Labels and annotations that the kustomization that lists it adds to its objects, and those that the kustomizations around that one add. @default - none */
  readonly labels?: AddedLabels;
}

/** Reports whether Helm renders a file without the name of a manifest, by the files around it. */
export function isOtherTemplate({ chart, unrendered }: FileContext): boolean {
  return chart !== undefined && unrendered === undefined;
}

/** Returns the role of a file without that of a chart which does not render it, if the chart is above the PATH: the user names such files. */
export function omitNamedFile({ unrendered, ...place }: FileContext, isAbove: boolean, root: ApplyUnit): FileContext {
  const isNamed = isAbove && unrendered !== undefined && isPlannedUnrendered(unrendered.reason) && unrendered.chart === root.name;
  return { ...place, ...(unrendered && !isNamed && { unrendered }) };
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
/** Maximum number of patterns in one folder, and their maximum length. The files of any others are planned, so that a flood hides nothing. */
const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 1_000;

/** Set of paths, which may be patterns, that files refer to relative to their own folder. */
class FilePatternSet {
  private readonly paths = new Set<string>();
  /** Patterns by the folder before their first `*` or `?`. */
  private readonly patterns = new Map<string, Set<string>>();

  add(folder: string, references: readonly string[]): void {
    for (const reference of references) {
      const path = resolveInFolder(folder, reference);
      const wildcard = path.search(/[*?]/);
      if (wildcard < 0) this.paths.add(path);
      else if (path.length <= MAX_PATTERN_LENGTH) this.addPattern(path.slice(0, Math.max(path.lastIndexOf('/', wildcard), 0)), path);
    }
  }

  private addPattern(folder: string, pattern: string): void {
    const known = this.patterns.get(folder) ?? new Set();
    if (known.size < MAX_PATTERNS) this.patterns.set(folder, known.add(pattern));
  }

  has(file: string): boolean {
    if (this.paths.has(file)) return true;
    if (this.patterns.size === 0) return false;
    return listAncestorFolders(file).some((folder) =>
      [...(this.patterns.get(folder) ?? [])].some((pattern) => matchesPattern(pattern, file)),
    );
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

/** Labels that the kustomizations around each file and folder add, and the folders whose objects would get too many. */
interface LabelLookup {
  readonly labelsOf: (path: string) => AddedLabels | undefined;
  readonly unlabeled: ReadonlySet<string>;
}

/**
 * Builds a function that returns the labels that kustomizations add to a file.
 * If several kustomizations include the same folder, the first one wins. Suppose `overlays/dev` and `overlays/prod` both include `base`,
 * and each adds a label: the files of `base` are planned with the label of `overlays/dev`.
 */
function buildLabelLookup(kustomizations: ReadonlyMap<string, Kustomization>): LabelLookup {
  const parentFolderOf = new Map<string, string>();
  for (const [folder, { entries }] of kustomizations) {
    for (const path of entries) {
      const included = resolveIncluded(folder, path);
      if (!parentFolderOf.has(included)) parentFolderOf.set(included, folder);
    }
  }
  const known = new Map<string, AddedLabels | undefined>();
  const unlabeled = new Set<string>();
  /** Resolves the labels of a folder and of those around it. Thousands of folders may include each other. */
  const resolveFolder = (folder: string): void => {
    const chain = new Set<string>();
    for (let at: string | undefined = folder; at !== undefined && !known.has(at) && !chain.has(at); at = parentFolderOf.get(at))
      chain.add(at);
    for (const at of [...chain].toReversed()) {
      const parentFolder = parentFolderOf.get(at);
      const around = parentFolder === undefined ? undefined : known.get(parentFolder);
      const own = kustomizations.get(at)!.labels;
      const labels = own && around ? mergeAddedLabels(own, around) : (own ?? around);
      const hasTooMany = (parentFolder !== undefined && unlabeled.has(parentFolder)) || (labels && hasTooManyLabels(labels));
      if (hasTooMany) unlabeled.add(at);
      known.set(at, hasTooMany ? undefined : labels);
    }
  };
  for (const folder of kustomizations.keys()) resolveFolder(folder);
  return {
    labelsOf: (path) => {
      const parentFolder = parentFolderOf.get(path);
      return parentFolder === undefined ? undefined : known.get(parentFolder);
    },
    unlabeled,
  };
}

/**
 * Finds the folders of kustomizations that build other objects than the files of the input show: they change some, include what the input
 * lacks, or include such a folder.
 */
function findAlteringFolders(
  kustomizations: ReadonlyMap<string, Kustomization>,
  { unlabeled }: Pick<LabelLookup, 'unlabeled'>,
  files: readonly string[],
  changes: 'changesObjects' | 'changesPods',
): ReadonlySet<string> {
  const parentFoldersOf = new Map<string, string[]>();
  const altering = new Set(unlabeled);
  const manifests = new Set(kustomizations.size === 0 ? [] : files.filter(isManifestFile));
  for (const [folder, { entries, [changes]: isChanging }] of kustomizations) {
    const included = entries.map((entry) => resolveIncluded(folder, entry));
    for (const path of included) addToGroup(parentFoldersOf, path, folder);
    if (isChanging || included.some((path) => !kustomizations.has(path) && !manifests.has(path))) altering.add(folder);
  }
  // A set also visits what is added on the way.
  for (const folder of altering) for (const parentFolder of parentFoldersOf.get(folder) ?? []) altering.add(parentFolder);
  return altering;
}

/** Builds a function that returns the namespaces that kustomizations and a fleet.yaml may give to the objects of a file. */
function buildNamespaceLookup(
  kustomizations: ReadonlyMap<string, Kustomization>,
  fleetNamespaces: ReadonlyMap<string, readonly string[]>,
): (file: string) => readonly string[] {
  if (kustomizations.size === 0 && fleetNamespaces.size === 0) return () => [];
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

/**
 * Finds the folders of kustomizations whose files do not show what they build, and that no other kustomization includes. A component that only
 * patches builds nothing by itself.
 */
function findUnbuiltFolders(
  kustomizations: ReadonlyMap<string, Kustomization>,
  altering: ReadonlySet<string>,
): ReadonlyMap<string, Kustomization> {
  const included = new Set<string>();
  for (const [folder, { entries }] of kustomizations) for (const path of entries) included.add(resolveIncluded(folder, path));
  const isUnbuilt = (folder: string, { externalEntries, isComponent, hasOnlyPatches }: Kustomization) =>
    altering.has(folder) ? !(isComponent && hasOnlyPatches) : !isComponent && externalEntries.length > 0;
  return new Map([...kustomizations].filter(([folder, kustomization]) => isUnbuilt(folder, kustomization) && !included.has(folder)));
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
  const listed = new Set<string>();
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
    // kustomize refuses to build a folder with two of them.
    const kustomization = kustomizations.has(folder) ? UNREAD_KUSTOMIZATION : readKustomization(read(file) ?? '');
    kustomizations.set(folder, kustomization);
    if (kustomization.externalEntries.length > 0) patchingFolders.add(folder);
    patches.add(folder, kustomization.patches);
    for (const entry of kustomization.entries) listed.add(resolveInFolder(folder, entry));
    for (const resource of kustomization.resources) resources.add(resolveInFolder(folder, resource));
  }

  const helm = new HelmCharts(charts, files, read);
  const namespacesOf = buildNamespaceLookup(kustomizations, fleetNamespaces);
  const labels = buildLabelLookup(kustomizations);
  const altering = findAlteringFolders(kustomizations, labels, files, 'changesObjects');
  const changing = findAlteringFolders(kustomizations, labels, files, 'changesPods');
  const unbuilt = findUnbuiltFolders(kustomizations, altering);

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
    const kustomization = KUSTOMIZATION_FILES.includes(posix.basename(file)) ? unbuilt.get(folders[0]!) : undefined;
    const added = labels.labelsOf(file);
    const setNamespaces = namespacesOf(file);
    const isValues = enclosingChart !== undefined && VALUES_FILE.test(enclosingChart === '' ? file : file.slice(enclosingChart.length + 1));
    const chart = folders.find((folder) => charts.has(folder) && file.startsWith(resolveInFolder(folder, 'templates/')));
    const nearest = folders.find((folder) => marked.has(folder));
    // A kustomization in the folder of a chart, or below it, reads its own files.
    const ofChart = chart ?? (nearest !== undefined && charts.has(nearest) && !kustomizations.has(nearest) ? nearest : undefined);
    const reason =
      ofChart === undefined || isValues || isMarker(posix.basename(file)) ? undefined : helm.findUnrenderedReason(file, ofChart);
    const isUnlisted =
      nearest !== undefined &&
      kustomizations.has(nearest) &&
      !charts.has(nearest) &&
      !isMarker(posix.basename(file)) &&
      !listed.has(file) &&
      !patches.has(file);
    const isChart = posix.basename(file) === CHART_FILE;
    const dependencies = isChart ? helm.findDependencies(folders[0]!) : undefined;
    const fault = isChart ? helm.findFault(folders[0]!) : undefined;
    const conditions = isChart ? helm.findConditions(folders[0]!).map((each) => ({ chart: displayNameOf(folders[0]!), ...each })) : [];
    return {
      unit: unitOf(folders),
      ...(chart !== undefined && { chart: displayNameOf(helm.outermostOf(chart)) }),
      ...(reason !== undefined && { unrendered: { chart: displayNameOf(helm.outermostOf(ofChart!)), reason } }),
      ...(reason === undefined && isUnlisted && { unrendered: { chart: displayNameOf(nearest), reason: 'unlisted' as const } }),
      ...(dependencies && { dependencies: { chart: displayNameOf(folders[0]!), ...dependencies } }),
      ...(fault && { fault: { chart: displayNameOf(folders[0]!), ...fault } }),
      ...(conditions.length > 0 && { conditions }),
      ...(kustomization && {
        unbuilt: { folder: displayNameOf(folders[0]!), ...(kustomization.hasOnlyPatches && { patchesAlone: true }) },
        altersObjects: altering.has(folders[0]!),
        onlyRenames: kustomization.externalEntries.length === 0 && !changing.has(folders[0]!),
      }),
      isPatch: patches.has(file),
      isValues,
      isExpectation: isExpectationFileName(posix.basename(file)) || expectations.has(file),
      isResource: resources.has(file),
      mayPatch: folders.some((folder) => patchingFolders.has(folder)),
      isBesideKustomization: folders.some((folder) => kustomizations.has(folder)),
      ...(setNamespaces.length > 0 && { setNamespaces }),
      ...(added && { labels: added }),
    };
  };
}
