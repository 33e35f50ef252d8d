import { isFields, isManifest } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** An object of a document. */
export interface FoundObject {
  readonly object: Manifest;
  /** The keys and positions that lead to it from the document: none, or those of the list that it is an item of. */
  readonly trail: readonly (string | number)[];
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
  const visit = (object: unknown, trail: readonly (string | number)[]): void => {
    if (!isManifest(object)) return;
    if (object.kind.endsWith('List') && Array.isArray(object.items)) {
      const items = object.items as readonly unknown[];
      items.forEach((inner, index) => visit(itemOf(object, inner), [...trail, 'items', index]));
    } else {
      found.push({ object, trail });
    }
  };
  visit(document, []);
  return found;
}

/** What is left of an object that nobody looks into: what it is, and its metadata. It shares no text with its file, which can be let go. */
export function outlineOf({ apiVersion, kind, metadata }: Manifest): Manifest {
  return JSON.parse(JSON.stringify({ apiVersion, kind, metadata })) as Manifest;
}
