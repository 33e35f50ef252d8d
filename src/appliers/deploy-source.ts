import {
  annotationOf,
  getFieldsAt,
  getListAt,
  getOwnValue,
  getValueAt,
  isFields,
  nameOf,
  namespaceOf,
  kindKeyOf,
} from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { Applier } from './applier';
import { ARGO_CD, ARGO_CD_SERVER_SIDE, FORCE_ERROR, createDeletionRules } from './argo-cd';
import { FLUX, FLUX_HELM, FLUX_HELM_CLIENT_SIDE } from './flux';

/** Fields that Argo CD does not compare, and with RespectIgnoreDifferences=true does not write either. */
export interface IgnoredFields {
  readonly group: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  /** Field names from the root of the object. */
  readonly paths: readonly (readonly string[])[];
  /** Managers whose fields are ignored. */
  readonly managers: readonly string[];
}

/** An object in view that makes a tool apply a folder of a repository. */
export interface DeploySource {
  readonly object: Manifest;
  readonly applier: Applier;
  /**
   * Folder in the repository, without `./` and the slash at its end. Empty for the root.
   * @default - it is not known, such as that of a chart in another repository
   */
  readonly folder?: string;
  /** Reports whether it may apply an object, if its folder is not known. @default - it may apply any */
  readonly mayApply?: (object: Manifest) => boolean;
  /** Namespace of the objects that name none. @default - not known */
  readonly namespace?: string;
  /** Whether an ApplicationSet fills in that namespace, so that it may be any. */
  readonly isAnyNamespace?: true;
  /** Whether it applies only the files in its folder, and none of the folders below. It does not hold for a kustomization or a chart. @default false */
  readonly readsOneFolder?: true;
  /** Whether it deletes what it applied before and its folder no longer contains. @default false */
  readonly prunes?: true;
  /** Whether its tool applies and deletes nothing until it is resumed. @default false */
  readonly isSuspended?: true;
  /** Live fields that it keeps instead of writing those of the manifest. */
  readonly keptFields: readonly IgnoredFields[];
}

/** Returns a folder as the tools clean it: `./apps/web/` and `apps/db/../web` are `apps/web`. None is above the repository. */
export function normalizeFolder(folder: unknown): string {
  const names: string[] = [];
  for (const name of typeof folder === 'string' ? folder.split('/') : []) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}

/** Returns an applier that also deletes and recreates whatever the API server refuses. */
function withForce(applier: Applier): Applier {
  return { ...applier, recreatesOnRefusal: () => true };
}

/** Returns how Flux writes the objects of a source: nothing while it is suspended. */
function readSuspension(object: Manifest, applier: Applier): Pick<DeploySource, 'applier' | 'isSuspended'> {
  if (getValueAt(object, 'spec', 'suspend') !== true) return { applier };
  return { applier: { ...applier, keeps: () => true }, isSuspended: true };
}

function readKustomization(object: Manifest): DeploySource {
  const { path, force, targetNamespace, prune } = getFieldsAt(object, 'spec');
  return {
    object,
    ...readSuspension(object, force === true ? withForce(FLUX) : FLUX),
    folder: normalizeFolder(path),
    ...(prune === true && { prunes: true as const }),
    ...(typeof targetNamespace === 'string' && { namespace: targetNamespace }),
    keptFields: [],
  };
}

/** Reports whether an object was rendered from a chart, by the labels that charts write. */
function isOfChart(object: Manifest): boolean {
  const labels = getFieldsAt(object, 'metadata', 'labels');
  return labels['helm.sh/chart'] !== undefined || labels['app.kubernetes.io/managed-by'] === 'Helm';
}

/**
 * Returns how a HelmRelease writes the objects of its chart. `upgrade.force` is a PUT, and has no effect on a server-side apply.
 * Source: helm-controller 1.6.3, internal/action/upgrade.go.
 */
function selectHelmApplier(object: Manifest): Applier {
  const { serverSideApply, force } = getFieldsAt(object, 'spec', 'upgrade');
  if (serverSideApply === 'disabled') return force === true ? { ...FLUX_HELM_CLIENT_SIDE, method: 'replace' } : FLUX_HELM_CLIENT_SIDE;
  // What is explicit does not depend on how the last release was applied.
  return serverSideApply === 'enabled' ? { ...FLUX_HELM } : FLUX_HELM;
}

function readHelmRelease(object: Manifest): DeploySource {
  const { chart, sourceRef } = getFieldsAt(object, 'spec', 'chart', 'spec');
  const { targetNamespace } = getFieldsAt(object, 'spec');
  const namespace = typeof targetNamespace === 'string' ? targetNamespace : namespaceOf(object);
  const isFolder = getValueAt(sourceRef, 'kind') === 'GitRepository' || getValueAt(sourceRef, 'kind') === 'Bucket';
  return {
    object,
    ...readSuspension(object, selectHelmApplier(object)),
    ...(isFolder ? { folder: normalizeFolder(chart) } : { mayApply: isOfChart }),
    ...(namespace !== undefined && { namespace }),
    keptFields: [],
  };
}

/** Returns the field names of a JSON pointer: `/spec/replicas` is `spec` and `replicas`. */
function parsePointer(pointer: unknown): readonly string[][] {
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) return [];
  return [
    pointer
      .slice(1)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
  ];
}

/** Returns the field names of a jq expression that is only a path: `.spec.replicas`. */
function parseJqPath(expression: unknown): readonly string[][] {
  if (typeof expression !== 'string' || !/^(\.[A-Za-z_][A-Za-z0-9_]*)+$/.test(expression.trim())) return [];
  return [expression.trim().slice(1).split('.')];
}

function readIgnoredFields(entry: Fields): IgnoredFields {
  const { group, kind, name, namespace } = entry;
  return {
    group: typeof group === 'string' ? group : '',
    kind: typeof kind === 'string' ? kind : '',
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
    paths: [...getListAt(entry, 'jsonPointers').flatMap(parsePointer), ...getListAt(entry, 'jqPathExpressions').flatMap(parseJqPath)],
    managers: getListAt(entry, 'managedFieldsManagers').filter((manager) => typeof manager === 'string'),
  };
}

/** Lists the folders of an Application, without those of one that an ApplicationSet fills in. */
function listApplicationFolders(spec: Fields): readonly Pick<DeploySource, 'folder' | 'readsOneFolder'>[] {
  const sources = [spec.source, ...getListAt(spec, 'sources')].filter(isFields);
  return sources
    .filter(({ chart }) => chart === undefined)
    .map(({ path, directory, plugin }) => ({
      ...(!(typeof path === 'string' && path.includes('{{')) && { folder: normalizeFolder(path) }),
      ...(getValueAt(directory, 'recurse') !== true && plugin === undefined && { readsOneFolder: true as const }),
    }));
}

/** Reads an Application, or the template of an ApplicationSet. */
function readApplication(object: Manifest, spec: Fields): DeploySource[] {
  const options = getListAt(spec, 'syncPolicy', 'syncOptions').filter((option) => typeof option === 'string');
  const keepsIgnored = options.includes('RespectIgnoreDifferences=true');
  const base = options.includes('ServerSideApply=true') ? ARGO_CD_SERVER_SIDE : ARGO_CD;
  const replaces = options.includes('Replace=true');
  const forces = options.includes('Force=true');
  const applier: Applier = {
    ...base,
    ...(replaces && { method: 'replace' as const }),
    ...(forces && base.method === 'client' && { recreatesOnRefusal: () => true }),
    ...(forces && base.method === 'server' && !replaces && { refuses: () => FORCE_ERROR }),
    ...(forces && replaces && { recreatesAlways: () => true }),
    ...(options.includes('PruneLast=true') && { deletesLast: () => true }),
    ...createDeletionRules(options),
  };
  const namespace = getValueAt(spec, 'destination', 'namespace');
  const prunes = getValueAt(spec, 'syncPolicy', 'automated', 'prune') === true;
  return listApplicationFolders(spec).map((folder) => ({
    object,
    applier,
    ...folder,
    ...(prunes && { prunes: true as const }),
    ...(typeof namespace === 'string' && (namespace.includes('{{') ? { isAnyNamespace: true as const } : { namespace })),
    keptFields: keepsIgnored ? getListAt(spec, 'ignoreDifferences').filter(isFields).map(readIgnoredFields) : [],
  }));
}

/** How the kinds of deploy sources are read, by group and kind. */
const SOURCE_READERS: Readonly<Record<string, (object: Manifest) => readonly DeploySource[]>> = {
  'kustomize.toolkit.fluxcd.io/Kustomization': (object) => [readKustomization(object)],
  'helm.toolkit.fluxcd.io/HelmRelease': (object) => [readHelmRelease(object)],
  'argoproj.io/Application': (object) => readApplication(object, getFieldsAt(object, 'spec')),
  'argoproj.io/ApplicationSet': (object) => readApplication(object, getFieldsAt(object, 'spec', 'template', 'spec')),
};

/** Returns the deploy sources among the objects in view: Kustomizations and HelmReleases of Flux, Applications and ApplicationSets of Argo CD. */
export function collectDeploySources(objects: Iterable<Manifest>): readonly DeploySource[] {
  const sources: DeploySource[] = [];
  for (const object of objects) {
    const read = getOwnValue(SOURCE_READERS, kindKeyOf(object));
    for (const source of read?.(object) ?? []) sources.push(source);
  }
  return sources;
}

/**
 * Returns how many folder names two paths share at their ends, if one of them ends with the other; undefined if none does.
 * The root of the repository is not known, so `new` may be `24-argo/new`.
 */
function countSharedEnd(folder: string, other: string): number | undefined {
  const [names, others] = [folder, other].map((path) => path.split('/').toReversed()) as [string[], string[]];
  const length = Math.min(names.length, others.length);
  return names.slice(0, length).every((name, index) => name === others[index]) ? length : undefined;
}

/** Lists the names of the folders of a file. That of a revision begins with its name: `git:HEAD:apps/web.yaml`. */
export function listFoldersOf(file: string): readonly string[] {
  return normalizeFolder(file.split(/[/:]/).join('/')).split('/').slice(0, -1);
}

/** Reports whether a source does not read a file, or the file of a folder with a marker, because it is in a folder below that of the source. */
export function isBelowReadFolder({ folder, readsOneFolder }: DeploySource, file: string): boolean {
  if (folder === undefined || folder === '' || readsOneFolder !== true) return false;
  const names = listFoldersOf(file);
  const isIn = (length: number) => countSharedEnd(folder, names.slice(0, length).join('/')) !== undefined;
  return !isIn(names.length) && names.some((_, index) => isIn(index + 1));
}

/**
 * Returns the folder in which the repository then begins, if a folder may be that of a source; undefined if it may not be. The root of the
 * repository is not known, so `x/apps` may be `apps` of a repository in `x`.
 *
 * @param path - path of the folder
 * @param below - its path below the given PATH
 */
export function findRepositoryRoot({ folder }: DeploySource, path: string, below: string): string | undefined {
  if (folder === undefined || folder === '' || countSharedEnd(folder, normalizeFolder(path)) === undefined) return undefined;
  const names = normalizeFolder(below).split('/');
  return names.slice(0, Math.max(names.length - folder.split('/').length, 0)).join('/');
}

/** Reports whether a file may be in the folder of a source, by the names of the folders around it. */
export function matchesFolder({ folder }: DeploySource, names: readonly string[]): boolean {
  if (folder === undefined || folder === '') return folder === '';
  if (`/${names.join('/')}/`.includes(`/${folder}/`)) return true;
  // The root of the repository is not known, so the file may be in a folder that the folder of the source ends with.
  return names.slice(0, folder.split('/').length).some((_, index) => `/${folder}`.endsWith(`/${names.slice(0, index + 1).join('/')}`));
}

/** Reports whether an object has the labels or annotations that Flux and Argo CD put on what a source makes them apply. */
export function isNamedByLabels({ object, applier }: DeploySource, applied: Manifest): boolean {
  const labels = getFieldsAt(applied, 'metadata', 'labels');
  if (applier.mode === 'flux') {
    const toolkit = applier.tool === 'flux' ? 'kustomize' : 'helm';
    return (
      labels[`${toolkit}.toolkit.fluxcd.io/name`] === nameOf(object) &&
      labels[`${toolkit}.toolkit.fluxcd.io/namespace`] === (namespaceOf(object) ?? 'flux-system')
    );
  }
  const [tracked] = (annotationOf(applied, 'argocd.argoproj.io/tracking-id') ?? '').split(':');
  return (
    tracked === nameOf(object) ||
    tracked === `${namespaceOf(object) ?? 'argocd'}_${nameOf(object)}` ||
    labels['argocd.argoproj.io/instance'] === nameOf(object)
  );
}

/** Lists the names of the sources that may have put labels or annotations on an object. */
export function listLabeledNames(applied: Manifest): readonly string[] {
  const labels = Object.values(getFieldsAt(applied, 'metadata', 'labels')).filter((value) => typeof value === 'string');
  const [tracked] = (annotationOf(applied, 'argocd.argoproj.io/tracking-id') ?? '').split(':');
  return [...new Set([...labels, tracked!, tracked!.split('_').at(-1)!])];
}
