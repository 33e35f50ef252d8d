import type { Effect } from '../core/change';
import type { InContext, RolloutSystem, SystemEffect } from '../cluster/context';
import { podSetsOf } from '../cluster/workload';
import type { PodSet } from '../cluster/workload';

const SCALES: ReadonlySet<Effect> = new Set(['scale', 'roll-and-scale']);

/** The sets of pods of an object, or of one component of it, before the apply. */
function podSetsBefore(
  component: string | undefined,
  system: RolloutSystem,
  { object, context }: InContext,
): readonly PodSet[] | undefined {
  const before = system.plan(object, context).find(({ resource }) => resource.component === component);
  return before?.pods && podSetsOf(before);
}

/** The sets of pods that go on as they were, where what is stored of them is held. */
export function podsThatGoOn({ effect, component }: SystemEffect, system: RolloutSystem, old: InContext): readonly PodSet[] | undefined {
  return effect === 'held' ? podSetsBefore(component, system, old) : undefined;
}

/**
 * Pods of each set of an object, or of one component of it, that run before an apply that changes how many there are; undefined where it changes none,
 * and where nothing is known of those before.
 */
export function runningBefore(
  { effect, component, replicas }: SystemEffect,
  system: RolloutSystem,
  old: InContext,
): readonly number[] | undefined {
  if (!SCALES.has(effect)) return undefined;
  const before = podSetsBefore(component, system, old);
  if (before) return before.map(({ replicas: pods }) => pods);
  return replicas?.old === 0 ? [] : undefined;
}
