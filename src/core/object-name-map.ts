import { groupOf, nameOf, namespaceOf } from './manifest';
import type { Manifest } from './manifest';

/**
 * What is known of the objects of a cluster, each by group, kind, namespace and name; nothing of objects that the API server names.
 * Thousands of objects are held by their names as they are, and no key is made of each.
 */
export class ObjectNameMap<T> {
  private readonly valuesByKind = new Map<string, Map<string, T>>();

  /** What is known of an object so far; learns what is known from now on where that is nothing. */
  addIfAbsent(object: Manifest, value: T): T | undefined {
    const name = nameOf(object);
    if (name === '') return undefined;
    const kindKey = JSON.stringify([groupOf(object), object.kind, namespaceOf(object)]);
    const names = this.valuesByKind.get(kindKey) ?? new Map<string, T>();
    this.valuesByKind.set(kindKey, names);
    const existing = names.get(name);
    if (existing === undefined) names.set(name, value);
    return existing;
  }
}
