import { isKindInView } from '../cluster/context/context';
import type { PlanContext, RolloutSystem } from '../cluster/context/context';
import type { Manifest } from '../core/manifest/manifest';

/** An object and the system that plans it. */
export interface ClaimedObject {
  readonly object: Manifest;
  readonly system: RolloutSystem;
}

/** Reports whether something is in view that a system needs: an object of one of its kinds, or one of its options. */
export function isInView({ needsInView }: RolloutSystem, context: PlanContext): boolean {
  if (needsInView === undefined) return true;
  const { kinds = [], options = [] } = needsInView;
  return kinds.some((kind) => isKindInView(kind, context)) || options.some((name) => isGiven(context[name]));
}

/** Reports whether an option has a value. A list without items has none. */
function isGiven(option: unknown): boolean {
  return Array.isArray(option) ? option.length > 0 : option !== undefined;
}

/** Lists the systems that may take over objects which others recognize. */
function listClaimingSystems(context: PlanContext, systems: readonly RolloutSystem[]): readonly RolloutSystem[] {
  return systems.filter((system) => system.claims && isInView(system, context));
}

/**
 * Returns the system that plans an object: the first one that claims it in its context, else the first one that recognizes it.
 * Returns undefined if the object does not roll out.
 *
 * A claim lets a system take over an object of another one: a Deployment that a Flagger Canary targets, or that an Argo Rollout references.
 */
export function findSystem(
  object: Manifest,
  context: PlanContext,
  systems: readonly RolloutSystem[],
  claiming = listClaimingSystems(context, systems),
): RolloutSystem | undefined {
  return claiming.find((system) => system.claims!(object, context)) ?? systems.find((system) => system.recognises(object));
}

/** Reports whether a system takes over an object that another system recognizes. */
export function isClaimed(object: Manifest, context: PlanContext, systems: readonly RolloutSystem[]): boolean {
  return listClaimingSystems(context, systems).some((system) => system.claims!(object, context));
}

/** Lists the objects of a unit that roll out, each with its system. */
export function claimObjects(context: PlanContext, systems: readonly RolloutSystem[]): readonly ClaimedObject[] {
  const claiming = listClaimingSystems(context, systems);
  return context.objects.flatMap((object) => {
    const system = findSystem(object, context, systems, claiming);
    return system ? [{ object, system }] : [];
  });
}
