import { autoscalerOf } from '../../cluster/autoscaling/autoscaler';
import type { PlanContext } from '../../cluster/context/context';
import type { Manifest } from '../../core/manifest/manifest';

/** Reports whether an apply lets an autoscaler scale the pods of an object higher than before. */
export function isMaximumRaised(object: Manifest, old: PlanContext, next: PlanContext): boolean {
  const [before, after] = [old, next].map((context) => autoscalerOf(object, context)?.maximum);
  return after !== undefined && (before === undefined || after > before);
}
