import { getListAt, getOwnValue, getValueAt, groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** Fields with which a source of Argo CD changes objects, or leaves some out. */
const SOURCE_FIELDS: readonly (readonly string[])[] = [
  ['kustomize', 'patches'],
  ['kustomize', 'replicas'],
  ['kustomize', 'components'],
  ['directory', 'exclude'],
  ['directory', 'include'],
  ['plugin'],
];

/** Reports whether a field has a value other than an empty one. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '';
}

function findSet(object: unknown, prefix: readonly string[], fields: readonly (readonly string[])[]): string | undefined {
  const found = fields.find((field) => isSet(getValueAt(object, ...prefix, ...field)));
  return found && [...prefix, ...found].join('.');
}

/** Returns the field of the spec of an Application with which it changes objects. */
function findInApplication(object: Manifest, path: readonly string[]): string | undefined {
  const spec = getValueAt(object, ...path);
  const inSources = getListAt(spec, 'sources').flatMap((source) => findSet(source, [], SOURCE_FIELDS) ?? []);
  const inSource = findSet(spec, ['source'], SOURCE_FIELDS);
  const found = inSource ?? (inSources[0] === undefined ? undefined : `sources.${inSources[0]}`);
  return found && [...path, found].join('.');
}

/** Returns the field of a bundle or a fleet.yaml that names overlays, which patch or replace its files. */
function findOverlays(options: unknown): string | undefined {
  const hasOverlays = (target: unknown) => isSet(getValueAt(target, 'yaml', 'overlays'));
  if (hasOverlays(options)) return 'yaml.overlays';
  return ['targetCustomizations', 'targets'].find((field) => getListAt(options, field).some(hasOverlays));
}

/** How the field is found, by the group and kind of what deploys a folder. */
const FINDERS: Readonly<Record<string, (object: Manifest) => string | undefined>> = {
  'kustomize.toolkit.fluxcd.io/Kustomization': (object) =>
    findSet(object, ['spec'], [['patches'], ['patchesStrategicMerge'], ['patchesJson6902'], ['components']]),
  'helm.toolkit.fluxcd.io/HelmRelease': (object) => findSet(object, ['spec'], [['postRenderers']]),
  'argoproj.io/Application': (object) => findInApplication(object, ['spec']),
  'argoproj.io/ApplicationSet': (object) =>
    findInApplication(object, ['spec', 'template', 'spec']) ?? findSet(object, ['spec'], [['templatePatch']]),
  'fleet.cattle.io/Bundle': ({ spec }) => findOverlays(spec),
  // The object of a fleet.yaml.
  'fleet.cattle.io/FleetYaml': ({ content }) => findOverlays(content),
};

/** Returns the field with which an object makes its tool apply other objects than the files of a folder; undefined if there is none. */
export function findAlteringField(object: Manifest): string | undefined {
  return getOwnValue(FINDERS, `${groupOf(object)}/${object.kind}`)?.(object);
}
