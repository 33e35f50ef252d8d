import type { Source } from './finding';
import { sortKeys } from './key-order';
import type { KeyOrder } from './key-order';
import type { ResourceRef } from './rollout';

const RESOURCE: KeyOrder<ResourceRef> = { apiVersion: true, kind: true, namespace: true, name: true, component: true };
const SOURCE: KeyOrder<Source> = { file: true, line: true, column: true, origin: true };

export function sortResourceKeys(resource: ResourceRef): ResourceRef {
  return sortKeys(resource, RESOURCE);
}

export function sortSourceKeys(source: Source): Source {
  return sortKeys({ ...source, ...(source.origin && { origin: sortKeys(source.origin, SOURCE) }) }, SOURCE);
}
