import { defineMessage, extendRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { toFieldPath } from '../../core/field-path';
import type { PlanContext } from '../context';
import { formatResourceAmount } from '../capacity/pod-requests';
import type { ResourceLimit } from '../capacity/limits';
import { insufficientCapacity } from './insufficient-capacity';

interface LoweredQuotaData {
  /** The quota as people name it: `ResourceQuota "compute"`. */
  readonly quota: string;
  readonly resource: string;
  /** What it allows, and what the pods that run and stay use. Quantities. */
  readonly allowed: string;
  readonly used: string;
}

/** What is said of a quota that an apply makes smaller than what runs. */
export const insufficientCapacityInLoweredQuota = extendRule(insufficientCapacity, {
  lowered: defineMessage<LoweredQuotaData>({
    text: ({ quota, resource, allowed, used }) =>
      `${quota} allows ${allowed} ${resource} from now on, and the pods that run and stay use ${used}. None of them goes for that, but one that goes for another reason, ` +
      'such as an eviction or a rollout, is refused when it is to be made anew, for as long as the others use up the quota.',
    help: ({ resource, used }) =>
      `Write at least ${used} for ${resource}, or lower the number of pods or what each asks for in the same apply.`,
    sample: { quota: 'ResourceQuota "compute"', resource: 'requests.cpu', allowed: '6', used: '10' },
  }),
});

/** Quotas that an apply makes smaller than what the pods use that run before it and after it. */
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
