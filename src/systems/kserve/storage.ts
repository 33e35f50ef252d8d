import { childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { MountedClaim } from '../../cluster/workload';
import { modelFieldOf } from './service';

/** `pvc://claim/path` */
const CLAIM_URI = /^pvc:\/\/([^/]+)/;

/**
 * The claims that KServe's webhook mounts into the pods of a predictor: that of a `storageUri: pvc://claim/path`.
 *
 * The mount is read-only unless an annotation says otherwise, which does not matter: the volume is attached to the node either way.
 *
 * Source: KServe pkg/webhook/admission/pod/storage_initializer_injector.go. A STORAGE_URI of a custom container is not looked at.
 *
 * @param path of the predictor
 */
export function storageClaimsOf(predictor: Fields, path: FieldPath): MountedClaim[] {
  const field = modelFieldOf(predictor);
  if (field === undefined) return [];
  const uri = valueAt(predictor, field, 'storageUri');
  const name = typeof uri === 'string' ? CLAIM_URI.exec(uri)?.[1] : undefined;
  return name === undefined ? [] : [{ name, path: childPath(path, field, 'storageUri') }];
}
