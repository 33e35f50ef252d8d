import type { ApplyEffect } from '../core/change';
import type { ObjectInContext, RolloutSystem, SystemEffect } from '../cluster/context';
import { podSetsOf } from '../cluster/workload';
import type { PodSet } from '../cluster/workload';

const SCALE_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['scale', 'roll-and-scale']);

/** The sets of pods of an object, or of one component of it, before the apply. */
function listPodSetsBefore(
  component: string | undefined,
  system: RolloutSystem,
  { object, context }: ObjectInContext,
): readonly PodSet[] | undefined {
  const before = system.plan(object, context).find(({ resource }) => resource.component === component);
  return before?.pods && podSetsOf(before);
}

/** The sets of pods that go on as they were, where what is stored of them is held. */
export function listUnaffectedPodSets(
  { effect, component }: SystemEffect,
  system: RolloutSystem,
  old: ObjectInContext,
): readonly PodSet[] | undefined {
  return effect === 'held' ? listPodSetsBefore(component, system, old) : undefined;
}

/**
 * Pods of each set of an object, or of one component of it, that run before an apply that changes how many there are; undefined where it changes none,
 * and where nothing is known of those before.
 */
export function listPodCountsBefore(
  { effect, component, replicas }: SystemEffect,
  system: RolloutSystem,
  old: ObjectInContext,
): readonly number[] | undefined {
  if (!SCALE_EFFECTS.has(effect)) return undefined;
  const before = listPodSetsBefore(component, system, old);
  if (before) return before.map(({ replicas: pods }) => pods);
  return replicas?.old === 0 ? [] : undefined;
}
