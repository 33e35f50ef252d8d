import type { ApplyEffect } from '../../core/document/change';
import type { Fields } from '../../core/manifest/manifest';
import type { ObjectInContext, RolloutSystem, SystemEffect } from '../../cluster/context/context';
import { podSetsOf } from '../../cluster/rollout/system-rollout';
import type { PodSet } from '../../cluster/rollout/pod-set';
import { systemOf } from '../../plan/registry';

const SCALE_EFFECTS: ReadonlySet<ApplyEffect> = new Set(['scale', 'roll-and-scale', 'held']);

/** Returns the pod sets of an object, or of one of its components, before the apply. */
function listPodSetsBefore(
  component: string | undefined,
  system: RolloutSystem,
  { object, context }: ObjectInContext,
): readonly PodSet[] | undefined {
  // A claim of NEW, such as a new Canary, makes another system plan the object than the one that planned it before.
  if (systemOf(object, context) !== system) return undefined;
  const before = system.plan(object, context).find(({ resource }) => resource.component === component);
  return before?.pods && podSetsOf(before);
}

/** Returns the pod sets that stay as they were because the effect is `held`. */
export function listUnaffectedPodSets(
  { effect, component }: SystemEffect,
  system: RolloutSystem,
  old: ObjectInContext,
): readonly PodSet[] | undefined {
  return effect === 'held' ? listPodSetsBefore(component, system, old) : undefined;
}

/** Returns the templates of the running pods of an object, or of one of its components, whose template changes. */
export function listOldTemplates(
  { effect, component }: SystemEffect,
  system: RolloutSystem,
  old: ObjectInContext,
): readonly Fields[] | undefined {
  return effect === 'roll' || effect === 'held' ? listPodSetsBefore(component, system, old)?.map(({ template }) => template) : undefined;
}

/**
 * Returns the running pods of each set of an object, or of one of its components, before an apply that changes their number;
 * undefined if it does not, or if the pods before are not known.
 */
export function listPodCountsBefore(
  { effect, component, replicas }: SystemEffect,
  system: RolloutSystem,
  old: ObjectInContext,
): readonly number[] | undefined {
  if (!SCALE_EFFECTS.has(effect) || (effect === 'held' && replicas?.old === replicas?.next)) return undefined;
  const before = listPodSetsBefore(component, system, old);
  if (before) return before.map(({ replicas: pods }) => pods);
  return replicas?.old === 0 ? [] : undefined;
}
