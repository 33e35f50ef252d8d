import { addToGroup } from '../../core/collections/group-by';
import type { FileNamespaces } from '../../core/sources/file-namespaces';
import { listAncestorFolders, resolveIncluded } from '../folder-paths';
import { isManifestFile, isRemoteEntry } from './kustomization';
import type { Kustomization } from './kustomization';
import { hasTooManyLabels, mergeAddedLabels } from './kustomize-labels';
import type { AddedLabels } from './kustomize-labels';
import { SetNamespaces } from './set-namespaces';
import type { FleetNamespaces } from './set-namespaces';

/* What the kustomizations of a tree do together. */

/** Labels that the kustomizations around each file and folder add, and the folders whose objects would get too many. */
export interface LabelLookup {
  readonly labelsOf: (path: string) => AddedLabels | undefined;
  readonly unlabeled: ReadonlySet<string>;
}

/**
 * Builds a function that returns the labels that kustomizations add to a file.
 * If several kustomizations include the same folder, the first one wins. Suppose `overlays/dev` and `overlays/prod` both include `base`,
 * and each adds a label: the files of `base` are planned with the label of `overlays/dev`.
 */
export function buildLabelLookup(kustomizations: ReadonlyMap<string, Kustomization>): LabelLookup {
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
 * lacks, or include such a folder. Kustomize refuses one that includes a component as a resource, or the other way round.
 */
export function findAlteringFolders(
  kustomizations: ReadonlyMap<string, Kustomization>,
  { unlabeled }: Pick<LabelLookup, 'unlabeled'>,
  files: readonly string[],
  changes: 'changesObjects' | 'changesPods',
): ReadonlySet<string> {
  const parentFoldersOf = new Map<string, string[]>();
  const altering = new Set(unlabeled);
  const manifests = new Set(kustomizations.size === 0 ? [] : files.filter(isManifestFile));
  const isComponent = (folder: string, entry: string) => kustomizations.get(resolveIncluded(folder, entry))?.isComponent === true;
  for (const [folder, { entries, resources, components, [changes]: isChanging }] of kustomizations) {
    const included = entries.map((entry) => resolveIncluded(folder, entry));
    for (const path of included) addToGroup(parentFoldersOf, path, folder);
    const isRefused = resources.some((entry) => isComponent(folder, entry)) || components.some((entry) => !isComponent(folder, entry));
    const isMissing = included.some((path) => !kustomizations.has(path) && !manifests.has(path));
    if (isRefused || isChanging || isMissing || entries.some(isRemoteEntry)) altering.add(folder);
  }
  // A set also visits what is added on the way.
  for (const folder of altering) for (const parentFolder of parentFoldersOf.get(folder) ?? []) altering.add(parentFolder);
  return altering;
}

/**
 * Builds a function that returns the namespaces to which kustomizations and a fleet.yaml may move the objects of a file.
 *
 * @param idOf - returns what identifies a folder among those of all layouts
 */
export function buildNamespaceLookup(
  kustomizations: ReadonlyMap<string, Kustomization>,
  fleetNamespaces: ReadonlyMap<string, FleetNamespaces>,
  idOf: (folder: string) => string,
): (file: string) => FileNamespaces | undefined {
  if (kustomizations.size === 0 && fleetNamespaces.size === 0) return () => undefined;
  const setNamespaces = new SetNamespaces(
    new Map(
      [...kustomizations].map(([folder, { namespace, entries }]) => [
        folder,
        { namespace, includes: entries.map((path) => resolveIncluded(folder, path)) },
      ]),
    ),
  );
  const listFleetFolders = (file: string) =>
    fleetNamespaces.size === 0 ? [] : listAncestorFolders(file).filter((folder) => fleetNamespaces.has(folder));
  return (file) => {
    const { folders, all, built } = setNamespaces.find(file);
    const fleetFolders = listFleetFolders(file);
    // A bundle of raw YAML leaves out folders with a fleet.yaml, and one of a kustomization does not. Source: fleet v0.16 helm.go, `manifests`.
    const bundles = fleetFolders
      .filter((folder, index) => index === 0 || kustomizations.has(folder))
      .map((folder) => fleetNamespaces.get(folder)!);
    // A bundle of a kustomization contains only what that includes.
    const places = fleetFolders.map((folder) => [idOf(folder), folders.has(folder)]);
    return {
      all: [...new Set([...all, ...bundles.flatMap((bundle) => bundle.all)])],
      forced: [...new Set([...all, ...bundles.flatMap((bundle) => bundle.forced)])],
      built,
      ...(places.length > 0 && { bundles: JSON.stringify(places) }),
    };
  };
}

/**
 * Finds the folders of kustomizations whose files do not show what they build, and that no other kustomization includes. A component that only
 * patches builds nothing by itself.
 */
export function findUnbuiltFolders(
  kustomizations: ReadonlyMap<string, Kustomization>,
  altering: ReadonlySet<string>,
): ReadonlyMap<string, Kustomization> {
  const included = new Set<string>();
  for (const [folder, { entries }] of kustomizations) for (const path of entries) included.add(resolveIncluded(folder, path));
  const isUnbuilt = (folder: string, { externalEntries, isComponent, hasOnlyPatches }: Kustomization) =>
    altering.has(folder) ? !(isComponent && hasOnlyPatches) : !isComponent && externalEntries.length > 0;
  return new Map([...kustomizations].filter(([folder, kustomization]) => isUnbuilt(folder, kustomization) && !included.has(folder)));
}
