import { isDeepEqual } from '../../core/collections/deep-equal';
import { isFields, getOwnValue } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { parseQuantityNanos } from '../../core/values/quantity';
import type { Versions } from '../../core/values/versions';
import type { WorkloadName } from '../../workloads/kinds';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { POD_TEMPLATE_SPEC } from '../../workloads/pod/pod-spec';
import { isEmptyGoValue } from './decode';

/** The label that the Deployment controller adds to the templates of its ReplicaSets. */
const HASH_LABEL = 'pod-template-hash';

function isSameQuantity(before: unknown, after: unknown): boolean {
  const amount = parseQuantityNanos(before);
  return amount === undefined ? isDeepEqual(before, after) : amount === parseQuantityNanos(after);
}

function areSameQuantities(before: unknown, after: unknown): boolean {
  if (!isFields(before) || !isFields(after)) return isDeepEqual(before, after);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.every((name) => Object.hasOwn(before, name) && Object.hasOwn(after, name) && isSameQuantity(before[name], after[name]));
}

function areSameFields(before: Fields, after: Fields, fields: ApiFields): boolean {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.every((name) => isSameField(getOwnValue(before, name), getOwnValue(after, name), getOwnValue(fields, name)));
}

function isSameField(before: unknown, after: unknown, field: ApiField | undefined): boolean {
  if (before === undefined || after === undefined) {
    return before === after || (!field?.isPointer && isEmptyGoValue(before) && isEmptyGoValue(after));
  }
  if (field?.type === 'quantity') return isSameQuantity(before, after);
  if (field?.type === 'quantity-map') return areSameQuantities(before, after);
  const fields = field?.fields;
  if (!fields) return isDeepEqual(before, after);
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((item, index) => isSameItem(item, after[index], fields));
  }
  return isSameItem(before, after, fields);
}

function isSameItem(before: unknown, after: unknown, fields: ApiFields): boolean {
  return isFields(before) && isFields(after) ? areSameFields(before, after, fields) : isDeepEqual(before, after);
}

/** Reports whether two stored values are semantically equal: quantities by amount, a nil list or map like an empty one. Source: apimachinery `equality.Semantic`. */
export function isSemanticallyEqual(before: unknown, after: unknown, fields: ApiFields): boolean {
  return isSameItem(before, after, fields);
}

function stripHashLabel(template: unknown): unknown {
  if (!isFields(template) || !isFields(template.metadata) || !isFields(template.metadata.labels)) return template;
  const { [HASH_LABEL]: _, ...labels } = template.metadata.labels;
  return { ...template, metadata: { ...template.metadata, labels } };
}

const TEMPLATE_EQUALITY: Readonly<Record<WorkloadName, (before: unknown, after: unknown) => boolean>> = {
  Deployment: (before, after) => isSemanticallyEqual(stripHashLabel(before), stripHashLabel(after), POD_TEMPLATE_SPEC),
  StatefulSet: isDeepEqual,
  DaemonSet: (before, after) => isSemanticallyEqual(before, after, POD_TEMPLATE_SPEC),
};

/**
 * Reports whether the controller of a kind of apps/v1 considers two stored pod templates the same, so that no pod is replaced.
 *
 * A Deployment compares templates semantically, without the label that it adds to its ReplicaSets. A DaemonSet has the same effect:
 * it records a new revision for other bytes, but keeps pods of the same template generation. A StatefulSet compares the bytes,
 * so `1Gi` instead of `1073741824` replaces every pod.
 *
 * Source: k/k 1.34 `EqualIgnoreHash`; daemon/util `IsPodUpdated`; statefulset/stateful_set_control.go `getStatefulSetRevisions`.
 */
export function isTemplateEqual(name: WorkloadName, before: unknown, after: unknown, _versions: Versions): boolean {
  return TEMPLATE_EQUALITY[name](before, after);
}
