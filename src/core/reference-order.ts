import type { Source } from './finding';
import { ordered } from './key-order';
import type { KeyOrder } from './key-order';
import type { ResourceRef } from './rollout';

const RESOURCE: KeyOrder<ResourceRef> = { apiVersion: true, kind: true, namespace: true, name: true, component: true };
const SOURCE: KeyOrder<Source> = { file: true, line: true, column: true };

export function orderedResource(resource: ResourceRef): ResourceRef {
  return ordered(resource, RESOURCE);
}

export function orderedSource(source: Source): Source {
  return ordered(source, SOURCE);
}
