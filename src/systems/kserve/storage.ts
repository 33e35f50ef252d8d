import { appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { MountedClaim } from '../../cluster/rollout/workload';
import { modelFieldOf, modelOf } from './service';
import type { KserveService } from './service';

/**
 * Returns why the controller does not reconcile a predictor that sets its model location twice; undefined if it does. Source: KServe
 * v0.17.0 components/predictor.go, `addStorageInitializerAnnotations`.
 */
export function validateStorage({ predictor }: KserveService): string | undefined {
  const { storageUri, storage } = modelOf(predictor) ?? {};
  const hasBoth = typeof storageUri === 'string' && typeof getValueAt(storage, 'path') === 'string';
  return hasBoth ? 'must provide only one of storageUri and storage.path' : undefined;
}

/** A URI of the form `pvc://claim/path`. */
const PVC_URI = /^pvc:\/\/([^/]+)/;

/**
 * Returns the claims that KServe's webhook mounts into the pods of a predictor: the claim of a `storageUri: pvc://claim/path`.
 *
 * The mount is read-only unless an annotation changes that. This makes no difference here: the volume is attached to the node in both
 * cases.
 *
 * Source: KServe pkg/webhook/admission/pod/storage_initializer_injector.go. A STORAGE_URI of a custom container is not read.
 *
 * @param path - of the predictor
 */
export function listStorageClaims(predictor: Fields, path: FieldPath): MountedClaim[] {
  const field = modelFieldOf(predictor);
  if (field === undefined) return [];
  const uri = getValueAt(predictor, field, 'storageUri');
  const name = typeof uri === 'string' ? PVC_URI.exec(uri)?.[1] : undefined;
  return name === undefined ? [] : [{ name, path: appendToPath(path, field, 'storageUri') }];
}
