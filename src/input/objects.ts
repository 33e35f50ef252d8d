import { isFields, isManifest } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** An object of a document. */
export interface FoundObject {
  readonly object: Manifest;
  /** The part of the document that it is; the object itself, unless a list implies its apiVersion and kind. */
  readonly item: object;
  /** The list that it is an item of, and which one. */
  readonly list?: readonly unknown[];
  readonly index?: number;
}

/** An item of a typed list leaves out the apiVersion and kind that its list implies, as API servers answer. */
function itemOf(list: Manifest, item: unknown): unknown {
  const kind = list.kind.slice(0, -'List'.length);
  if (kind === '' || !isFields(item) || (item.apiVersion !== undefined && item.kind !== undefined)) return item;
  return { ...item, apiVersion: list.apiVersion, kind };
}

/**
 * The Kubernetes objects of one document: itself, or the items of a `List` (or `DeploymentList`, …), lists in lists included.
 *
 * What has no apiVersion and kind is left out. Source: apimachinery v0.34 `unstructuredJSONScheme`, kubectl's flattening visitor.
 */
export function objectsOf(document: unknown): FoundObject[] {
  const found: FoundObject[] = [];
  const visit = (object: unknown, item: unknown, list?: readonly unknown[], index?: number): void => {
    if (!isManifest(object)) return;
    if (object.kind.endsWith('List') && Array.isArray(object.items)) {
      const items = object.items as readonly unknown[];
      items.forEach((inner, position) => visit(itemOf(object, inner), inner, items, position));
    } else {
      found.push({ object, item: item as object, list, index });
    }
  };
  visit(document, document);
  return found;
}
