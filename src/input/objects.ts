import { isFields, isManifest } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** The keys and positions that lead to a value from its document: none, or those of the list that it is an item of. */
type Trail = readonly (string | number)[];

/** Of most objects, which are a document of their own: kept with each of them, and so one for all. */
const NO_TRAIL: Trail = Object.freeze([]);

/** An object of a document. */
export interface FoundObject {
  readonly object: Manifest;
  readonly trail: Trail;
}

/** An item of a list that is no object. */
export interface StrangeItem {
  readonly value: unknown;
  readonly trail: Trail;
}

/** What a document comes to, lists taken apart. */
export interface TakenApart {
  readonly objects: readonly FoundObject[];
  readonly strange: readonly StrangeItem[];
}

/** An item of a typed list leaves out the apiVersion and kind that its list implies, as API servers answer. */
function itemOf(list: Manifest, item: unknown): unknown {
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
export function takenApart(document: unknown): TakenApart {
  const objects: FoundObject[] = [];
  const strange: StrangeItem[] = [];
  const visit = (object: Manifest, trail: Trail): void => {
    if (!object.kind.endsWith('List') || !Array.isArray(object.items)) {
      objects.push({ object, trail });
      return;
    }
    (object.items as readonly unknown[]).forEach((inner, index) => {
      const [item, itemTrail] = [itemOf(object, inner), [...trail, 'items', index]];
      if (isManifest(item)) visit(item, itemTrail);
      else strange.push({ value: inner, trail: itemTrail });
    });
  };
  if (isManifest(document)) visit(document, NO_TRAIL);
  return { objects, strange };
}

/** What is left of an object that nobody looks into: what it is, and its metadata. It shares no text with its file, which can be let go. */
export function outlineOf({ apiVersion, kind, metadata }: Manifest): Manifest {
  return JSON.parse(JSON.stringify({ apiVersion, kind, metadata })) as Manifest;
}
