import { posix } from 'node:path';
import { matchesPattern } from '../core/path-pattern';
import { withoutEnd } from '../core/text-end';
import type { Unit } from '../core/unit';
import { isChainsawTest, isExpectationByName, isOfClusterTest, readChainsawTest } from './cluster-tests';
import type { KustomizationData } from '../core/rules/kustomization';
import { readKustomization } from './kustomization';
import type { Kustomization } from './kustomization';
import { together } from './kustomize-labels';
import type { AddedLabels } from './kustomize-labels';

/** The names of a kustomization. */
export const KUSTOMIZATIONS: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
export const CHART = 'Chart.yaml';
/** Files that make their folder a unit. */
export const MARKERS: ReadonlySet<string> = new Set([...KUSTOMIZATIONS, CHART, 'fleet.yaml', 'fleet.yml']);

/** Values of a chart, which may have keys `apiVersion` and `kind` of their own: those beside it, and those in `ci` with which chart-testing installs it. */
const VALUES = /^values.*\.ya?ml$|^ci\//;

export function isMarker(name: string): boolean {
  return MARKERS.has(name);
}

/** What the files around a file make of it. */
export interface FilePlace {
  readonly unit: Unit;
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
function foldersOf(file: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) folders.push(folder);
  return [...folders, ''];
}

function inFolder(folder: string, path: string): string {
  return posix.normalize(folder === '' ? path : `${folder}/${path}`);
}

/** The paths below the layout that a test names from its folder, patterns among them. */
class NamedFiles {
  private readonly paths = new Set<string>();
  private readonly patterns: string[] = [];

  add(folder: string, named: readonly string[]): void {
    for (const name of named) {
      const path = inFolder(folder, name);
      if (/[*?]/.test(path)) this.patterns.push(path);
      else this.paths.add(path);
    }
  }

  has(file: string): boolean {
    return this.paths.has(file) || this.patterns.some((pattern) => matchesPattern(pattern, file));
  }
}

/** A path without the slashes at its end: `charts//` is `charts`. */
export function withoutEndSlashes(path: string): string {
  return withoutEnd(path, '/');
}

/** `below('charts/', 'web')` is `charts/web`; of a folder itself nothing stands behind. */
function below(base: string, folder: string): string {
  return folder === '' ? base : `${withoutEndSlashes(base)}/${folder}`;
}

/** A chart in the folder `charts` of another one is rendered with that. */
function outermost(chart: string, charts: ReadonlySet<string>): string {
  const parent = foldersOf(chart).find((folder) => charts.has(folder) && chart.startsWith(inFolder(folder, 'charts/')));
  return parent === undefined ? chart : outermost(parent, charts);
}

/**
 * What labels reach a file. Of several kustomizations that take in the same one the first counts: where `overlays/dev` and `overlays/prod`
 * take in `base`, each with a label, the files of `base` are planned with that of `overlays/dev`.
 */
function labelsByFile(kustomizations: ReadonlyMap<string, Kustomization>): (file: string) => AddedLabels | undefined {
  const takerOf = new Map<string, string>();
  for (const [folder, { takes }] of kustomizations) {
    for (const path of takes) {
      const taken = withoutEndSlashes(inFolder(folder, path));
      if (!takerOf.has(taken)) takerOf.set(taken, folder);
    }
  }
  return (file) => {
    const seen = new Set<string>();
    let added: AddedLabels | undefined;
    for (let taker = takerOf.get(file); taker !== undefined && !seen.has(taker); taker = takerOf.get(taker)) {
      seen.add(taker);
      const labels = kustomizations.get(taker)!.labels;
      if (labels) added = added ? together(added, labels) : labels;
    }
    return added;
  };
}

/** The folders of kustomizations whose files do not say what comes of them, and that no other one takes in. */
function unbuiltFolders(kustomizations: ReadonlyMap<string, Kustomization>): ReadonlyMap<string, Kustomization> {
  const taken = new Set<string>();
  for (const [folder, { takes }] of kustomizations) for (const path of takes) taken.add(withoutEndSlashes(inFolder(folder, path)));
  const whole = [...kustomizations].filter(
    ([folder, { takesElsewhere, changes, isComponent }]) => (takesElsewhere || changes) && !isComponent && !taken.has(folder),
  );
  return new Map(whole);
}

/**
 * What the files below a folder are to each other.
 *
 * @param files - all of them, by their paths below the folder
 * @param read - the text of one of them; undefined where it cannot be had
 * @param root - the unit of those that lie in no marked folder below
 * @param shown - a folder below it as the files in it are shown. @default - behind the name of the unit, with a slash
 */
export function layoutOf(
  files: readonly string[],
  read: (file: string) => string | undefined,
  root: Unit,
  shown: (folder: string) => string = (folder) => below(root.name, folder),
): (file: string) => FilePlace {
  const marked = new Set<string>();
  const charts = new Set<string>();
  const takers = new Set<string>();
  const kustomizations = new Map<string, Kustomization>();
  const patches = new NamedFiles();
  const expectations = new NamedFiles();
  const resources = new Set<string>();
  for (const file of files) {
    const name = posix.basename(file);
    const folder = foldersOf(file)[0]!;
    if (isOfClusterTest(name)) takers.add(folder);
    if (isChainsawTest(name)) {
      const test = readChainsawTest(read(file) ?? '');
      expectations.add(folder, test.expectations);
      patches.add(folder, test.patches);
    }
    if (!isMarker(name)) continue;
    marked.add(folder);
    if (name === CHART) charts.add(folder);
    if (!KUSTOMIZATIONS.includes(name)) continue;
    const kustomization = readKustomization(read(file) ?? '');
    kustomizations.set(folder, kustomization);
    if (kustomization.takesElsewhere) takers.add(folder);
    patches.add(folder, kustomization.patches);
    for (const resource of kustomization.resources) resources.add(inFolder(folder, resource));
  }

  const unbuilt = unbuiltFolders(kustomizations);
  const labelsOf = labelsByFile(kustomizations);

  const units = new Map<string, Unit>();
  const unitOf = (folders: readonly string[]): Unit => {
    const index = folders.findIndex((folder) => folder !== '' && marked.has(folder));
    if (index < 0) return root;
    const folder = folders[index]!;
    const known = units.get(folder);
    if (known) return known;
    const unit = {
      id: below(root.id, folder),
      name: shown(folder),
      isMarked: true,
      isGiven: false,
      above: unitOf(folders.slice(index + 1)),
    };
    units.set(folder, unit);
    return unit;
  };

  return (file) => {
    const folders = foldersOf(file);
    const around = folders.find((folder) => charts.has(folder));
    const kustomization = KUSTOMIZATIONS.includes(posix.basename(file)) ? unbuilt.get(folders[0]!) : undefined;
    const labels = labelsOf(file);
    const chart = folders.find((folder) => charts.has(folder) && file.startsWith(inFolder(folder, 'templates/')));
    return {
      unit: unitOf(folders),
      ...(chart !== undefined && { chart: shown(outermost(chart, charts)) }),
      ...(kustomization && { unbuilt: { folder: shown(folders[0]!), ...(kustomization.patchesAlone && { patchesAlone: true }) } }),
      isPatch: patches.has(file),
      isValues: around !== undefined && VALUES.test(around === '' ? file : file.slice(around.length + 1)),
      isExpectation: isExpectationByName(posix.basename(file)) || expectations.has(file),
      isResource: resources.has(file),
      mayPatch: folders.some((folder) => takers.has(folder)),
      ...(labels && { labels }),
    };
  };
}
