import { groupOf, nameOf, namespaceOf } from './manifest';
import type { Manifest } from './manifest';

/**
 * What is known of the objects of a cluster, each by group, kind, namespace and name; nothing of objects that the API server names.
 * Thousands of objects are held by their names as they are, and no key is made of each.
 */
export class ByName<T> {
  private readonly places = new Map<string, Map<string, T>>();

  /** What is known of an object so far; learns what is known from now on where that is nothing. */
  first(object: Manifest, value: T): T | undefined {
    const name = nameOf(object);
    if (name === '') return undefined;
    const place = JSON.stringify([groupOf(object), object.kind, namespaceOf(object)]);
    const names = this.places.get(place) ?? new Map<string, T>();
    this.places.set(place, names);
    const known = names.get(name);
    if (known === undefined) names.set(name, value);
    return known;
  }
}
