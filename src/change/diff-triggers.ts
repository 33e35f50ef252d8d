import { nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { ObjectChange, PlanChange } from '../core/plan-diff';
import { resourceOf } from '../core/rollout';
import type { ResourceRef, PlannedRollout } from '../core/rollout';
import type { Versions } from '../core/versions';
import { SYSTEMS } from '../plan/registry';

/** A change before it is known of which resource. */
export type FieldDifference = Omit<PlanChange, 'resource'>;

/** An object whose system tells what applying a change of it does. */
export interface ComparableObject {
  /** As its rollout names it. */
  readonly resource: ResourceRef;
  readonly object: Manifest;
  readonly changesTo: (next: Manifest, versions: Versions) => readonly ObjectChange[];
}

/** The objects of systems that tell what applying a change does, each as its rollout names it. */
export function comparableObjects(objects: readonly Manifest[]): ComparableObject[] {
  return objects.flatMap((object) => {
    const changes = SYSTEMS.find((system) => system.recognises(object))?.changes;
    if (!changes) return [];
    const resource = resourceOf(object, nameOf(object), namespaceOf(object));
    return { resource, object, changesTo: (next, versions) => changes(object, next, versions) };
  });
}

function triggerOf(
  { triggers, reason }: ObjectChange,
  { strategy, resource }: PlannedRollout,
): Pick<FieldDifference, 'triggers' | 'reason'> {
  if (strategy !== null) return { triggers, reason };
  return { triggers: 'none', reason: `The new ${resource.kind} is refused: nothing happens until its errors are repaired.` };
}

/** Adds what applying each changed field does to the fields of the strategy, and all other changed fields of the object, by their path. */
export function withTriggers(
  strategy: readonly FieldDifference[],
  changes: readonly ObjectChange[],
  rollout: PlannedRollout,
): FieldDifference[] {
  const byField = new Map(changes.map((change) => [change.strategyField, change]));
  const known = strategy.map((difference) => {
    const change = byField.get(difference.field);
    return change ? { ...difference, ...triggerOf(change, rollout) } : difference;
  });
  const told = new Set(strategy.map(({ field }) => field));
  const others = changes.filter(({ strategyField }) => strategyField === undefined || !told.has(strategyField));
  return [
    ...known,
    ...others.map((change): FieldDifference => {
      return { field: change.path, old: change.old ?? null, new: change.new ?? null, effect: 'neutral', ...triggerOf(change, rollout) };
    }),
  ];
}
