import type { ApplyEffect } from '../../core/change';
import type { Manifest } from '../../core/manifest';
import { systemOf } from '../../plan/registry';
import { workloadNameOf } from '../../workloads/kinds';
import type { ChangeContext, ObjectEffect } from './object-effect';
import { findTemplateHolder } from './template-holder';

/** Effects on an object that the apply does not write, by which its pods change, or will. */
const EFFECTS_ON_PODS: ReadonlySet<ApplyEffect> = new Set(['roll', 'roll-and-scale', 'scale', 'held', 'refused', 'unknown']);

/** Reports whether the pods of an object follow from an object that the apply changes: an autoscaler, a quota, a runtime, a template or data. */
function dependsOnChange(object: Manifest, { newContext, changedContext, hasChangedAutoscalers, isChanged }: ChangeContext): boolean {
  const system = systemOf(object, newContext);
  if (hasChangedAutoscalers || changedContext.length > 0) return system !== undefined || workloadNameOf(object) !== undefined;
  if (system?.tracksConfigs) return true;
  const holder = findTemplateHolder(object, newContext, system);
  return holder !== undefined && isChanged(holder);
}

/**
 * Lists the effects on objects that NEW lacks and whose pods the apply changes all the same: an autoscaler of NEW scales its target,
 * KServe rolls each InferenceService whose runtime NEW changes, and Argo Rollouts each Rollout whose Deployment it changes.
 *
 * @param retained - objects of OLD that NEW lacks and that the apply leaves
 * @param evaluate - evaluates one of them, as if NEW contained it
 */
export function collectAffectedObjects(
  retained: readonly Manifest[],
  context: ChangeContext,
  evaluate: (object: Manifest) => ObjectEffect,
): ObjectEffect[] {
  return retained
    .filter((object) => dependsOnChange(object, context))
    .map(evaluate)
    .filter(({ effect, causedBy }) => EFFECTS_ON_PODS.has(effect) && causedBy.length > 0);
}
