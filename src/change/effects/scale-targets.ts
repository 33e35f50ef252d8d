import { describeScaleTarget, findPausedReplicas, hasSameScaling, isAutoscaler } from '../../cluster/autoscaling/autoscaler';
import { systemOf } from '../../plan/registry';
import { workloadKindOf } from '../../workloads/kinds';
import type { ObjectComparison } from '../compare/object-comparison';
import type { ChangeContext } from './object-effect';

/**
 * Reports whether an autoscaler that is new, or whose target or bounds differ, may add or remove pods that the plan does not count, because
 * its target is not in view or no system plans it: a Deployment that an operator creates.
 */
export function mayScaleUncountedPods({ old, result }: ObjectComparison, { newContext, findScaleTarget }: ChangeContext): boolean {
  if (!isAutoscaler(result) || describeScaleTarget(result) === undefined || findPausedReplicas(result) === 'as they are') return false;
  if (old && hasSameScaling(old.manifest, result)) return false;
  const target = findScaleTarget(result);
  if (target === undefined) return true;
  return workloadKindOf(target) === undefined && systemOf(target, newContext)?.hasScale !== true;
}
