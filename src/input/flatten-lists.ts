import { isFields, isManifest } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';

/** The keys and indexes from a document to a value: empty, or those of a list item. */
type ValuePath = readonly (string | number)[];

/** The path of an object that is an entire document. One shared list, since most objects have it. */
const ROOT_PATH: ValuePath = Object.freeze([]);

/** An object of a document. */
export interface DocumentObject {
  readonly object: Manifest;
  readonly trail: ValuePath;
}

/** An item of a list that is no object. */
export interface NonObjectItem {
  readonly value: unknown;
  readonly trail: ValuePath;
  /** Whether the document is a list of Secrets, or contains one, in a nested list too. */
  readonly isBesideSecret: boolean;
}

/** The contents of a document, with lists flattened. */
export interface FlattenedDocument {
  readonly objects: readonly DocumentObject[];
  readonly nonObjects: readonly NonObjectItem[];
  /** Objects with a list of items whose kind is not that of a list. kubectl applies their items, not the objects. */
  readonly containers: readonly DocumentObject[];
}

/** A map with items, which kubectl reads as a list. */
type ListFields = Fields & { readonly kind: string; readonly items: readonly unknown[] | null };

const LIST_SUFFIX = 'List';

/** Reports whether kubectl reads a map as a list: it has a kind, whichever it is, and items. As a document, `items: null` is a list of nothing; in a list, it is a field of an object. */
function isList(value: unknown): value is ListFields {
  if (!isFields(value) || typeof value.kind !== 'string' || value.kind === '') return false;
  return Object.hasOwn(value, 'items') && (value.items === null || Array.isArray(value.items));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Adds the apiVersion and kind that a typed list implies. API servers omit them in the items that they return. */
function resolveItem({ kind, apiVersion }: ListFields, item: unknown): unknown {
  const itemKind = kind.endsWith(LIST_SUFFIX) ? kind.slice(0, -LIST_SUFFIX.length) : kind;
  if (itemKind === '' || !isFields(item) || isText(item.apiVersion) || isText(item.kind)) return item;
  return { ...item, apiVersion, kind: itemKind };
}

const SECRET_KIND = /secret/i;

function isOfSecretKind(value: unknown): boolean {
  return isFields(value) && typeof value.kind === 'string' && SECRET_KIND.test(value.kind);
}

/** Reports whether a list is one of Secrets, or contains one, in a nested list too. */
function hasSecret(list: ListFields): boolean {
  return isOfSecretKind(list) || list.items?.some((item) => (isList(item) ? hasSecret(item) : isOfSecretKind(item))) === true;
}

/**
 * Returns the Kubernetes objects of one document: itself, or its items, including nested lists. Any object with `items` is a list:
 * `kind: ConfigMap` with `items: [Deployment]` is a Deployment.
 *
 * A document without apiVersion and kind contains none. An item without them is reported, since kubectl refuses the entire list.
 * Source: apimachinery v0.34 `unstructuredJSONScheme`, kubectl's flattening visitor.
 */
export function flattenLists(document: unknown): FlattenedDocument {
  const objects: DocumentObject[] = [];
  const nonObjects: NonObjectItem[] = [];
  const containers: DocumentObject[] = [];
  const known = new Set<Manifest>();
  const addObject = (object: Manifest, trail: ValuePath): void => {
    // An alias of an item is another object, although it is the same value.
    objects.push({ object: known.has(object) ? { ...object } : object, trail });
    known.add(object);
  };
  const visitList = (list: ListFields, trail: ValuePath, isBesideSecret: boolean): void => {
    const object = isManifest(list) ? list : { ...list, apiVersion: '' };
    if (!list.kind.endsWith(LIST_SUFFIX)) containers.push({ object, trail });
    list.items?.forEach((inner, index) => {
      const [item, itemTrail] = [resolveItem(list, inner), [...trail, 'items', index]];
      if (isList(item) && item.items !== null) visitList(item, itemTrail, isBesideSecret);
      else if (isManifest(item)) addObject(item, itemTrail);
      else nonObjects.push({ value: item, trail: itemTrail, isBesideSecret });
    });
  };
  if (isList(document)) visitList(document, ROOT_PATH, hasSecret(document));
  else if (isManifest(document)) addObject(document, ROOT_PATH);
  return { objects, nonObjects, containers };
}
