import { getFieldsAt, getListAt, getOwnValue, getValueAt, isFields, kindKeyOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { toSafeText } from '../core/text/value-text';

/** A folder of a repository that an object names. */
export interface SourcePath {
  /** Field that names it, without indices: `spec.sources.path`. */
  readonly field: string;
  /** Folder as it is written. */
  readonly path: string;
}

function toSourcePaths(field: string, values: readonly unknown[]): readonly SourcePath[] {
  return values.flatMap((path) => (typeof path === 'string' && path !== '' ? [{ field, path }] : []));
}

/** The root of the repository, which Flux and Fleet read if no folder is named. */
const ROOT = './';

/** Lists the folders of the sources of an Application. One that an ApplicationSet fills in may be any of the repository, so it is the root. */
function listApplicationPaths(object: Manifest, ...spec: string[]): readonly SourcePath[] {
  const pathOf = (source: unknown) => (isFields(source) && source.chart === undefined ? source.path : undefined);
  const field = spec.join('.');
  const paths = [
    ...toSourcePaths(`${field}.source.path`, [pathOf(getValueAt(object, ...spec, 'source'))]),
    ...toSourcePaths(`${field}.sources.path`, getListAt(object, ...spec, 'sources').map(pathOf)),
  ];
  return paths.map((each) => (each.path.includes('{{') ? { ...each, path: ROOT } : each));
}

/** Lists the folder of a chart, if a HelmRelease takes it from a repository of files. */
function listChartPaths(object: Manifest): readonly SourcePath[] {
  const { chart, sourceRef } = getFieldsAt(object, 'spec', 'chart', 'spec');
  const isFolder = ['GitRepository', 'Bucket'].includes(toSafeText(getValueAt(sourceRef, 'kind')));
  return isFolder ? toSourcePaths('spec.chart.spec.chart', [chart]) : [];
}

/** Returns the folders before the first name that is a pattern: `apps/*` is `apps`. */
function cutPattern(path: string): string {
  const names = path.split('/');
  const index = names.findIndex((name) => /[*?[\\]/.test(name));
  return index < 0 ? path : names.slice(0, index).join('/');
}

/** How the kinds that deploy folders name them, by group and kind. */
const READERS: Readonly<Record<string, (object: Manifest) => readonly SourcePath[]>> = {
  'kustomize.toolkit.fluxcd.io/Kustomization': (object) => toSourcePaths('spec.path', [getValueAt(object, 'spec', 'path') || ROOT]),
  'helm.toolkit.fluxcd.io/HelmRelease': listChartPaths,
  'argoproj.io/Application': (object) => listApplicationPaths(object, 'spec'),
  'argoproj.io/ApplicationSet': (object) => listApplicationPaths(object, 'spec', 'template', 'spec'),
  // Fleet searches the folders that match a pattern.
  'fleet.cattle.io/GitRepo': (object) => {
    const paths = getListAt(object, 'spec', 'paths');
    return toSourcePaths('spec.paths', paths.length === 0 ? [ROOT] : paths).map(({ field, path }) => ({
      field,
      path: cutPattern(path) || ROOT,
    }));
  },
};

/** Lists the folders of a repository that an object makes its tool apply. */
export function listSourcePaths(object: Manifest): readonly SourcePath[] {
  return getOwnValue(READERS, kindKeyOf(object))?.(object) ?? [];
}
