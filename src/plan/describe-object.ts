import { nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** An object as a message names it: `Deployment shop/web`. */
export function describeObject(object: Manifest): string {
  const namespace = namespaceOf(object);
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${nameOf(object)}`;
}
