import { isContextObject } from '../cluster/context-kinds';
import type { ApplyEffect } from '../core/change';
import type { Manifest } from '../core/manifest';
import { isClaimed } from '../plan/claim-objects';
import { SYSTEMS, systemOf } from '../plan/registry';
import { workloadNameOf } from '../workloads/kinds';
import type { ChangeContext, ObjectEffect } from './object-effect';

/** Effects on an object that the apply does not write, by which its pods change, or will. */
const EFFECTS_ON_PODS: ReadonlySet<ApplyEffect> = new Set(['roll', 'roll-and-scale', 'scale', 'held', 'refused', 'unknown']);

/** Reports whether the pods of an object follow from other objects too: from an autoscaler, a quota, a runtime or a cluster. */
function dependsOnContext(object: Manifest, { newContext }: ChangeContext): boolean {
  return workloadNameOf(object) !== undefined || isClaimed(object, newContext, SYSTEMS) || systemOf(object, newContext) !== undefined;
}

/**
 * Lists the effects on objects that NEW lacks and whose pods the apply changes all the same: an autoscaler of NEW scales its target,
 * and KServe rolls each InferenceService whose runtime NEW changes.
 *
 * @param retained - objects of OLD that NEW lacks and that the apply leaves
 * @param evaluate - evaluates one of them, as if NEW contained it
 */
export function collectAffectedObjects(
  retained: readonly Manifest[],
  context: ChangeContext,
  evaluate: (object: Manifest) => ObjectEffect,
): ObjectEffect[] {
  const { changedContext, hasChangedAutoscalers } = context;
  if (!hasChangedAutoscalers && !changedContext.some(isContextObject)) return [];
  return retained
    .filter((object) => dependsOnContext(object, context))
    .map(evaluate)
    .filter(({ effect, causedBy }) => EFFECTS_ON_PODS.has(effect) && causedBy.length > 0);
}
