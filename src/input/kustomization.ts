import { isFields, getListAt, getValueAt } from '../core/manifest';
import { isKustomization } from '../core/kustomization-kind';
import type { Fields, Manifest } from '../core/manifest';
import { sortBy } from '../core/sort-by';
import { DocumentText } from './yaml';
import { writesOtherFields, readAddedLabels } from './kustomize-labels';
import type { AddedLabels } from './kustomize-labels';

/** Files that a kustomization refers to, and its effect on them. */
export interface Kustomization {
  /** Patch files, as the kustomization writes them. */
  readonly patches: readonly string[];
  /** Folders, URLs and files without the name of a manifest that it includes, as it writes them. */
  readonly externalEntries: readonly string[];
  /** Files, folders and URLs that it includes, as it writes them. */
  readonly entries: readonly string[];
  /** Entries of `resources`, which it reads as complete objects. */
  readonly resources: readonly string[];
  /** Whether it changes more than names and labels of the objects it includes, so that its files do not show the result. */
  readonly changesObjects: boolean;
  /** Whether it is a component. What deploys its folder builds it like any other, and a kustomization that includes it builds it as a part. */
  readonly isComponent: boolean;
  /** Whether it changes objects but includes none. Another program must pass them in, as Fleet does with the objects of a chart. */
  readonly hasOnlyPatches: boolean;
  /** Namespace that it gives to the objects it includes. @default - none */
  readonly namespace?: string;
  /** Labels and annotations that it adds to the objects it includes. @default - none */
  readonly labels?: AddedLabels;
}

const EMPTY_KUSTOMIZATION: Kustomization = {
  patches: [],
  externalEntries: [],
  entries: [],
  resources: [],
  changesObjects: false,
  isComponent: false,
  hasOnlyPatches: false,
};

/**
 * Fields that make pods differ from the files. Labels and annotations are none of them, because they are added as kustomize does.
 * `configurations` make it write images, annotations and prefixes into any field, such as the type of a strategy.
 * Images and generated ConfigMaps do not affect any rollout here.
 */
const CHANGING_FIELDS: readonly string[] = [
  'patches',
  'patchesStrategicMerge',
  'patchesJson6902',
  'replicas',
  'replacements',
  'vars',
  'configurations',
  'generators',
  'transformers',
  'helmCharts',
  'helmChartInflationGenerator',
];

/** Fields that generate objects. */
const GENERATING_FIELDS: readonly string[] = [
  'generators',
  'helmCharts',
  'helmChartInflationGenerator',
  'configMapGenerator',
  'secretGenerator',
];

/** Fields that include files and folders. */
const INCLUDING_FIELDS: readonly string[] = ['resources', 'bases', 'components'];

/** Lists whose entries are maps that are read here. */
const ENTRY_LISTS = ['labels', 'patches', 'patchesJson6902'];

/** Folds the case of a name as Go does: also that of the long s and the Kelvin sign. */
function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase();
}

const FIELDS_BY_FOLDED_NAME: ReadonlyMap<string, string> = new Map(
  [
    ...CHANGING_FIELDS,
    ...GENERATING_FIELDS,
    ...INCLUDING_FIELDS,
    'kind',
    'namespace',
    'commonLabels',
    'commonAnnotations',
    'labels',
    'pairs',
    'includeSelectors',
    'includeTemplates',
    'fields',
    'path',
  ].map((name) => [foldCase(name), name]),
);

const MANIFEST_FILE = /\.(?:yaml|yml|json)$/;

function filterStrings(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

/**
 * Returns a map with its field names in the case that kustomize documents. It decodes fields as Go does, so `Replicas` and `REPLICAS` are
 * `replicas`, and the last of them in the order of their code points wins.
 */
function normalizeFieldNames(map: Fields): Fields {
  const fields = sortBy(Object.entries(map), ([name]) => name);
  return Object.fromEntries(fields.map(([name, field]) => [FIELDS_BY_FOLDED_NAME.get(foldCase(name)) ?? name, field]));
}

/** Returns a kustomization, and the entries of its lists that are read here, with the field names that kustomize documents. */
function normalizeKustomization(document: Fields): Fields {
  const kustomization = normalizeFieldNames(document);
  const entries = ENTRY_LISTS.map((name) => [name, getListAt(kustomization, name).filter(isFields).map(normalizeFieldNames)]);
  return { ...kustomization, ...Object.fromEntries(entries) };
}

function listPatchFiles(kustomization: unknown): string[] {
  const patches = [...getListAt(kustomization, 'patches'), ...getListAt(kustomization, 'patchesJson6902')];
  return filterStrings([...patches.map((patch) => getValueAt(patch, 'path')), ...getListAt(kustomization, 'patchesStrategicMerge')]);
}

function isExternalEntry(entry: string): boolean {
  return entry.startsWith('../') || entry.includes('://') || !MANIFEST_FILE.test(entry);
}

/** Returns the object of a kustomization that omits its apiVersion or kind, as kustomize fills them in. */
export function toKustomizationObject(content: Fields): Manifest {
  const { apiVersion, kind } = content;
  const version = kind === 'Component' ? 'v1alpha1' : 'v1beta1';
  return {
    ...content,
    apiVersion: typeof apiVersion === 'string' ? apiVersion : `kustomize.config.k8s.io/${version}`,
    kind: typeof kind === 'string' ? kind : 'Kustomization',
  };
}

/** Reads the fields of a kustomization. */
function parseKustomization(document: Fields): Kustomization {
  const value = normalizeKustomization(document);
  const hasAnyOf = (fields: readonly string[]) => fields.some((field) => getListAt(value, field).length > 0);
  const labels = readAddedLabels(value);
  const entries = INCLUDING_FIELDS.flatMap((field) => filterStrings(getListAt(value, field)));
  return {
    patches: listPatchFiles(value),
    externalEntries: entries.filter(isExternalEntry),
    entries,
    resources: filterStrings(getListAt(value, 'resources')),
    changesObjects: hasAnyOf(CHANGING_FIELDS) || labels === 'too-many' || writesOtherFields(value),
    isComponent: value.kind === 'Component',
    hasOnlyPatches: hasAnyOf(CHANGING_FIELDS) && entries.length === 0 && !hasAnyOf(GENERATING_FIELDS),
    ...(typeof value.namespace === 'string' && { namespace: value.namespace }),
    ...(labels !== undefined && labels !== 'too-many' && { labels }),
  };
}

/** Reports whether an object is a kustomization whose files do not show what it builds. */
export function isUnbuiltKustomization(object: Manifest): boolean {
  if (!isKustomization(object)) return false;
  const { changesObjects, externalEntries } = parseKustomization(object);
  return changesObjects || externalEntries.length > 0;
}

/** Reads a kustomization. Returns an empty one if it cannot be read. */
export function readKustomization(text: string): Kustomization {
  try {
    const documents = new DocumentText(text);
    for (const chunk of documents.chunks()) {
      const value = 'problem' in chunk ? undefined : documents.valueOf(chunk).value;
      if (isFields(value)) return parseKustomization(value);
    }
  } catch {
    // The problem is reported when the file itself is read.
  }
  return EMPTY_KUSTOMIZATION;
}
