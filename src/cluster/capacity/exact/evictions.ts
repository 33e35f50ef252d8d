import { getFieldsAt } from '../../../core/manifest';
import type { PodSet } from '../../workload';
import { buildUncertainEvaluation } from '../uncertain-evaluation';
import type { CapacityEvaluation } from '../rollout-capacity';
import type { OldPods } from './old-pods';
import { resolvePriority } from './pod-priority';
import type { Surroundings } from './surroundings';

/** The reason if pods of lower priority may be evicted. */
export const PREEMPTION = 'preemption';

/** Returns the priority below which new pods may evict pods of others. Returns undefined if they evict none. */
export function findEvictionPriority(workload: PodSet, old: OldPods, { context }: Surroundings): number | undefined {
  const spec = getFieldsAt(workload.template, 'spec');
  const { value, mayPreempt } = resolvePriority(spec, context);
  if (!mayPreempt) return undefined;
  if (value !== undefined) return value;
  // The class of the new pods is not in the input.
  const isSameClass = old.spec === undefined || old.spec.priorityClassName === spec.priorityClassName;
  return isSameClass && old.spec ? (resolvePriority(old.spec, context).value ?? Infinity) : Infinity;
}

/** Reports whether new pods may evict the old pods of their own rollout. */
export function canEvictOldPods(workload: PodSet, old: OldPods, { context }: Surroundings): boolean {
  const { value, mayPreempt } = resolvePriority(getFieldsAt(workload.template, 'spec'), context);
  const oldPriority = old.spec && resolvePriority(old.spec, context).value;
  return mayPreempt && value !== undefined && oldPriority !== undefined && oldPriority < value;
}

/** Reports whether new pods may evict pods that are on the nodes. */
export function canPreempt(workload: PodSet, old: OldPods, surroundings: Surroundings): boolean {
  const priority = findEvictionPriority(workload, old, surroundings);
  const mayEvictOthers = priority !== undefined && surroundings.podIndex().hasPriorityBelow(priority, old.located ?? []);
  return mayEvictOthers || canEvictOldPods(workload, old, surroundings);
}

/** Reports whether new pods of a set may evict running pods. */
export function canPreemptFor(podSet: PodSet, surroundings: Surroundings): boolean {
  const spec = podSet.oldTemplate && getFieldsAt(podSet.oldTemplate, 'spec');
  return canPreempt(podSet, { spec, labels: {}, located: surroundings.ownPods.get(podSet) ?? [] }, surroundings);
}

/** Returns the evaluation of a rollout that deadlocks unless pods of lower priority are evicted. */
export function toPossibleEviction({ verdict: { peakPods, podsThatFit } }: CapacityEvaluation): CapacityEvaluation {
  const message = 'May not fit: this depends on whether pods of lower priority are evicted.';
  return buildUncertainEvaluation({ peakPods, podsThatFit, because: [PREEMPTION], message });
}
