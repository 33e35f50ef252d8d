import { posix } from 'node:path';
import { getListAt, getOwnValue, getValueAt, isFields } from '../../core/manifest/manifest';
import { isKustomization } from '../../core/sources/kustomization-kind';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { isSingleDocument, readFirstMap, readPlainMap } from '../first-map';
import { isFieldUnset } from '../known-fields';
import { readAddedLabels } from './kustomize-labels';
import { KUSTOMIZATION_FILES } from '../marker-files';
import type { AddedLabels } from './kustomize-labels';

/** Files that a kustomization refers to, and its effect on them. */
export interface Kustomization {
  /** Patch files, as the kustomization writes them. */
  readonly patches: readonly string[];
  /** Folders, URLs and files without the name of a manifest that it includes, as it writes them. */
  readonly externalEntries: readonly string[];
  /** Files, folders and URLs that it includes, as it writes them. */
  readonly entries: readonly string[];
  /** Entries of `components`, which must be folders with a component. */
  readonly components: readonly string[];
  /** Entries of `resources` and `bases`, which it reads as complete objects. No folder of them may be a component. */
  readonly resources: readonly string[];
  /** Its fields that add metadata. */
  readonly addingFields: readonly string[];
  /** Whether it has fields whose effect its files do not show, or cannot be read. */
  readonly changesObjects: boolean;
  /** Whether it has such fields besides those that only change names and images, on which no rollout depends. */
  readonly changesPods: boolean;
  /** Whether it is a component. What deploys its folder builds it like any other, and a kustomization that includes it builds it as a part. */
  readonly isComponent: boolean;
  /** Whether it changes objects but includes none. Another program must pass them in, as Fleet does with the objects of a chart. */
  readonly hasOnlyPatches: boolean;
  /** Namespace that it gives to the objects it includes. @default - none */
  readonly namespace?: string;
  /** Labels and annotations that it adds to the objects it includes. @default - none */
  readonly labels?: AddedLabels;
}

/** A kustomization that cannot be read, so that it may change anything. */
export const UNREAD_KUSTOMIZATION: Kustomization = {
  patches: [],
  externalEntries: [],
  entries: [],
  components: [],
  resources: [],
  addingFields: [],
  changesObjects: true,
  changesPods: true,
  isComponent: false,
  hasOnlyPatches: false,
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Reports whether kustomize reads a value as a map of texts. */
function isTextMap(value: unknown): boolean {
  return isFields(value) && Object.values(value).every((text) => text === null || isText(text));
}

function isEmptyMap(value: unknown): boolean {
  return isFields(value) && Object.keys(value).length === 0;
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

/** Reports whether kustomize may include a file or folder. It refuses an empty entry, and a kustomization in place of its folder. */
function isEntry(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !KUSTOMIZATION_FILES.includes(posix.basename(value));
}

function isEntryList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isEntry);
}

/** Values that a kustomization may have, by the names of their fields. */
type KnownValues = Readonly<Record<string, (value: unknown) => boolean>>;

/**
 * Reports whether a map has only fields with such values. Kustomize takes only null for a value of any type: it refuses an empty text for a list.
 * Null under another name can still remove a list, since kustomize decodes `reſources` as `resources`.
 */
function hasOnlyKnown(map: unknown, known: KnownValues): boolean {
  if (!isFields(map)) return false;
  return Object.entries(map).every(([name, value]) => {
    const isKnownValue = getOwnValue(known, name);
    return isKnownValue !== undefined && (value === null || isKnownValue(value));
  });
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const LABELS: KnownValues = { pairs: isTextMap, includeSelectors: isBoolean, includeTemplates: isBoolean, fields: isEmptyList };

function isLabelList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => hasOnlyKnown(entry, LABELS));
}

const METADATA: KnownValues = { name: isText, namespace: isText, labels: isTextMap, annotations: isTextMap };

/** Lists of a kustomization that change nothing if they are empty. */
const OTHER_LISTS = [
  'buildMetadata',
  'configMapGenerator',
  'configurations',
  'crds',
  'generators',
  'helmCharts',
  'images',
  'patches',
  'patchesJson6902',
  'patchesStrategicMerge',
  'replacements',
  'replicas',
  'secretGenerator',
  'transformers',
  'validators',
  'vars',
];

/** Fields of which only null changes nothing. */
const OTHER_FIELDS = ['generatorOptions', 'helmChartInflationGenerator', 'helmGlobals', 'openapi', 'sortOptions'];

function isNothing(): boolean {
  return false;
}

function isAny(): boolean {
  return true;
}

/**
 * Fields whose effect the plan of the files shows. Labels, annotations and the namespace are added as kustomize does. It decodes the names of
 * fields in any case, so `Resources` is another field that counts as unknown. It refuses a value of another type.
 */
const KNOWN_FIELDS: KnownValues = {
  ...Object.fromEntries(OTHER_LISTS.map((name) => [name, isEmptyList])),
  ...Object.fromEntries(OTHER_FIELDS.map((name) => [name, isNothing])),
  namePrefix: (value) => value === '',
  nameSuffix: (value) => value === '',
  apiVersion: (value) => ['', 'kustomize.config.k8s.io/v1beta1', 'kustomize.config.k8s.io/v1alpha1'].includes(value as string),
  kind: (value) => ['', 'Kustomization', 'Component'].includes(value as string),
  metadata: (value) => hasOnlyKnown(value, METADATA),
  resources: isEntryList,
  bases: isEntryList,
  components: isEntryList,
  namespace: (value) => typeof value === 'string' && !value.includes('${'),
  commonLabels: isTextMap,
  commonAnnotations: isTextMap,
  labels: isLabelList,
};

/** Fields that add metadata. */
const ADDING_FIELDS: readonly string[] = ['commonLabels', 'commonAnnotations', 'labels'];

/** Fields that no rollout depends on, although they change objects. */
const RENAMING_FIELDS: KnownValues = { ...KNOWN_FIELDS, images: isAny, namePrefix: isAny, nameSuffix: isAny };

/** Fields that only change the objects that it includes. */
const PATCHING_FIELDS: KnownValues = {
  ...RENAMING_FIELDS,
  labels: isAny,
  patches: isAny,
  patchesStrategicMerge: isAny,
  patchesJson6902: isAny,
  replicas: isAny,
  replacements: isAny,
  vars: isAny,
  configurations: isAny,
};

/** Fields that include files and folders. */
export const INCLUDING_FIELDS: readonly string[] = ['resources', 'bases', 'components'];

const MANIFEST_FILE = /\.(?:yaml|yml|json)$/;

/** Reports whether a file has the name of a manifest. */
export function isManifestFile(file: string): boolean {
  return MANIFEST_FILE.test(file);
}

function filterStrings(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

function listPatchFiles(kustomization: unknown): string[] {
  const patches = [...getListAt(kustomization, 'patches'), ...getListAt(kustomization, 'patchesJson6902')];
  return filterStrings([...patches.map((patch) => getValueAt(patch, 'path')), ...getListAt(kustomization, 'patchesStrategicMerge')]);
}

/** A path that leads out of the folder, or that kustomize may read as a URL. */
const OUTER_PATH = /^\/|(?:^|\/)\.\.(?:\/|$)|:/;

/** An entry that kustomize may fetch, whatever folder has its name. Source: kustomize api v0.21.1 internal/git/repospec.go, `extractHost`. */
const REMOTE_ENTRY = /:|^github\.com\/|^[a-z][a-z\d-]*@/i;

/** Reports whether kustomize may take an entry for a URL instead of a folder or file of the repository. */
export function isRemoteEntry(entry: string): boolean {
  return REMOTE_ENTRY.test(entry);
}

function isExternalEntry(entry: string): boolean {
  return OUTER_PATH.test(entry) || !isManifestFile(entry);
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
function parseKustomization(value: Fields): Kustomization {
  const labels = readAddedLabels(value);
  const entries = INCLUDING_FIELDS.flatMap((field) => filterStrings(getListAt(value, field)));
  const isComponent = value.kind === 'Component';
  // What a component adds is added to the objects of the kustomization around it too.
  const addingFields = ADDING_FIELDS.filter((field) => !isFieldUnset(value[field]) && !isEmptyMap(value[field]));
  const addsToOthers = isComponent && addingFields.length > 0;
  const movesOthers = isComponent && value.namespace !== undefined;
  const changesObjects = !hasOnlyKnown(value, KNOWN_FIELDS) || addsToOthers || movesOthers;
  return {
    patches: listPatchFiles(value),
    externalEntries: entries.filter(isExternalEntry),
    entries,
    components: filterStrings(getListAt(value, 'components')),
    resources: filterStrings([...getListAt(value, 'resources'), ...getListAt(value, 'bases')]),
    addingFields,
    changesObjects: changesObjects || labels === 'too-many',
    changesPods: !hasOnlyKnown(value, RENAMING_FIELDS) || labels === 'too-many' || addsToOthers,
    isComponent,
    hasOnlyPatches: changesObjects && entries.length === 0 && hasOnlyKnown(value, PATCHING_FIELDS),
    ...(typeof value.namespace === 'string' && value.namespace !== '' && { namespace: value.namespace }),
    ...(labels !== undefined && labels !== 'too-many' && { labels }),
  };
}

/** Reports whether an object is a kustomization whose files do not show what it builds. */
export function isUnbuiltKustomization(object: Manifest): boolean {
  if (!isKustomization(object)) return false;
  const { changesObjects, externalEntries } = parseKustomization(object);
  return changesObjects || externalEntries.length > 0;
}

/** Reads a kustomization. One that cannot be read, or has a key twice or several documents, may change anything. */
export function readKustomization(text: string): Kustomization {
  const value = readFirstMap(text);
  if (!value) return UNREAD_KUSTOMIZATION;
  const kustomization = parseKustomization(value);
  return readPlainMap(text) && isSingleDocument(text) ? kustomization : { ...kustomization, changesObjects: true, changesPods: true };
}
