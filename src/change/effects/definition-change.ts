import { hasControllerOfPods, isConfigOnlyKind } from './config-only-kinds';
import { isDeepEqual } from '../../core/deep-equal';
import { getFieldsAt, getListAt, getOwnValue, getValueAt, isFields } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { toSafeText } from '../../core/value-text';

const PRESERVES_UNKNOWN = 'x-kubernetes-preserve-unknown-fields';

/** The API server keeps `apiVersion`, `kind` and `metadata` of an object inside another one. */
const EMBEDS_OBJECT = 'x-kubernetes-embedded-resource';

/** The schema of a value that is kept completely. */
const ANY_VALUE: Fields = { [PRESERVES_UNKNOWN]: true };

/** Reports whether a schema keeps what it does not list. */
function preservesUnknown(schema: Fields): boolean {
  return schema[PRESERVES_UNKNOWN] === true;
}

/** Reports whether a schema describes a value without inner values, so that nothing in it is dropped. */
function isScalar({ type, 'x-kubernetes-int-or-string': isIntOrString }: Fields): boolean {
  return isIntOrString === true || (typeof type === 'string' && type !== 'object' && type !== 'array');
}

/** Reports whether the API server drops what another schema keeps: a field, the values of a map, or what neither lists. */
function dropsMore(old: Fields, next: Fields): boolean {
  if (preservesUnknown(next) || isScalar(next)) return false;
  const [before, after] = [old, next].map((schema) => getFieldsAt(schema, 'properties')) as [Fields, Fields];
  const isListed = (value: unknown) => value !== undefined && value !== false;
  return (
    preservesUnknown(old) ||
    Object.keys(before).some((name) => getOwnValue(after, name) === undefined) ||
    (isListed(old.additionalProperties) && !isListed(next.additionalProperties)) ||
    (isListed(old.items) && !isListed(next.items)) ||
    (old[EMBEDS_OBJECT] === true && next[EMBEDS_OBJECT] !== true)
  );
}

/** Reports whether the API server sets a default that it did not set. It sets the one of a field that takes no null in place of a null, too. */
function setsOtherDefault(old: Fields, next: Fields): boolean {
  return !isDeepEqual(old.default, next.default) || (next.default !== undefined && (old.nullable === true) !== (next.nullable === true));
}

/**
 * Reports whether the API server reads an object otherwise with another schema: it sets another default, or drops a field. A default inside a
 * new field has no effect, since no object has that field, unless the old schema keeps every field.
 *
 * Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting and pruning, which also run on objects from etcd.
 */
function readsDiffer(old: Fields, next: Fields): boolean {
  if (setsOtherDefault(old, next) || dropsMore(old, next)) return true;
  const [before, after] = [old, next].map((schema) => getFieldsAt(schema, 'properties')) as [Fields, Fields];
  for (const name of Object.keys(after)) {
    const isNew = getOwnValue(before, name) === undefined;
    if (isNew && getValueAt(after, name, 'default') !== undefined) return true;
    // An object may already have a field that the old schema kept without a description of it.
    const described = isNew && preservesUnknown(old) ? ANY_VALUE : getFieldsAt(before, name);
    if ((!isNew || preservesUnknown(old)) && readsDiffer(described, getFieldsAt(after, name))) return true;
  }
  return ['items', 'additionalProperties'].some((part) => readsInnerDiffer(old[part], next[part]));
}

function readsInnerDiffer(old: unknown, next: unknown): boolean {
  const before = old === true ? ANY_VALUE : old;
  return isFields(before) && isFields(next) && readsDiffer(before, next);
}

/** Returns the schemas of a definition by version. */
function listSchemas(definition: Manifest): ReadonlyMap<unknown, Fields> {
  const versions = getListAt(definition, 'spec', 'versions');
  return new Map(versions.map((version) => [getValueAt(version, 'name'), getFieldsAt(version, 'schema', 'openAPIV3Schema')]));
}

/** Returns what converts the objects of a definition. Without a webhook only apiVersion is converted. */
function conversionOf(definition: Manifest): unknown {
  const { strategy = 'None', webhook } = getFieldsAt(definition, 'spec', 'conversion');
  // Tools write the certificate.
  const { caBundle: _, ...client } = getFieldsAt(webhook, 'clientConfig');
  return strategy === 'Webhook' ? client : strategy;
}

/** Reports whether a changed definition lets a controller that may have pods read existing objects otherwise. */
export function mayChangeObjects(old: Manifest, next: Manifest): boolean {
  const { group, names } = getFieldsAt(next, 'spec');
  const custom = { apiVersion: `${toSafeText(group)}/v1`, kind: toSafeText(getValueAt(names, 'kind')), metadata: {} };
  if (isConfigOnlyKind(custom) && !hasControllerOfPods(custom)) return false;
  if (!isDeepEqual(conversionOf(old), conversionOf(next))) return true;
  const before = listSchemas(old);
  return [...listSchemas(next)].some(([version, schema]) => before.has(version) && readsDiffer(before.get(version)!, schema));
}
