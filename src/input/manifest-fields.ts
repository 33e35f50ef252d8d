import { isFields, omitFields } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';

/** Metadata by which an object seems to be read from a cluster. */
const LIVE_METADATA: readonly string[] = ['managedFields', 'resourceVersion', 'uid'];

/** The annotation in which kubectl stores the manifest that it applied last. kubectl ignores it in a manifest. */
const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

function omitStatus(object: Manifest): Manifest {
  const { status, ...manifest } = object;
  return status === undefined ? object : manifest;
}

/**
 * Returns an object without the fields that only the server and kubectl write, so that it is not taken for one of a cluster. The status of a kind
 * that plans do not read stays: the server may store it like any field.
 */
export function toManifest(object: Manifest, isRead: boolean): Manifest {
  const manifest = isRead ? omitStatus(object) : object;
  const { metadata } = manifest;
  if (!isFields(metadata)) return manifest;
  const { annotations } = metadata;
  const hasLastApplied = isFields(annotations) && Object.hasOwn(annotations, LAST_APPLIED_ANNOTATION);
  if (!hasLastApplied && !LIVE_METADATA.some((name) => Object.hasOwn(metadata, name))) return manifest;
  const kept = omitFields(metadata, LIVE_METADATA);
  return { ...manifest, metadata: hasLastApplied ? { ...kept, annotations: omitFields(annotations, [LAST_APPLIED_ANNOTATION]) } : kept };
}
