import type { Effect } from '../core/change';
import type { InContext, RolloutSystem, SystemEffect } from '../cluster/context';
import { podSetsOf } from '../cluster/workload';

const SCALES: ReadonlySet<Effect> = new Set(['scale', 'roll-and-scale']);

/**
 * Pods of each set of an object, or of one component of it, that run before an apply that changes how many there are; undefined where it changes none,
 * and where nothing is known of those before.
 */
export function runningBefore(
  { effect, component, replicas }: SystemEffect,
  system: RolloutSystem,
  { object, context }: InContext,
): readonly number[] | undefined {
  if (!SCALES.has(effect)) return undefined;
  const before = system.plan(object, context).find(({ resource }) => resource.component === component);
  if (before?.pods) return podSetsOf(before).map(({ replicas: pods }) => pods);
  return replicas?.old === 0 ? [] : undefined;
}
