import { isFields, isManifest } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** The keys and positions that lead to a value from its document: none, or those of the list that it is an item of. */
type ValuePath = readonly (string | number)[];

/** Of most objects, which are a document of their own: kept with each of them, and so one for all. */
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

/** What a document comes to, lists taken apart. */
export interface FlattenedDocument {
  readonly objects: readonly DocumentObject[];
  readonly nonObjects: readonly NonObjectItem[];
}

/** An item of a typed list leaves out the apiVersion and kind that its list implies, as API servers answer. */
function resolveItem(list: Manifest, item: unknown): unknown {
  const kind = list.kind.slice(0, -'List'.length);
  if (kind === '' || !isFields(item) || item.apiVersion !== undefined || item.kind !== undefined) return item;
  return { ...item, apiVersion: list.apiVersion, kind };
}

/**
 * The Kubernetes objects of one document: itself, or the items of a `List` (or `DeploymentList`, …), lists in lists included.
 *
 * A document without apiVersion and kind holds none; an item without them is told, for kubectl refuses the whole list.
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
