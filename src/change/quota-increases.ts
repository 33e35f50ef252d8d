import type { PlanContext } from '../cluster/context';
import { applyLimitRangeToPods } from '../cluster/capacity/admission';
import { isCountedByQuota, computeQuotaUse } from '../cluster/capacity/quota';
import { getFieldsAt, groupOf, nameOf, namespaceOf, getValueAt, getOwnValue } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { parseQuantityNanos } from '../core/quantity';
import type { ObjectComparison } from './object-comparison';
import { conditionOf, toCount } from './workload-initial-state';

/** A quota of which an apply allows more. */
interface RaisedQuota {
  readonly before: Manifest;
  readonly after: Manifest;
  /** Of what: `requests.cpu`. */
  readonly resources: readonly string[];
}

/** The quotas that an apply raises, by their namespace. */
export type RaisedQuotas = ReadonlyMap<string, readonly RaisedQuota[]>;

function hardOf(quota: Manifest): Fields {
  return getFieldsAt(quota, 'spec', 'hard');
}

/** Resources of which the quota allows more, or all there is. */
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
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), { before: old.manifest, after, resources }]);
  }
  return byNamespace;
}

/** Had the quota no room for one pod more, by its status? */
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

/** Does the workload say itself that the quota refused its pods? */
function hasQuotaFailure({ before }: RaisedQuota, workload: Manifest): boolean {
  const { status, message } = conditionOf(workload, 'ReplicaFailure');
  return status === 'True' && typeof message === 'string' && message.includes(`exceeded quota: ${nameOf(before)},`);
}

/** Pods of a live workload that wait for a quota. */
export interface QuotaBlockedPods {
  /** Pods that exist. */
  readonly existing: number;
  /** The quotas that kept the others from coming, and that the apply raises. */
  readonly causedBy: readonly Manifest[];
}

/**
 * The pods that a live workload lacks because a quota refused them which the apply raises: its controller tries again, and they come.
 * Undefined where it has all, or nothing shows that it was the quota.
 *
 * @param wanted - pods that it is to have
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
  // A controller has seen the object once it says of which generation its status is.
  const isObserved = getValueAt(workload, 'status', 'observedGeneration') !== undefined;
  if (!quotas || !isObserved || existing === undefined || existing >= desired) return undefined;
  const template = getFieldsAt(workload, 'spec', 'template');
  const admitted = applyLimitRangeToPods({ namespace, replicas: desired, template }, context);
  const podSpec = getFieldsAt(admitted.template, 'spec');
  const causedBy = quotas.filter((quota) => hasQuotaFailure(quota, workload) || wasQuotaFull(quota, podSpec)).map(({ after }) => after);
  return causedBy.length > 0 ? { existing, causedBy } : undefined;
}
