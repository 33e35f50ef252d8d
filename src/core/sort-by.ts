import { nameOf, namespaceOf } from './manifest';
import type { Manifest } from './manifest';

/** The items by their keys, each made once; by the code units of the text, so that no locale decides. Those of one key stay in their order. */
export function sortBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}

export function sortByNamespaceAndName(objects: readonly Manifest[]): Manifest[] {
  return sortBy(objects, (object) => `${namespaceOf(object) ?? ''}\0${nameOf(object)}`);
}
