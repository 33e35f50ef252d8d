import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { toFieldPath } from '../../core/manifest/field-path';
import type { PlanContext } from '../context/context';
import { formatResourceAmount } from '../capacity/pod-requests';
import type { ResourceLimit } from '../capacity/limits';
import { insufficientCapacity } from './insufficient-capacity';

interface LoweredQuotaData {
  /** The quota, by kind and name: `ResourceQuota "compute"`. */
  readonly quota: string;
  readonly resource: string;
  /** The quantity that the quota allows. */
  readonly allowed: string;
  /** The quantity that the pods use that run both before and after the apply. */
  readonly used: string;
}

/** The message for a quota that an apply lowers below what the running pods use. */
export const insufficientCapacityInLoweredQuota = extendRule(insufficientCapacity, {
  lowered: defineMessage<LoweredQuotaData>({
    text: ({ quota, resource, allowed, used }) =>
      `${quota} now allows ${allowed} ${resource}, but the running pods that stay use ${used}. They are not deleted for that, but a pod that is deleted for another reason, ` +
      'such as an eviction or a rollout, cannot be created again while the others use up the quota.',
    help: ({ resource, used }) =>
      `Write at least ${used} for ${resource}, or lower the number of pods or the requests of each in the same apply.`,
    sample: { quota: 'ResourceQuota "compute"', resource: 'requests.cpu', allowed: '6', used: '10' },
  }),
});

/** Reports quotas that an apply lowers below what the pods use that run both before and after it. */
export function checkInsufficientCapacityInLoweredQuota(limits: readonly ResourceLimit[], context: PlanContext): Finding[] {
  const { lowersQuota } = context;
  if (!lowersQuota) return [];
  return limits.flatMap(({ quota, name, resource, total, minUse }) => {
    if (!quota || minUse <= total || !lowersQuota(quota, resource)) return [];
    const path = toFieldPath`spec.hard[${resource}]`;
    const source = context.locate(quota, path);
    const data = { quota: name, resource, allowed: formatResourceAmount(total, resource), used: formatResourceAmount(minUse, resource) };
    return [insufficientCapacityInLoweredQuota.createFinding('lowered', { path, severity: 'warning', data, ...(source && { source }) })];
  });
}
