import { nameOf, namespaceOf } from '../manifest/manifest';
import type { Manifest } from '../manifest/manifest';

/**
 * Sorts items by their keys, computing each key once. Keys are compared by code units, so the result does not depend on a locale. Items
 * with equal keys keep their order.
 */
export function sortBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}

export function sortByNamespaceAndName(objects: readonly Manifest[]): Manifest[] {
  return sortBy(objects, (object) => `${namespaceOf(object) ?? ''}\0${nameOf(object)}`);
}
