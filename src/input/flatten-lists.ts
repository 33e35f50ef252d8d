import { isFields, isManifest } from '../core/manifest';
import type { Manifest } from '../core/manifest';

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
}

/** The contents of a document, with lists flattened. */
export interface FlattenedDocument {
  readonly objects: readonly DocumentObject[];
  readonly nonObjects: readonly NonObjectItem[];
}

/** Adds the apiVersion and kind that a typed list implies. API servers omit them in the items that they return. */
function resolveItem(list: Manifest, item: unknown): unknown {
  const kind = list.kind.slice(0, -'List'.length);
  if (kind === '' || !isFields(item) || item.apiVersion !== undefined || item.kind !== undefined) return item;
  return { ...item, apiVersion: list.apiVersion, kind };
}

/**
 * Returns the Kubernetes objects of one document: itself, or the items of a `List` (or `DeploymentList`, …), including nested lists.
 *
 * A document without apiVersion and kind contains none. An item without them is reported, since kubectl refuses the entire list.
 * Source: apimachinery v0.34 `unstructuredJSONScheme`, kubectl's flattening visitor.
 */
export function flattenLists(document: unknown): FlattenedDocument {
  const objects: DocumentObject[] = [];
  const nonObjects: NonObjectItem[] = [];
  const visit = (object: Manifest, trail: ValuePath): void => {
    if (!object.kind.endsWith('List') || !Array.isArray(object.items)) {
      objects.push({ object, trail });
      return;
    }
    (object.items as readonly unknown[]).forEach((inner, index) => {
      const [item, itemTrail] = [resolveItem(object, inner), [...trail, 'items', index]];
      if (isManifest(item)) visit(item, itemTrail);
      else nonObjects.push({ value: inner, trail: itemTrail });
    });
  };
  if (isManifest(document)) visit(document, ROOT_PATH);
  return { objects, nonObjects };
}
