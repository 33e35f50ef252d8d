import { groupOf } from './manifest';
import type { Manifest } from './manifest';

type KindOfObject = Pick<Manifest, 'apiVersion' | 'kind'>;

export function isNode(object: KindOfObject): boolean {
  return object.kind === 'Node' && groupOf(object) === '';
}

export function isNodePool(object: KindOfObject): boolean {
  return object.kind === 'NodePool' && groupOf(object) === 'karpenter.sh';
}

/** Reports whether deleting an object of this kind also removes the pods on nodes. */
export function hasPodsOnNodes(object: KindOfObject): boolean {
  return isNode(object) || isNodePool(object);
}
