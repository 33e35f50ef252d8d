import { deepEqual } from '../../core/deep-equal';
import { isFields, ownValue } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { nanosOf } from '../../core/quantity';
import type { Versions } from '../../core/versions';
import type { WorkloadName } from '../../workloads/kinds';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { POD_TEMPLATE_SPEC } from '../../workloads/pod/pod-spec';
import { isEmpty } from './decode';

/** The label that a Deployment puts on the templates of its ReplicaSets. */
const HASH_LABEL = 'pod-template-hash';

function sameAmount(before: unknown, after: unknown): boolean {
  const amount = nanosOf(before);
  return amount === undefined ? deepEqual(before, after) : amount === nanosOf(after);
}

function sameAmounts(before: unknown, after: unknown): boolean {
  if (!isFields(before) || !isFields(after)) return deepEqual(before, after);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.every((name) => Object.hasOwn(before, name) && Object.hasOwn(after, name) && sameAmount(before[name], after[name]));
}

function sameFields(before: Fields, after: Fields, fields: ApiFields): boolean {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.every((name) => sameField(ownValue(before, name), ownValue(after, name), ownValue(fields, name)));
}

function sameField(before: unknown, after: unknown, field: ApiField | undefined): boolean {
  if (before === undefined || after === undefined) {
    return before === after || (!field?.isPointer && isEmpty(before) && isEmpty(after));
  }
  if (field?.type === 'quantity') return sameAmount(before, after);
  if (field?.type === 'quantity-map') return sameAmounts(before, after);
  const fields = field?.fields;
  if (!fields) return deepEqual(before, after);
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((item, index) => sameItem(item, after[index], fields));
  }
  return sameItem(before, after, fields);
}

function sameItem(before: unknown, after: unknown, fields: ApiFields): boolean {
  return isFields(before) && isFields(after) ? sameFields(before, after, fields) : deepEqual(before, after);
}

/** Do two stored values of these fields mean the same: quantities by amount, a nil list or map as an empty one? Source: apimachinery `equality.Semantic`. */
export function sameMeaning(before: unknown, after: unknown, fields: ApiFields): boolean {
  return sameItem(before, after, fields);
}

function withoutHash(template: unknown): unknown {
  if (!isFields(template) || !isFields(template.metadata) || !isFields(template.metadata.labels)) return template;
  const { [HASH_LABEL]: _, ...labels } = template.metadata.labels;
  return { ...template, metadata: { ...template.metadata, labels } };
}

const EQUALITIES: Readonly<Record<WorkloadName, (before: unknown, after: unknown) => boolean>> = {
  Deployment: (before, after) => sameMeaning(withoutHash(before), withoutHash(after), POD_TEMPLATE_SPEC),
  StatefulSet: deepEqual,
  DaemonSet: (before, after) => sameMeaning(before, after, POD_TEMPLATE_SPEC),
};

/**
 * Does the controller of a kind of apps/v1 take two stored pod templates for one, so that no pod is replaced?
 *
 * A Deployment compares what they mean, without the label that it puts on its ReplicaSets, and so does a DaemonSet in effect:
 * it records a new revision for other bytes, and leaves the pods of the same template generation alone. A StatefulSet compares the bytes,
 * so `1Gi` in the place of `1073741824` replaces every pod.
 *
 * Source: k/k 1.34 `EqualIgnoreHash`; daemon/util `IsPodUpdated`; statefulset/stateful_set_control.go `getStatefulSetRevisions`.
 */
export function templateEqual(name: WorkloadName, before: unknown, after: unknown, _versions: Versions): boolean {
  return EQUALITIES[name](before, after);
}
