import { isBeingDeleted } from '../../appliers/live-object';
import { getFieldsAt, groupOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { ApplyRejection, OldObject, WriteMethod } from './types';

/** Version of an object that the server ignores, as it does an empty one. */
const ANY_VERSION = '0';

/** Largest version that the server can read. */
const MAX_VERSION = 2n ** 64n - 1n;

/** Kinds whose updates must name a version. kubectl and Helm fill it in unless the manifest has one. Source: k/k 1.34 `AllowUnconditionalUpdate`. */
const KINDS_NEEDING_VERSION: ReadonlySet<string> = new Set([
  'policy/PodDisruptionBudget',
  'node.k8s.io/RuntimeClass',
  'coordination.k8s.io/Lease',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'storage.k8s.io/CSIDriver',
]);

function readText(metadata: Fields, field: string): string | undefined {
  const value = metadata[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Lists the fields of a manifest that the live object must have too, so that the server accepts it. */
export function listPreconditions(manifest: Manifest): ('resourceVersion' | 'uid')[] {
  const metadata = getFieldsAt(manifest, 'metadata');
  const fields = ['resourceVersion', 'uid'] as const;
  return fields.filter(
    (field) => readText(metadata, field) !== undefined && !(field === 'resourceVersion' && metadata[field] === ANY_VERSION),
  );
}

function checkVersion(version: string, live: string | undefined, { apiVersion, kind }: Manifest): ApplyRejection | undefined {
  const path = 'metadata.resourceVersion';
  const isNumber = /^\d+$/.test(version);
  if (!isNumber || BigInt(version) > MAX_VERSION) {
    const reason = isNumber ? 'value out of range' : 'invalid syntax';
    // 500 Internal Server Error, for which no tool recreates the object.
    return { path: '', message: `strconv.ParseUint: parsing ${JSON.stringify(version)}: ${reason}` };
  }
  if (BigInt(version) === 0n)
    return KINDS_NEEDING_VERSION.has(`${groupOf({ apiVersion })}/${kind}`)
      ? { path, message: 'Invalid value: 0: must be specified for an update' }
      : undefined;
  if (live === undefined || version === live) return undefined;
  return { path, message: 'the object has been modified; please apply your changes to the latest version and try again' };
}

/** Fields that only the API server sets, and that no update may set. It keeps the timestamp of an object that is being deleted. */
const DELETION_FIELDS = ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/**
 * Returns why the API server refuses an update that sets a field of a deletion.
 *
 * Source: apimachinery pkg/api/validation/objectmeta.go, `ValidateObjectMetaAccessorUpdate`.
 */
function checkDeletionFields({ manifest }: OldObject, written: Manifest): ApplyRejection | undefined {
  if (isBeingDeleted(manifest)) return undefined;
  const metadata = getFieldsAt(written, 'metadata');
  const field = DELETION_FIELDS.find((name) => metadata[name] !== undefined && metadata[name] !== null);
  if (field === undefined) return undefined;
  return { path: `metadata.${field}`, message: `Invalid value: ${JSON.stringify(metadata[field])}: field is immutable` };
}

/**
 * Returns why the API server refuses a write over an object for the version, the uid or the field of a deletion that the manifest has. kubectl,
 * Helm and the other tools send them as they are. The version is compared first: 409 Conflict. A patch cannot change the uid: 422 Invalid; a PUT
 * with another uid is 409 Conflict. Measured with kube-apiserver 1.34.4 and kubectl 1.34.4,
 * Helm 3.20 and 4.2, Flux (fluxcd/pkg/ssa 0.76) and Argo CD (gitops-engine 0.7).
 *
 * @param written - the manifest that the tool sends
 */
export function checkPreconditions(old: OldObject, written: Manifest, method: WriteMethod): ApplyRejection | undefined {
  const [sent, live] = [written, old.manifest].map((object) => getFieldsAt(object, 'metadata')) as [Fields, Fields];
  const version = readText(sent, 'resourceVersion');
  const rejection = version === undefined ? undefined : checkVersion(version, readText(live, 'resourceVersion'), written);
  const refusal = rejection ?? checkDeletionFields(old, written);
  if (refusal) return refusal;
  const [uid, liveUid] = [readText(sent, 'uid'), readText(live, 'uid')];
  if (uid === undefined || liveUid === undefined || uid === liveUid) return undefined;
  const message =
    method === 'replace'
      ? `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${liveUid}`
      : `Invalid value: ${JSON.stringify(uid)}: field is immutable`;
  return { path: 'metadata.uid', message };
}

/** Returns why the API server refuses to create an object with a uid: an apply names an existing object with it. The other methods create it with another uid. */
export function checkNewObjectUid(manifest: Manifest, method: WriteMethod): ApplyRejection | undefined {
  const uid = readText(getFieldsAt(manifest, 'metadata'), 'uid');
  if (uid === undefined || method !== 'server') return undefined;
  return { path: 'metadata.uid', message: `uid mismatch: the provided object specified uid ${uid}, and no existing object was found` };
}
