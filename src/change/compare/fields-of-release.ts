import { isMetadataPath } from '../../core/manifest/field-path';
import { isFields, getListAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { toSafeText } from '../../core/text/value-text';
import type { Versions } from '../../core/values/versions';
import type { ApiField } from '../../workloads/pod/field';
import { applyObject } from '../apiserver/apply';
import { diffStoredObjects } from '../apiserver/field-changes';
import { buildItemKey, getChildField, getItemField, isAssociativeList, mergeFieldSets, parseManagedFields } from '../apiserver/field-set';
import type { FieldSet } from '../apiserver/field-set';
import { getStoredKind } from '../apiserver/kinds';
import type { ObjectComparison } from './object-comparison';

/** Picks the part of a value that a manager owns. An item of a list keeps its merge key. */
function pickOwned(value: unknown, set: FieldSet, field: ApiField | undefined): unknown {
  if (set.children.size === 0) return value;
  if (isFields(value)) return pickOwnedFields(value, set, field);
  if (!Array.isArray(value) || !isAssociativeList(field)) return value;
  const key = field.merge?.key;
  return value.flatMap((item: unknown) => {
    const own = set.children.get(buildItemKey(item, field));
    if (!own) return [];
    if (!isFields(item)) return [item];
    return [{ ...(key !== undefined && { [key]: item[key] }), ...pickOwnedFields(item, own, getItemField(field)) }];
  });
}

function pickOwnedFields(value: Fields, set: FieldSet, field: ApiField | undefined): Fields {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const own = set.children.get(`f:${name}`);
      return own ? [[name, pickOwned(inner, own, getChildField(field, name))]] : [];
    }),
  );
}

/** Returns the fields that Helm wrote client-side into a live object; undefined if its managers show none. */
function findOwnedByHelm(live: Manifest): FieldSet | undefined {
  const sets = getListAt(live, 'metadata', 'managedFields')
    .filter(isFields)
    .filter(({ manager, operation, subresource }) => operation === 'Update' && !subresource && toSafeText(manager).startsWith('helm'))
    .map(({ fieldsV1 }) => parseManagedFields(fieldsV1));
  return sets.length > 0 ? mergeFieldSets(sets) : undefined;
}

/**
 * Lists the paths of fields that a Helm upgrade deletes if the last release set all fields that Helm owns in the live object. It also owns what
 * an admission webhook added to its request, so that the release may not have set them.
 */
export function listFieldsOfRelease({ old, next, stored }: ObjectComparison, versions: Versions): readonly string[] {
  const known = getStoredKind(next)?.fields;
  const set = known && old && findOwnedByHelm(old.manifest);
  // The defaults of a custom resource, which Helm owns too, are not known.
  if (!set || !stored) return [];
  const owned = pickOwnedFields(old.manifest, set, { type: 'map', fields: known });
  const release = { ...owned, apiVersion: next.apiVersion, kind: next.kind } as Manifest;
  const outcome = applyObject({ ...old, release }, next, 'helm', versions, undefined, true);
  if (!('stored' in outcome)) return [];
  return diffStoredObjects(stored, outcome.stored).flatMap(({ path }) => (isMetadataPath(path) ? [] : [path]));
}
