import { isConfigOnlyKind } from './config-only-kinds';
import { isDeepEqual } from '../core/deep-equal';
import { getFieldsAt, getListAt, getOwnValue, getValueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { toSafeText } from '../core/value-text';

const PRESERVES_UNKNOWN = 'x-kubernetes-preserve-unknown-fields';

/**
 * Reports whether the API server reads an object otherwise with another schema: it sets another default, or drops a field. A default inside a
 * new field has no effect, since no object has that field.
 *
 * Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting and pruning, which also run on objects from etcd.
 */
function readsDiffer(old: Fields, next: Fields): boolean {
  if (!isDeepEqual(old.default, next.default)) return true;
  const [before, after] = [old, next].map((schema) => getFieldsAt(schema, 'properties')) as [Fields, Fields];
  const isDropped = Object.keys(before).some((name) => getOwnValue(after, name) === undefined) && next[PRESERVES_UNKNOWN] !== true;
  if (isDropped) return true;
  for (const name of Object.keys(after)) {
    const isNew = getOwnValue(before, name) === undefined;
    if (isNew ? getValueAt(after, name, 'default') !== undefined : readsDiffer(getFieldsAt(before, name), getFieldsAt(after, name)))
      return true;
  }
  return ['items', 'additionalProperties'].some((part) => readsInnerDiffer(old[part], next[part]));
}

function readsInnerDiffer(old: unknown, next: unknown): boolean {
  return typeof old === 'object' && typeof next === 'object' && readsDiffer(getFieldsAt({ old }, 'old'), getFieldsAt({ next }, 'next'));
}

/** Returns the schemas of a definition by version. */
function listSchemas(definition: Manifest): ReadonlyMap<unknown, Fields> {
  const versions = getListAt(definition, 'spec', 'versions');
  return new Map(versions.map((version) => [getValueAt(version, 'name'), getFieldsAt(version, 'schema', 'openAPIV3Schema')]));
}

/** Reports whether a changed definition lets a controller that may have pods read existing objects otherwise. */
export function mayChangeObjects(old: Manifest, next: Manifest): boolean {
  const { group, names } = getFieldsAt(next, 'spec');
  if (isConfigOnlyKind({ apiVersion: `${toSafeText(group)}/v1`, kind: toSafeText(getValueAt(names, 'kind')) })) return false;
  const before = listSchemas(old);
  return [...listSchemas(next)].some(([version, schema]) => before.has(version) && readsDiffer(before.get(version)!, schema));
}
