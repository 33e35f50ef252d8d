import type { ApplyEffect, PlannedChange } from '../../core/document/change';
import type { ServicePlan } from '../../core/document/service-plan';
import type { PlannedRollout, ResourceRef } from '../../core/document/rollout';
import { addToGroup } from '../../core/collections/group-by';

/**
 * Selects the Services whose endpoints say what users have: none of a new version under test, and no stable Service whose requests weights
 * move to a canary before its pods go.
 */
export function selectServingUsers(services: readonly ServicePlan[]): ServicePlan[] {
  const splitKeys = new Set(services.flatMap(({ role, selects }) => (role === 'canary' ? selects.map(rolloutResourceKeyOf) : [])));
  const isSplit = ({ selects }: ServicePlan) => selects.some((object) => splitKeys.has(rolloutResourceKeyOf(object)));
  return services.filter(
    (service) => service.role === undefined || service.role === 'active' || (service.role === 'stable' && !isSplit(service)),
  );
}

/** Returns the key that groups rollouts by their object. */
export function rolloutResourceKeyOf({ apiVersion, kind, namespace, name }: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

/** Returns a function that looks up what a change does to the object of a rollout. Undefined for each if no change is planned. */
export function createEffectLookup(change: PlannedChange | undefined): (rollout: PlannedRollout) => ApplyEffect | undefined {
  if (!change) return () => undefined;
  const effects = new Map(change.objects.map(({ resource, effect }) => [rolloutResourceKeyOf(resource), effect]));
  return ({ resource }) => effects.get(rolloutResourceKeyOf(resource)) ?? 'none';
}

/** Groups the rollouts of a plan by object. */
export function groupRolloutsByObject(rollouts: readonly PlannedRollout[]): ReadonlyMap<string, readonly PlannedRollout[]> {
  const byObject = new Map<string, PlannedRollout[]>();
  for (const rollout of rollouts) {
    const key = rolloutResourceKeyOf(rollout.resource);
    addToGroup(byObject, key, rollout);
  }
  return byObject;
}

/** Groups the Services of a plan by object: by the Service itself, and by each object whose pods it selects. */
export function groupServicesByObject(services: readonly ServicePlan[] = []): ReadonlyMap<string, readonly ServicePlan[]> {
  const byObject = new Map<string, ServicePlan[]>();
  for (const service of services) {
    for (const key of new Set([service.resource, ...service.selects].map(rolloutResourceKeyOf))) {
      addToGroup(byObject, key, service);
    }
  }
  return byObject;
}
