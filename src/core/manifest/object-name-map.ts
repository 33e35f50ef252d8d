import { groupOf, nameOf, namespaceOf } from './manifest';
import type { Manifest } from './manifest';

/**
 * A map of the objects of a cluster by group, kind, namespace and name. It has no entries for objects that the API server names.
 * It stores thousands of names as they are, without building a key for each.
 */
export class ObjectNameMap<T> {
  private readonly valuesByKind = new Map<string, Map<string, T>>();

  /** Returns the existing value of an object, or adds the given one and returns undefined. */
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
