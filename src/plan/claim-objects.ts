import type { PlanContext, RolloutSystem } from '../cluster/context';
import type { Manifest } from '../core/manifest';

/** An object and the system that plans it. */
export interface ClaimedObject {
  readonly object: Manifest;
  readonly system: RolloutSystem;
}

/** Reports whether the objects are in view through which a system claims others. A system that needs none is always in view. */
export function isInView({ claimsThrough }: RolloutSystem, context: PlanContext): boolean {
  return claimsThrough === undefined || context.all(claimsThrough).length > 0;
}

/** Reports whether a system takes over an object. */
function claims(system: RolloutSystem, object: Manifest, context: PlanContext): boolean {
  return isInView(system, context) && system.claims?.(object, context) === true;
}

/**
 * Returns the system that plans an object: the first one that claims it in its context, else the first one that recognizes it.
 * Returns undefined if the object does not roll out.
 *
 * A claim lets a system take over an object of another one: a Deployment that a Flagger Canary targets, or that an Argo Rollout references.
 */
export function findSystem(object: Manifest, context: PlanContext, systems: readonly RolloutSystem[]): RolloutSystem | undefined {
  return systems.find((system) => claims(system, object, context)) ?? systems.find((system) => system.recognises(object));
}

/** Reports whether a system takes over an object that another system recognizes. */
export function isClaimed(object: Manifest, context: PlanContext, systems: readonly RolloutSystem[]): boolean {
  return systems.some((system) => claims(system, object, context));
}

/** Lists the objects of a unit that roll out, each with its system. */
export function claimObjects(context: PlanContext, systems: readonly RolloutSystem[]): readonly ClaimedObject[] {
  return context.objects.flatMap((object) => {
    const system = findSystem(object, context, systems);
    return system ? [{ object, system }] : [];
  });
}
