import { defineMessage, extendRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Shortage } from '../../core/capacity-result';
import { pluralize } from '../../core/text-format';
import type { PlanLimits } from '../capacity/rollout-capacity';
import { computeMaxRunningPods } from '../capacity/scale-up-capacity';
import { formatShortage } from '../capacity/shortage';
import type { Workload } from '../workload';
import { insufficientCapacity } from './insufficient-capacity';
import { PARTIAL_QUOTA_SHORTAGE, QUOTA_SHORTAGE } from './capacity-samples';

interface RaisedMaximumData {
  /** The autoscaler: `HorizontalPodAutoscaler "web"`. */
  readonly autoscaler: string;
  /** The most pods that it may now choose. */
  readonly maximum: number;
  readonly podsThatFit: number;
  readonly shortage: Shortage;
}

/** What is said of an autoscaler that an apply lets go further up than there is room for. */
export const insufficientCapacityAtRaisedMaximum = extendRule(insufficientCapacity, {
  raisedMaximum: defineMessage<RaisedMaximumData>({
    text: ({ autoscaler: by, maximum, podsThatFit, shortage }) =>
      `${by} may now go up to ${pluralize(maximum, 'pod')}, and ${podsThatFit === 0 ? 'none' : podsThatFit} ${podsThatFit > 1 ? 'find' : 'finds'} room: ` +
      `with all of them ${formatShortage(shortage, 'it asks for')}. Whether it goes that far is up to the load; pods beyond the room wait for it.`,
    sample: {
      autoscaler: 'HorizontalPodAutoscaler "web"',
      maximum: 14,
      podsThatFit: 10,
      shortage: PARTIAL_QUOTA_SHORTAGE,
    },
    variants: [{ autoscaler: 'ScaledObject "web"', maximum: 1, podsThatFit: 0, shortage: QUOTA_SHORTAGE }],
  }),
});

/** A workload that does not roll out, and whose autoscaler an apply lets go further up than there is room for. */
export function checkInsufficientCapacityAtRaisedMaximum(workload: Workload, limits: PlanLimits): Finding[] {
  const { isMaximumRaised, replicaRange, sizePath, replicasPath = sizePath } = workload;
  if (!isMaximumRaised || !replicaRange) return [];
  const { by, maximum } = replicaRange;
  const most = computeMaxRunningPods(workload, maximum, limits);
  if (!most) return [];
  const data = { autoscaler: by, maximum, podsThatFit: most.pods, shortage: most.shortage };
  return [insufficientCapacityAtRaisedMaximum.createFinding('raisedMaximum', { path: replicasPath, severity: 'info', data })];
}
