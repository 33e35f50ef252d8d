import type { ObjectInContext, SystemEffect, TemplateEquality } from '../../cluster/context';
import { isDeepEqual } from '../../core/deep-equal';
import { getFieldsAt } from '../../core/manifest';
import { countFlaggerPods, findCanary, isSuspended } from './canary';

/** Names of the two rollouts of a target. */
export const PRIMARY = 'primary';
export const CANARY = 'canary';

const NO_CANARY_PODS = { old: 0, next: 0 } as const;

/**
 * Computes the effect of a change of a target. A new template is analyzed next to the primary and then promoted: the primary rolls, and gets
 * the number of pods of the target unless an autoscaler is referenced. Anything else waits for the next promotion.
 */
export function computeFlaggerEffects(
  old: ObjectInContext,
  next: ObjectInContext,
  isSameTemplate: TemplateEquality,
): readonly SystemEffect[] {
  const canary = findCanary(next.object, next.context);
  if (!canary || next.object.kind !== 'Deployment') return [{ effect: 'unknown' }];
  const formerCanary = findCanary(old.object, old.context) ?? canary;
  const pods = countFlaggerPods(next.object, canary, next.context);
  const before = countFlaggerPods(old.object, formerCanary, old.context).primary;
  const templates = [old, next].map(({ object }) => getFieldsAt(object, 'spec', 'template'));
  if (isSameTemplate(templates[0]!, templates[1]!)) {
    const isSame = isDeepEqual(getFieldsAt(old.object, 'spec'), getFieldsAt(next.object, 'spec'));
    return [
      { component: PRIMARY, effect: isSame ? 'none' : 'settings', replicas: { old: before, next: before } },
      { component: CANARY, effect: 'none', replicas: NO_CANARY_PODS },
    ];
  }
  if (isSuspended(canary)) {
    return [
      { component: PRIMARY, effect: 'held', heldUntil: 'the Canary is resumed', replicas: { old: before, next: before } },
      { component: CANARY, effect: 'none', replicas: NO_CANARY_PODS },
    ];
  }
  const replicas = { old: before, next: pods.primary };
  return [
    { component: PRIMARY, effect: before === pods.primary ? 'roll' : 'roll-and-scale', replicas, temporaryPods: pods.canary },
    { component: CANARY, effect: 'none', replicas: NO_CANARY_PODS },
  ];
}
