import { LAST_APPLIED_ANNOTATION, parseLastApplied } from '../../appliers/live-object';
import { memoizePerPlan } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { appendToPath, ROOT_PATH } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { getFieldsAt, getListAt, getValueAt, isFields, kindKeyOf, nameOf, omitFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { isKustomization } from '../../core/sources/kustomization-kind';
import { toSafeText } from '../../core/text/value-text';
import { getStoredKind } from '../apiserver/kinds';
import { applyServerSide } from '../apiserver/server-side-apply';
import { SERVER_METADATA } from '../apiserver/stored-form';
import type { ObjectComparison } from '../compare/object-comparison';

/** Kinds whose definitions in view have a subresource for the status in each version, by group and kind. */
const kindsWithStatus = memoizePerPlan(
  ({ objects }: PlanContext): ReadonlySet<string> =>
    new Set(
      objects.flatMap((object) => {
        if (object.kind !== 'CustomResourceDefinition' || object.apiVersion !== 'apiextensions.k8s.io/v1') return [];
        const versions = getListAt(object, 'spec', 'versions');
        const hasStatus = versions.length > 0 && versions.every((version) => isFields(getValueAt(version, 'subresources', 'status')));
        const { group, names } = getFieldsAt(object, 'spec');
        // The API server refuses any other name.
        const isNamed = nameOf(object) === `${toSafeText(getValueAt(names, 'plural'))}.${toSafeText(group)}`;
        return hasStatus && isNamed ? [`${toSafeText(group)}/${toSafeText(getValueAt(names, 'kind'))}`] : [];
      }),
    ),
);

/** Reports whether a status is the same as none: absent, null or an empty map. */
function isEmptyStatus(status: unknown): boolean {
  return status === undefined || status === null || (isFields(status) && Object.keys(status).length === 0);
}

/** Returns what a manifest writes, without what only the server and kubectl write. An empty status or map of annotations is none. */
function toWritten({ status, metadata, ...rest }: Manifest, hasStatus: boolean): Fields {
  const { annotations, ...own } = omitFields(isFields(metadata) ? metadata : {}, SERVER_METADATA);
  const written = omitFields(isFields(annotations) ? annotations : {}, [LAST_APPLIED_ANNOTATION]);
  return {
    ...rest,
    metadata: { ...own, ...(Object.keys(written).length > 0 && { annotations: written }) },
    ...(!hasStatus && !isEmptyStatus(status) && { status }),
  };
}

/** Reports whether NEW writes a status that the live object does not have. The rest of a live status is that of its controller. */
function writesOtherStatus({ status: before }: Manifest, { status: after }: Manifest): boolean {
  if (after === undefined || (isEmptyStatus(before) && isEmptyStatus(after))) return false;
  return !isDeepEqual(isFields(before) && isFields(after) ? { ...before, ...after } : after, before);
}

/**
 * Reports whether NEW names another version of a kind whose fields are not known. Another version may have other fields and defaults, and a
 * webhook may convert it. A live object that kubectl applied in the version of NEW was converted before.
 */
export function mayBeConverted({ old, next, hasOtherVersion }: ObjectComparison): boolean {
  if (!old || !hasOtherVersion || getStoredKind(next) || isKustomization(next)) return false;
  return !old.isLive || parseLastApplied(old.manifest)?.apiVersion !== next.apiVersion;
}

/**
 * Reports whether the API server may store two manifests of an unknown kind differently although they look the same: a null is kept in a field
 * that is nullable, and a status is stored like any field unless the definition has a subresource for it.
 *
 * @param contexts - those of OLD and NEW
 */
export function mayBeStoredOtherwise({ old, known, next: written }: ObjectComparison, contexts: readonly PlanContext[]): boolean {
  if (!old) return false;
  const { old: manifest = old.manifest, next } = known ?? { next: written };
  // A definition that only NEW has may be refused, or a hook that runs at no upgrade.
  const hasStatus = contexts.every((context) => kindsWithStatus(context).has(kindKeyOf(next)));
  if (old.isLive) return !hasStatus && writesOtherStatus(manifest, next);
  return !isDeepEqual(toWritten(manifest, hasStatus), toWritten(next, hasStatus));
}

/** Lists the paths of the fields that are null. */
function listNulls(value: unknown, path: FieldPath): FieldPath[] {
  if (value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => listNulls(item, appendToPath(path, index)));
  return isFields(value) ? Object.entries(value).flatMap(([name, inner]) => listNulls(inner, appendToPath(path, name))) : [];
}

/** Lists the fields that are null, apart from the metadata and the status. */
function listOwnNulls(manifest: Fields): FieldPath[] {
  return listNulls(omitFields(manifest, ['metadata', 'status']), ROOT_PATH).toSorted();
}

/** Reports whether the request of a tool contains the nulls of a manifest. A patch of kubectl or Helm 3 deletes the field of a null instead. */
export function hasNullsInRequest({ applied }: ObjectComparison): boolean {
  const { method } = applied.applier;
  return method === 'server' || method === 'replace';
}

/** Returns a custom resource with the nulls that it has after the request, if its definition keeps each of them. */
function applyWithNulls({ applied, old, next }: ObjectComparison): Fields {
  if (!old?.isLive || applied.applier.method !== 'server') return next;
  const { serverSide: rules } = applied.applier;
  const outcome = applyServerSide({ live: old.manifest, next, knownFields: undefined, ...(rules && { rules }) });
  return 'refusal' in outcome ? next : outcome.object;
}

/**
 * Reports whether an apply changes nulls that the API server may keep, since the fields of the kind are not known: those of a field that is
 * nullable or keeps unknown fields, such as the values of a chart or the patch of an EnvoyFilter. A server-side apply of any other null is
 * refused or stores the default of the field.
 */
export function mayKeepOtherNulls(comparison: ObjectComparison): boolean {
  const { old, next } = comparison;
  if (!old || getStoredKind(next) || isKustomization(next) || (old.isLive && !hasNullsInRequest(comparison))) return false;
  return !isDeepEqual(listOwnNulls(old.manifest), listOwnNulls(applyWithNulls(comparison)));
}
