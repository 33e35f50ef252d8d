/** Metadata as far as a rollout needs it; the rest passes through. */
export interface ObjectMeta {
  /** Unique among the objects of the kind in its namespace. @default - none */
  readonly name?: string;
  /** Where the object stands. @default - the one that it is applied to */
  readonly namespace?: string;
  /** What selectors go by. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** What controllers and tools read beside the spec. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** A Kubernetes object as plain data. */
export interface Manifest {
  /** Group and version: `apps/v1`; of the core group the version alone. */
  readonly apiVersion: string;
  /** The object's kind: `Deployment`. */
  readonly kind: string;
  /** Name, namespace, labels, annotations. @default - none */
  readonly metadata?: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Plain data with named fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Is this a map, not a list and not null? */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Is this an instance of a class and no plain data? No file holds one: it is a token of an adapter, such as cdk8s' `Lazy`,
 * whose value is known only when the manifest is written.
 */
export function isClassInstance(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  // The prototype of plain maps is the end of the chain, in whichever realm they were made.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/** Is this a Kubernetes object: a map with apiVersion and kind? */
export function isManifest(value: unknown): value is Manifest {
  return isFields(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string';
}

/** The group of an apiVersion: `apps` for `apps/v1`, empty for the core group's `v1`. */
export function groupOf(object: Pick<Manifest, 'apiVersion'>): string {
  const slash = object.apiVersion.indexOf('/');
  return slash < 0 ? '' : object.apiVersion.slice(0, slash);
}

/** A name or namespace as text, whatever type the YAML gave it: a number as name is a finding, and still has to be named. */
function toNameText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function nameOf(object: Manifest): string {
  return (isFields(object.metadata) ? toNameText(object.metadata.name) : undefined) ?? '';
}

export function namespaceOf(object: Manifest): string | undefined {
  return isFields(object.metadata) ? toNameText(object.metadata.namespace) : undefined;
}

/** An object as a message names it: `Deployment shop/web`. */
export function describeObject(object: Manifest): string {
  const namespace = namespaceOf(object);
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${nameOf(object)}`;
}

/** An object's annotation, if it is text. */
export function annotationOf(object: Manifest, name: string): string | undefined {
  const annotations = isFields(object.metadata) ? object.metadata.annotations : undefined;
  const value = isFields(annotations) ? getOwnValue(annotations, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** What a map holds under a name of the input's; nothing for those of every object, such as `constructor`. */
export function getOwnValue<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** The value at a chain of field names and list indexes; undefined where the chain breaks. */
export function getValueAt(object: unknown, ...fields: readonly (string | number)[]): unknown {
  let value = object;
  for (const field of fields) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[field];
  }
  return value;
}

const NO_FIELDS: Fields = Object.freeze({});
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

/** The map at a chain of field names; an empty one where there is none. */
export function getFieldsAt(object: unknown, ...fields: readonly (string | number)[]): Fields {
  const value = getValueAt(object, ...fields);
  return isFields(value) ? value : NO_FIELDS;
}

/** The list at a chain of field names; an empty one where there is none. */
export function getListAt(object: unknown, ...fields: readonly (string | number)[]): readonly unknown[] {
  const value = getValueAt(object, ...fields);
  return Array.isArray(value) ? value : NO_ITEMS;
}
