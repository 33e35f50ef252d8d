import type { Source } from './finding';
import type { ResourceRef } from './rollout';

/** Every key of `T`, in the order in which they are written; one that is left out does not compile. */
export type KeyOrder<T> = Readonly<Record<keyof T, true>>;

const RESOURCE: KeyOrder<ResourceRef> = { apiVersion: true, kind: true, namespace: true, name: true, component: true };
const SOURCE: KeyOrder<Source> = { file: true, line: true, column: true };

/** The keys of an object in this order, without those that have no value. */
export function ordered<T extends object>(object: T, order: KeyOrder<T>): T {
  const result: Partial<T> = {};
  // The orders are plain maps of this module and its neighbours, so that every key is one of their own.
  for (const key in order) if (object[key] !== undefined) result[key] = object[key];
  return result as T;
}

export function orderedResource(resource: ResourceRef): ResourceRef {
  return ordered(resource, RESOURCE);
}

export function orderedSource(source: Source): Source {
  return ordered(source, SOURCE);
}
