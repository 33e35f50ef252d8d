import { checkTime } from '../budget/deadline';
import { listClusterScopedGroups } from './cluster-scoped-kinds';

/** Metadata that a rollout needs; other fields are passed through. */
export interface ObjectMeta {
  /** Unique among the objects of the kind in its namespace. @default - none */
  readonly name?: string;
  /** Namespace of the object. @default - the one that it is applied to */
  readonly namespace?: string;
  /** Labels that selectors match. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations that controllers and tools read in addition to the spec. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** A Kubernetes object as plain data. */
export interface Manifest {
  /** Group and version: `apps/v1`; only the version for the core group. */
  readonly apiVersion: string;
  /** Kind of the object: `Deployment`. */
  readonly kind: string;
  /** Name, namespace, labels, annotations. @default - none */
  readonly metadata?: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Plain data with named fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reports whether a value is a map, not a list and not null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reports whether a value is an instance of a class instead of plain data. No file contains one. It is a token of an adapter, such as
 * cdk8s' `Lazy`, whose value is known only when the manifest is written.
 */
export function isClassInstance(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  // The prototype of a plain map has no prototype itself, in any realm.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/** Reports whether a value is a Kubernetes object: a map with apiVersion and kind. */
export function isManifest(value: unknown): value is Manifest {
  return isFields(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string';
}

/** Returns the group of an apiVersion: `apps` for `apps/v1`, empty for the core group's `v1`. */
export function groupOf(object: Pick<Manifest, 'apiVersion'>): string {
  const slash = object.apiVersion.indexOf('/');
  return slash < 0 ? '' : object.apiVersion.slice(0, slash);
}

/** Returns the group and the kind of an object: `apps/Deployment`, `/Pod`. */
export function kindKeyOf(object: Pick<Manifest, 'apiVersion' | 'kind'>): string {
  return `${groupOf(object)}/${object.kind}`;
}

/** Returns a map without some of its fields. */
export function omitFields(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Converts a name of any YAML type to text. A number as name is a finding, which must still name the object. */
function toNameText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function nameOf(object: Manifest): string {
  return (isFields(object.metadata) ? toNameText(object.metadata.name) : undefined) ?? '';
}

/** Returns the namespace that an object names. One that is no text, such as a number, is none for kubectl, which writes its own in its place. */
function readNamespace({ metadata }: Manifest): string | undefined {
  const namespace = isFields(metadata) ? metadata.namespace : undefined;
  return typeof namespace === 'string' || isClassInstance(namespace) ? toNameText(namespace) : undefined;
}

/**
 * Returns the namespace of an object. An empty one is none, and so is that of a cluster-scoped kind, which the API server drops.
 *
 * Source: k/k staging/src/k8s.io/apiserver/pkg/registry/rest/create.go, `EnsureObjectNamespaceMatchesRequestNamespace`; cli-runtime v0.34
 * pkg/resource/visitor.go, `SetNamespace`.
 */
export function namespaceOf(object: Manifest): string | undefined {
  const namespace = readNamespace(object);
  return !namespace || listClusterScopedGroups(object.kind).includes(groupOf(object)) ? undefined : namespace;
}

/** What names an object in a message. */
export interface ObjectReference {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Returns the kind, namespace and name of an object. */
export function objectReferenceOf(object: Manifest): ObjectReference {
  const namespace = namespaceOf(object);
  return { kind: object.kind, ...(namespace !== undefined && { namespace }), name: nameOf(object) };
}

/** What messages show in place of the name of an object without one, such as one with generateName. */
export const NO_NAME = '(without name)';

/** Formats the name of an object for a message: `Deployment shop/web`, or only `Deployment` if it has neither a namespace nor a name. */
export function formatReference({ kind, namespace, name }: ObjectReference): string {
  return namespace === undefined ? `${kind} ${name}`.trimEnd() : `${kind} ${namespace}/${name || NO_NAME}`;
}

/** Formats an object for a message: `Deployment shop/web`. */
export function describeObject(object: Manifest): string {
  return formatReference(objectReferenceOf(object));
}

/** Returns an annotation of an object if it is text. */
export function annotationOf(object: Fields, name: string): string | undefined {
  const annotations = isFields(object.metadata) ? object.metadata.annotations : undefined;
  const value = isFields(annotations) ? getOwnValue(annotations, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Reports whether an annotation has a value, whatever its case. */
export function hasAnnotationValue(object: Manifest, name: string, value: string): boolean {
  return annotationOf(object, name)?.trim().toLowerCase() === value;
}

/**
 * Reports whether an annotation or a label has a value, whatever its case. Flux reads both.
 *
 * Source: fluxcd/pkg ssa/utils, `AnyInMetadata`.
 */
export function hasMetadataValue(object: Manifest, name: string, value: string): boolean {
  return ['annotations', 'labels'].some((field) => {
    const found = getOwnValue(getFieldsAt(object, 'metadata', field), name);
    return typeof found === 'string' && found.toLowerCase() === value;
  });
}

/** Returns the uids of the owners that an object names, of any type that the manifest has. */
export function listOwnerUids(object: Manifest): unknown[] {
  return getListAt(object, 'metadata', 'ownerReferences').map((owner) => getValueAt(owner, 'uid'));
}

/** Returns the value of a map for a name from the input; undefined for inherited properties such as `constructor`. */
export function getOwnValue<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function followFields(object: unknown, fields: readonly (string | number)[]): unknown {
  // Every rule reads fields through this function, so no long list of an object escapes the clock.
  checkTime();
  let value = object;
  for (let index = 0; index < fields.length; index++) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[fields[index]!];
  }
  return value;
}

/** Returns the value at a chain of field names and list indexes; undefined if a part of the chain is missing. */
export function getValueAt(object: unknown, ...fields: readonly (string | number)[]): unknown {
  return followFields(object, fields);
}

const NO_FIELDS: Fields = Object.freeze({});
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

/** Returns the map at a chain of field names; an empty one if there is none. */
export function getFieldsAt(object: unknown, ...fields: readonly (string | number)[]): Fields {
  const value = followFields(object, fields);
  return isFields(value) ? value : NO_FIELDS;
}

/** Returns the list at a chain of field names; an empty one if there is none. */
export function getListAt(object: unknown, ...fields: readonly (string | number)[]): readonly unknown[] {
  const value = followFields(object, fields);
  return Array.isArray(value) ? value : NO_ITEMS;
}
