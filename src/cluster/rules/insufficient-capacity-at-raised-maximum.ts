import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { Shortage } from '../../core/document/capacity-result';
import { pluralize } from '../../core/text/text-format';
import type { PlanLimits } from '../capacity/plan-limits';
import { splitByVersion } from '../capacity/kept-pods';
import { computeMaxRunningPods } from '../capacity/scale-up-capacity';
import { formatRequestSubject, formatShortage } from '../capacity/shortage';
import type { Workload } from '../rollout/workload';
import { insufficientCapacity } from './insufficient-capacity';
import { PARTIAL_QUOTA_SHORTAGE, QUOTA_SHORTAGE } from './capacity-samples';

interface RaisedMaximumData {
  /** The autoscaler: `HorizontalPodAutoscaler "web"`. */
  readonly autoscaler: string;
  /** The new maximum number of pods. */
  readonly maximum: number;
  readonly podsThatFit: number;
  readonly shortage: Shortage;
}

/** The message for an autoscaler whose maximum an apply raises above the number of pods that fit. */
export const insufficientCapacityAtRaisedMaximum = extendRule(insufficientCapacity, {
  raisedMaximum: defineMessage<RaisedMaximumData>({
    text: ({ autoscaler, maximum, podsThatFit, shortage }) =>
      `${autoscaler} may now scale up to ${pluralize(maximum, 'pod')}, but ${podsThatFit === 0 ? 'none' : `only ${podsThatFit}`} ${podsThatFit > 1 ? 'fit' : 'fits'}: ` +
      `${formatShortage(shortage, formatRequestSubject(maximum))}. Whether it scales that far depends on the load. Pods that do not fit wait for capacity.`,
    sample: {
      autoscaler: 'HorizontalPodAutoscaler "web"',
      maximum: 14,
      podsThatFit: 10,
      shortage: PARTIAL_QUOTA_SHORTAGE,
    },
    variants: [{ autoscaler: 'ScaledObject "web"', maximum: 1, podsThatFit: 0, shortage: QUOTA_SHORTAGE }],
  }),
});

/** Reports a workload that does not roll out, and whose autoscaler gets a new maximum above the number of pods that fit. */
export function checkInsufficientCapacityAtRaisedMaximum(workload: Workload, limits: PlanLimits): Finding[] {
  const { isMaximumRaised, replicaRange, sizePath, replicasPath = sizePath } = workload;
  if (!isMaximumRaised || !replicaRange) return [];
  const { by, maximum } = replicaRange;
  const [podSet] = splitByVersion(workload, limits.cache);
  const runnable = computeMaxRunningPods(podSet!, maximum, limits);
  if (!runnable) return [];
  const data = { autoscaler: by, maximum, podsThatFit: runnable.pods, shortage: runnable.shortage };
  return [insufficientCapacityAtRaisedMaximum.createFinding('raisedMaximum', { path: replicasPath, severity: 'info', data })];
}
