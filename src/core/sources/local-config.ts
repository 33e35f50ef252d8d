import { getFieldsAt } from '../manifest/manifest';
import type { Manifest } from '../manifest/manifest';
import { toSafeText } from '../text/value-text';

/** Annotation of an object that only local tools read. */
const LOCAL_CONFIG = 'config.kubernetes.io/local-config';

/**
 * Reports whether kustomize reads an object and builds nothing of it. Every value of the annotation except `false` has this effect.
 *
 * Source: kustomize api v0.20.1 resource/factory.go, `DropLocalNodes`.
 */
export function isLocalConfig(object: Manifest): boolean {
  const annotations = getFieldsAt(object, 'metadata', 'annotations');
  return Object.hasOwn(annotations, LOCAL_CONFIG) && toSafeText(annotations[LOCAL_CONFIG]) !== 'false';
}
