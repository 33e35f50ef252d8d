import type { ObjectInContext, SystemEffect, TemplateEquality } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { canPromote } from './analysis';
import { countFlaggerPods, countPrimaryPods, findCanary, findPrimary, isInitialized, isSuspended, primaryNameOf } from './canary';
import { countPodsNextToRollout } from './overlap';
import { listChangedConfigs } from './tracked-configs';

/** Names of the two rollouts of a target. */
export const PRIMARY = 'primary';
export const CANARY = 'canary';

const NO_CANARY_PODS = { old: 0, next: 0 } as const;

/** Returns the pods of the primary: that of the input, else the live one, which the Canary controls. Undefined if neither is known. */
function countRunningPods(old: ObjectInContext, next: ObjectInContext, canary: Manifest): number | undefined {
  const name = primaryNameOf(next.object);
  const live = old.live?.ownedBy(canary, next.object.kind).find((object) => nameOf(object) === name);
  return countPrimaryPods(live ?? findPrimary(old.object, old.context) ?? findPrimary(next.object, next.context));
}

/** Returns the effect of a new Canary: Flagger starts the primary, then scales the target to 0. */
function computeTakeover(canary: Manifest, pods: number): readonly SystemEffect[] {
  return [
    { component: PRIMARY, effect: 'scale', replicas: { old: 0, next: pods }, causedBy: [canary] },
    { component: CANARY, effect: 'scale', replicas: { old: pods, next: 0 }, causedBy: [canary] },
  ];
}

/** Returns what must happen before a new template is promoted. Undefined if nothing holds it. */
function findHold(canary: Manifest): string | undefined {
  if (isSuspended(canary)) return 'the Canary is resumed';
  return canPromote(canary) ? undefined : 'the analysis of the Canary can end';
}

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
  const running = countRunningPods(old, next, formerCanary);
  const pods = countFlaggerPods(next.object, canary, next.context, running);
  const before = running ?? countFlaggerPods(old.object, formerCanary, old.context).primary;
  const templates = [old, next].map(({ object }) => getFieldsAt(object, 'spec', 'template'));
  const configs = listChangedConfigs(next.object, old.context, next.context);
  const cause = configs.length > 0 ? { causedBy: configs } : {};
  if (configs.length === 0 && isSameTemplate(templates[0]!, templates[1]!)) {
    const isNew = running === undefined && !isInitialized(canary) && findCanary(old.object, old.context) === undefined;
    if (isNew && before > 0) return computeTakeover(canary, before);
    // A Canary that was suspended may not have analyzed the template yet.
    if (isSuspended(formerCanary) && !isSuspended(canary) && before > 0)
      return [
        { component: PRIMARY, effect: 'unknown', replicas: { old: before, next: before } },
        { component: CANARY, effect: 'none', replicas: NO_CANARY_PODS },
      ];
    const isSame = isDeepEqual(getFieldsAt(old.object, 'spec'), getFieldsAt(next.object, 'spec'));
    return [
      { component: PRIMARY, effect: isSame ? 'none' : 'settings', replicas: { old: before, next: before } },
      { component: CANARY, effect: 'none', replicas: NO_CANARY_PODS },
    ];
  }
  const heldUntil = findHold(canary);
  if (heldUntil !== undefined) {
    const temporaryPods = isSuspended(canary) ? 0 : pods.canary;
    return [
      { component: PRIMARY, effect: 'held', heldUntil, replicas: { old: before, next: before }, temporaryPods, ...cause },
      { component: CANARY, effect: 'none', replicas: NO_CANARY_PODS },
    ];
  }
  const replicas = { old: before, next: pods.primary };
  const temporaryPods = countPodsNextToRollout(next.object, canary, pods, next.context.versions);
  return [
    { component: PRIMARY, effect: before === pods.primary ? 'roll' : 'roll-and-scale', replicas, temporaryPods, ...cause },
    { component: CANARY, effect: 'none', replicas: NO_CANARY_PODS },
  ];
}
