import { addToGroup } from '../core/group-by';
import type { PlanContext } from '../cluster/context';
import { admitPods } from '../cluster/capacity/admission/admission';
import { isCountedByQuota, computeQuotaUse } from '../cluster/capacity/admission/quota';
import { getFieldsAt, groupOf, nameOf, namespaceOf, getValueAt, getOwnValue } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { parseQuantityNanos } from '../core/quantity';
import type { ObjectComparison } from './object-comparison';
import { conditionOf, toCount } from './workload-initial-state';

/** A quota whose limits an apply raises. */
interface RaisedQuota {
  readonly before: Manifest;
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
function findRaisedResources(before: Manifest, after: Manifest): string[] {
  return Object.entries(hardOf(before)).flatMap(([resource, quantity]) => {
    const [was, is] = [parseQuantityNanos(quantity), parseQuantityNanos(getOwnValue(hardOf(after), resource))];
    return was !== undefined && (is === undefined || is > was) ? [resource] : [];
  });
}

export function findRaisedQuotas(comparisons: readonly ObjectComparison[]): RaisedQuotas {
  const byNamespace = new Map<string, RaisedQuota[]>();
  for (const { old, result: after } of comparisons) {
    if (after.kind !== 'ResourceQuota' || groupOf(after) !== '' || !old) continue;
    const resources = findRaisedResources(old.manifest, after);
    if (resources.length === 0) continue;
    const namespace = namespaceOf(after) ?? '';
    addToGroup(byNamespace, namespace, { before: old.manifest, after, resources });
  }
  return byNamespace;
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
export interface QuotaBlockedPods {
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
