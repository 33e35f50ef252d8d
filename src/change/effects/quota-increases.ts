import { groupBy } from '../../core/collections/group-by';
import type { PlanContext } from '../../cluster/context/context';
import { admitPods } from '../../cluster/capacity/admission/admission';
import { isCountedByQuota, computeQuotaUse } from '../../cluster/capacity/admission/quota';
import { getFieldsAt, groupOf, nameOf, namespaceOf, getValueAt, getOwnValue } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { parseQuantityNanos } from '../../core/values/quantity';
import type { ObjectComparison } from '../compare/object-comparison';
import { conditionOf, toCount } from '../initial-state/workload-initial-state';

/** A quota whose limits an apply raises, or that it deletes. */
interface RaisedQuota {
  readonly before: Manifest;
  /** The quota after the apply, or the deleted one. */
  readonly after: Manifest;
  /** The raised resources, such as `requests.cpu`. */
  readonly resources: readonly string[];
}

/** The quotas that an apply raises, by namespace. */
export type RaisedQuotas = ReadonlyMap<string, readonly RaisedQuota[]>;

function hardOf(quota: Manifest): Fields {
  return getFieldsAt(quota, 'spec', 'hard');
}

/** Returns the resources whose limit is raised or removed. */
function findRaisedResources(before: Manifest, hardAfter: Fields): string[] {
  return Object.entries(hardOf(before)).flatMap(([resource, quantity]) => {
    const [was, is] = [parseQuantityNanos(quantity), parseQuantityNanos(getOwnValue(hardAfter, resource))];
    return was !== undefined && (is === undefined || is > was) ? [resource] : [];
  });
}

function isQuota(object: Manifest): boolean {
  return object.kind === 'ResourceQuota' && groupOf(object) === '';
}

/** Finds the quotas that an apply raises. A deleted one limits nothing. */
export function findRaisedQuotas(comparisons: readonly ObjectComparison[], deleted: readonly Manifest[]): RaisedQuotas {
  const changed = comparisons.flatMap(({ old, result }) =>
    old && isQuota(result) ? [{ before: old.manifest, after: result, resources: findRaisedResources(old.manifest, hardOf(result)) }] : [],
  );
  const removed = deleted.filter(isQuota).map((quota) => ({ before: quota, after: quota, resources: findRaisedResources(quota, {}) }));
  return groupBy(
    [...changed, ...removed].filter(({ resources }) => resources.length > 0),
    ({ after }) => namespaceOf(after) ?? '',
  );
}

/** Reports whether the status of the quota left no capacity for one more pod. */
function wasQuotaFull({ before, resources }: RaisedQuota, podSpec: Fields): boolean {
  if (!isCountedByQuota(before, podSpec)) return false;
  return resources.some((resource) => {
    const [hard, used] = [hardOf(before), getFieldsAt(before, 'status', 'used')].map((amounts) =>
      parseQuantityNanos(getOwnValue(amounts, resource)),
    );
    const use = computeQuotaUse(podSpec, resource);
    return hard !== undefined && used !== undefined && use > 0n && hard - used < use;
  });
}

/** Reports whether the workload's status says that the quota refused its pods. */
function hasQuotaFailure({ before }: RaisedQuota, workload: Manifest): boolean {
  const { status, message } = conditionOf(workload, 'ReplicaFailure');
  return status === 'True' && typeof message === 'string' && message.includes(`exceeded quota: ${nameOf(before)},`);
}

/** Pods of a live workload that wait for a quota. */
interface QuotaBlockedPods {
  /** Pods that exist. */
  readonly existing: number;
  /** The quotas that blocked the other pods and that the apply raises. */
  readonly causedBy: readonly Manifest[];
}

/**
 * Finds the pods that a live workload lacks because of a quota that the apply raises: its controller retries and creates them.
 * Returns undefined if the workload has all its pods, or if nothing shows that a quota blocks them.
 *
 * @param desired - pods that the workload is to have
 */
export function findPodsUnblockedByQuota(
  workload: Manifest,
  desired: number,
  raised: RaisedQuotas,
  context: PlanContext,
): QuotaBlockedPods | undefined {
  const namespace = namespaceOf(workload) ?? '';
  const quotas = raised.get(namespace);
  const existing = toCount(getValueAt(workload, 'status', 'replicas'));
  // observedGeneration is set once a controller has seen the object.
  const isObserved = getValueAt(workload, 'status', 'observedGeneration') !== undefined;
  if (!quotas || !isObserved || existing === undefined || existing >= desired) return undefined;
  const template = getFieldsAt(workload, 'spec', 'template');
  const admitted = admitPods({ namespace, replicas: desired, template }, context);
  const podSpec = getFieldsAt(admitted.template, 'spec');
  const causedBy = quotas.filter((quota) => hasQuotaFailure(quota, workload) || wasQuotaFull(quota, podSpec)).map(({ after }) => after);
  return causedBy.length > 0 ? { existing, causedBy } : undefined;
}
