import { autoscalerOf } from '../cluster/autoscaler';
import type { PlanContext } from '../cluster/context';
import type { Manifest } from '../core/manifest';

/** Does an apply let an autoscaler go further up with the pods of an object than it could before? */
export function isMaximumRaised(object: Manifest, old: PlanContext, next: PlanContext): boolean {
  const [before, after] = [old, next].map((context) => autoscalerOf(object, context)?.maximum);
  return after !== undefined && (before === undefined || after > before);
}
