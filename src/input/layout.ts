import { addToGroup } from '../core/collections/group-by';
import { posix } from 'node:path';
import { checkTimeNow } from '../core/budget/deadline';
import type { ApplyUnit } from '../core/sources/apply-unit';
import type { FileNamespaces } from '../core/sources/file-namespaces';
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
import { FilePatternSet } from './file-pattern-set';
import { isAtOrBelow, joinPath, listAncestorFolders, resolveInFolder } from './folder-paths';
import { readKustomization, UNREAD_KUSTOMIZATION } from './kustomize/kustomization';
import type { Kustomization } from './kustomize/kustomization';
import { buildLabelLookup, buildNamespaceLookup, findAlteringFolders, findUnbuiltFolders } from './kustomize/kustomization-tree';
import type { LabelLookup } from './kustomize/kustomization-tree';
import { readFleetNamespaces } from './kustomize/set-namespaces';
import type { FleetNamespaces } from './kustomize/set-namespaces';
import { HelmCharts } from './helm/helm-chart';
import type { ChartDependencies } from '../core/rules/helm-template';
import { isPlannedUnrendered } from '../core/rules/not-read';
import type { UnrenderedReason } from '../core/rules/not-read';
import type { AddedLabels } from './kustomize/kustomize-labels';
import { describeFleetPlace } from './fleet-folders';
import type { FleetPlace } from './fleet-folders';

/** Values files of a chart, which may have their own keys `apiVersion` and `kind`: next to `Chart.yaml`, and in `ci` for chart-testing. */
const VALUES_FILE = /^values.*\.ya?ml$|^ci\//;

/** Role that the files around a file give it. */
export interface FileContext extends FleetPlace {
  readonly unit: ApplyUnit;
  /** Folder of the Helm chart if the file is a template, relative to the given PATH. For a chart inside a chart it is the outer one. */
  readonly chart?: string;
  /** Why Helm does not render it, although it is a file of a chart. @default - it does, or it is no file of a chart */
  readonly unrendered?: { readonly chart: string; readonly reason: UnrenderedReason };
  /** Dependencies of the chart, if it is a Chart.yaml and the files of the input do not show what Helm applies. */
  readonly dependencies?: ChartDependencies & { readonly chart: string };
  /** Outermost chart, and whether it is the chart of the file itself, if the file is a Chart.yaml. */
  readonly outermost?: { readonly chart: string; readonly isOwn: boolean };
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
  /** Namespaces to which the kustomizations that include it, or the fleet.yaml around it, may move its objects. @default - none */
  readonly namespaces?: FileNamespaces;
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

/** What the marker files of a tree say. All paths are relative to its root. */
interface Markers {
  /** Names of the marker files by folder. */
  readonly marked: ReadonlyMap<string, readonly string[]>;
  readonly charts: ReadonlySet<string>;
  /** Folders whose workloads may be patches. */
  readonly patchingFolders: ReadonlySet<string>;
  readonly kustomizations: ReadonlyMap<string, Kustomization>;
  readonly fleetNamespaces: ReadonlyMap<string, FleetNamespaces>;
  readonly patches: FilePatternSet;
  readonly expectations: FilePatternSet;
  /** Files that a kustomization lists as a resource. */
  readonly resources: ReadonlySet<string>;
  /** Files and folders that a kustomization lists in any way. */
  readonly listed: ReadonlySet<string>;
}

function readMarkers(files: readonly string[], read: (file: string) => string | undefined): Markers {
  const marked = new Map<string, string[]>();
  const charts = new Set<string>();
  const patchingFolders = new Set<string>();
  const kustomizations = new Map<string, Kustomization>();
  const fleetNamespaces = new Map<string, FleetNamespaces>();
  const patches = new FilePatternSet();
  const expectations = new FilePatternSet();
  const resources = new Set<string>();
  const listed = new Set<string>();
  for (const file of files) {
    checkTimeNow();
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
    if (FLEET_FILES.includes(name)) fleetNamespaces.set(folder, readFleetNamespaces(read(file)));
    if (!KUSTOMIZATION_FILES.includes(name)) continue;
    // kustomize refuses to build a folder with two of them.
    const kustomization = kustomizations.has(folder) ? UNREAD_KUSTOMIZATION : readKustomization(read(file) ?? '');
    kustomizations.set(folder, kustomization);
    if (kustomization.externalEntries.length > 0) patchingFolders.add(folder);
    patches.add(folder, kustomization.patches);
    for (const entry of kustomization.entries) listed.add(resolveInFolder(folder, entry));
    for (const resource of kustomization.resources) resources.add(resolveInFolder(folder, resource));
  }
  return { marked, charts, patchingFolders, kustomizations, fleetNamespaces, patches, expectations, resources, listed };
}

/** Builds a function that returns the unit of a file, given the folders around it. */
function buildUnitLookup(
  marked: Markers['marked'],
  root: ApplyUnit,
  displayNameOf: (folder: string) => string,
): (folders: readonly string[]) => ApplyUnit {
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
  return unitOf;
}

/** Builds a function that returns the role of a file in the charts around it. */
function buildChartRoles(
  { charts, kustomizations, marked, listed, patches }: Markers,
  helm: HelmCharts,
  displayNameOf: (folder: string) => string,
): (file: string, folders: readonly string[]) => Partial<FileContext> {
  const isValuesFile = (file: string, folders: readonly string[]) => {
    const chart = folders.find((folder) => charts.has(folder));
    return chart !== undefined && VALUES_FILE.test(chart === '' ? file : file.slice(chart.length + 1));
  };
  return (file, folders) => {
    const isValues = isValuesFile(file, folders);
    const isMarkerFile = isMarker(posix.basename(file));
    const chart = folders.find((folder) => charts.has(folder) && file.startsWith(resolveInFolder(folder, 'templates/')));
    const nearest = folders.find((folder) => marked.has(folder));
    // A kustomization in the folder of a chart, or below it, reads its own files.
    const ofChart = chart ?? (nearest !== undefined && charts.has(nearest) && !kustomizations.has(nearest) ? nearest : undefined);
    const reason = ofChart === undefined || isValues || isMarkerFile ? undefined : helm.findUnrenderedReason(file, ofChart);
    const isOfKustomization = nearest !== undefined && kustomizations.has(nearest) && !charts.has(nearest) && !isMarkerFile;
    const isUnlisted = isOfKustomization && !listed.has(file) && !patches.has(file);
    return {
      ...(chart !== undefined && { chart: displayNameOf(helm.outermostOf(chart)) }),
      ...(reason !== undefined && { unrendered: { chart: displayNameOf(helm.outermostOf(ofChart!)), reason } }),
      ...(reason === undefined && isUnlisted && { unrendered: { chart: displayNameOf(nearest), reason: 'unlisted' } }),
      isValues,
    };
  };
}

/** Returns the chart of a Chart.yaml, and what its files do not show. */
function describeChart(helm: HelmCharts, folder: string, displayNameOf: (folder: string) => string): Partial<FileContext> {
  const dependencies = helm.findDependencies(folder);
  const outermost = helm.outermostOf(folder);
  return {
    outermost: { chart: displayNameOf(outermost), isOwn: outermost === folder },
    ...(dependencies && { dependencies: { chart: displayNameOf(folder), ...dependencies } }),
  };
}

/** Builds a function that returns what a kustomization in a folder at or below `start` builds that its files do not show. */
function buildUnbuiltLookup(
  kustomizations: Markers['kustomizations'],
  labels: LabelLookup,
  files: readonly string[],
  start: string,
  displayNameOf: (folder: string) => string,
): (folder: string) => Partial<FileContext> {
  const altering = findAlteringFolders(kustomizations, labels, files, 'changesObjects');
  const changing = findAlteringFolders(kustomizations, labels, files, 'changesPods');
  // One above the PATH is not reported, so what it includes is.
  const below = new Map([...kustomizations].filter(([folder]) => isAtOrBelow(start, folder)));
  const unbuilt = findUnbuiltFolders(below, altering);
  return (folder) => {
    const kustomization = unbuilt.get(folder);
    if (!kustomization) return {};
    return {
      unbuilt: { folder: displayNameOf(folder), ...(kustomization.hasOnlyPatches && { patchesAlone: true }) },
      altersObjects: altering.has(folder),
      onlyRenames: kustomization.externalEntries.length === 0 && !changing.has(folder),
    };
  };
}

/**
 * Builds a function that returns the role of each file of a folder.
 *
 * @param files - paths of all files, relative to the folder
 * @param read - returns the text of a file, or undefined if it cannot be read
 * @param root - unit of the files that are in no folder with a marker file
 * @param displayNameOf - returns the displayed name of a folder. @default - the name of the root unit, a slash and the folder
 * @param start - the folder of the PATH, if the root is above it
 */
export function buildLayout(
  files: readonly string[],
  read: (file: string) => string | undefined,
  root: ApplyUnit,
  displayNameOf: (folder: string) => string = (folder) => joinPath(root.name, folder),
  start = '',
): (file: string) => FileContext {
  const markers = readMarkers(files, read);
  const { kustomizations, patches, expectations, resources, patchingFolders } = markers;
  const helm = new HelmCharts(markers.charts, files, read);
  const labels = buildLabelLookup(kustomizations);
  const namespacesOf = buildNamespaceLookup(kustomizations, markers.fleetNamespaces, (folder) => joinPath(root.id, folder));
  const unitOf = buildUnitLookup(markers.marked, root, displayNameOf);
  const chartRoleOf = buildChartRoles(markers, helm, displayNameOf);
  const unbuiltIn = buildUnbuiltLookup(kustomizations, labels, files, start, displayNameOf);
  return (file) => {
    const name = posix.basename(file);
    const folders = listAncestorFolders(file);
    const added = labels.labelsOf(file);
    const namespaces = namespacesOf(file);
    return {
      unit: unitOf(folders),
      ...chartRoleOf(file, folders),
      ...(name === CHART_FILE && describeChart(helm, folders[0]!, displayNameOf)),
      ...(KUSTOMIZATION_FILES.includes(name) && unbuiltIn(folders[0]!)),
      isPatch: patches.has(file),
      isExpectation: isExpectationFileName(name) || expectations.has(file),
      isResource: resources.has(file),
      ...describeFleetPlace(folders, markers.marked),
      mayPatch: folders.some((folder) => patchingFolders.has(folder)),
      isBesideKustomization: folders.some((folder) => kustomizations.has(folder)),
      ...(namespaces && { namespaces }),
      ...(added && { labels: added }),
    };
  };
}
