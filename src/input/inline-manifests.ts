import { basename } from 'node:path';
import { decodeBase64 } from '../core/values/bytes';
import {
  getFieldsAt,
  getListAt,
  getValueAt,
  groupOf,
  isFields,
  isManifest,
  nameOf,
  namespaceOf,
  kindKeyOf,
} from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { isMarker } from './marker-files';

/** Fields of an object that a reference does not have. Crossplane gives an object without metadata a name, and Kyverno generates one from data. */
const OBJECT_FIELDS = ['metadata', 'spec', 'data'];

/** Reports whether a value is an object and no reference to one. A StatefulSet may write the kind of its claims. */
function isInlineManifest(value: unknown): value is Manifest {
  return isManifest(value) && OBJECT_FIELDS.some((field) => Object.hasOwn(value, field)) && value.kind !== 'PersistentVolumeClaim';
}

/** Lists of containers, and the fields of a container whose texts are for its process. Only the process knows what it does with them. */
const CONTAINER_LISTS: ReadonlySet<string> = new Set(['containers', 'initContainers', 'ephemeralContainers']);
const PROCESS_FIELDS: ReadonlySet<string> = new Set(['command', 'args', 'env']);

/** Reports whether the texts of a field are for a process, by the names of the fields around it. */
export function isProcessText(path: readonly string[], name: string): boolean {
  return PROCESS_FIELDS.has(name) && path.some((around) => CONTAINER_LISTS.has(around));
}

/** Which objects and texts inside of an object matter. */
export interface InlineSearch {
  readonly isPlanned: (object: Manifest) => boolean;
  /** Reports whether a text may contain an object. It does not read the text. */
  readonly mayContainObject: (text: string) => boolean;
  /** Reports whether a text contains objects that plans read. */
  readonly containsPlanned: (text: string) => boolean;
  /** Reports whether the controller fills in the kind or the version of an object, so that it may be any. */
  readonly isFilledIn: (object: Manifest) => boolean;
}

/** Kinds whose texts are no objects to their controllers: data that anything may read, and descriptions. */
const TEXT_KINDS: ReadonlySet<string> = new Set(['/ConfigMap', '/Secret', 'apiextensions.k8s.io/CustomResourceDefinition']);

/** Reports whether a list has a kind that implies a planned one of its items, which then need none: `DeploymentList`. */
function isListOfPlanned({ apiVersion, kind, items }: Manifest, { isPlanned }: InlineSearch): boolean {
  return (
    Array.isArray(items) && items.length > 0 && kind.endsWith('List') && isPlanned({ apiVersion, kind: kind.slice(0, -'List'.length) })
  );
}

/** A text inside of an object that may contain objects. */
interface InlineText {
  readonly text: string;
  readonly path: readonly string[];
}

/** Finds the path of the first object inside of a value that plans read, and collects the texts before it. A text may have a thousand levels again, so it is not read here. */
function findInline(
  value: unknown,
  search: InlineSearch,
  path: readonly string[],
  texts: InlineText[] | undefined,
): readonly string[] | undefined {
  if (typeof value === 'string') {
    if (texts && search.mayContainObject(value)) texts.push({ text: value, path });
    return undefined;
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = findInline(item, search, path, texts);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isFields(value)) return undefined;
  if (path.length > 0 && isInlineManifest(value) && (search.isPlanned(value) || search.isFilledIn(value))) return path;
  if (path.length > 0 && isManifest(value) && isListOfPlanned(value, search)) return path;
  for (const [name, inner] of Object.entries(value)) {
    const isAside = path.length === 0 && (name === 'metadata' || name === 'status');
    const found = findInline(inner, search, [...path, name], isAside || isProcessText(path, name) ? undefined : texts);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reports whether a value of a text contains objects at any depth, and collects the texts inside of it. */
export function containsInlineManifest(value: unknown, search: InlineSearch, texts: string[]): boolean {
  const found: InlineText[] = [];
  if (findInline(value, search, ['text'], found) !== undefined) return true;
  for (const { text } of found) texts.push(text);
  return false;
}

/**
 * Returns the path, without indices, of the first object inside of another one that plans read, such as that of a ManifestWork, or of the first text
 * that contains one, such as a file of an App of kapp-controller; undefined if there is none. Its controller applies it, and no plan or guardrail is
 * about it.
 */
export function findInlineManifest(object: Manifest, search: InlineSearch): string | undefined {
  const texts: InlineText[] = [];
  const path = findInline(object, search, [], TEXT_KINDS.has(kindKeyOf(object)) ? undefined : texts);
  return (texts.find(({ text }) => search.containsPlanned(text))?.path ?? path)?.join('.');
}

/**
 * Finds the ConfigMaps and Secrets that a ClusterResourceSet of Cluster API applies to clusters and that contain objects that plans read, with the
 * path of the first. A Secret may be encoded. Source: cluster-api v1.10 exp/addons/internal/controllers/clusterresourceset_helpers.go.
 */
export function findAppliedData(objects: readonly Manifest[], { containsPlanned }: InlineSearch): readonly (readonly [Manifest, string])[] {
  const keyOf = (object: Manifest, kind: unknown, name: unknown) => JSON.stringify([namespaceOf(object) ?? 'default', kind, name]);
  const isSet = (object: Manifest) => groupOf(object) === 'addons.cluster.x-k8s.io' && object.kind === 'ClusterResourceSet';
  const applied = new Set(
    objects
      .filter(isSet)
      .flatMap((set) => getListAt(set, 'spec', 'resources').map((each) => keyOf(set, getValueAt(each, 'kind'), getValueAt(each, 'name')))),
  );
  if (applied.size === 0) return [];
  return objects.flatMap((object) => {
    if (groupOf(object) !== '' || !applied.has(keyOf(object, object.kind, nameOf(object)))) return [];
    const encodes = object.kind === 'Secret';
    const texts = [
      ...Object.entries(getFieldsAt(object, 'data')).map(([name, text]) => ['data', name, encodes ? decode(text) : text] as const),
      ...Object.entries(getFieldsAt(object, 'stringData')).map(([name, text]) => ['stringData', name, text] as const),
    ];
    const found = texts.find(([, , text]) => typeof text === 'string' && containsPlanned(text));
    return found ? [[object, `${found[0]}.${found[1]}`] as const] : [];
  });
}

/** Decodes a value of a Secret. The API server refuses one that is not base64. */
function decode(text: unknown): unknown {
  try {
    return typeof text === 'string' ? decodeBase64(text) : text;
  } catch {
    return undefined;
  }
}

/** Reports whether the text of a file in a Bundle is not that of a manifest: it is encoded, a template, or a file with which a tool builds others. */
function isBuilt({ name, content, encoding }: Readonly<Record<string, unknown>>): boolean {
  if (content === undefined || content === null || content === '') return false;
  const isPlain = typeof content === 'string' && (encoding === undefined || encoding === null || encoding === '');
  return !isPlain || content.includes('{{') || (typeof name === 'string' && isMarker(basename(name)));
}

/**
 * Reports whether a Bundle of Fleet contains files from which Fleet may apply objects that plans read.
 *
 * @param mayContainObjects - reports whether a text may contain such objects
 */
export function hasInlineFiles(object: Manifest, mayContainObjects: (text: string) => boolean): boolean {
  if (groupOf(object) !== 'fleet.cattle.io' || object.kind !== 'Bundle') return false;
  return getListAt(object, 'spec', 'resources').some((resource) => {
    if (!isFields(resource)) return false;
    const content = getValueAt(resource, 'content');
    return isBuilt(resource) || (typeof content === 'string' && mayContainObjects(content));
  });
}
