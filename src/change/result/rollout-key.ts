import { groupOf } from '../../core/manifest';
import type { PlannedRollout, ResourceRef } from '../../core/rollout';

/** Returns the key that identifies a rollout. The API version is not part of it. */
export function rolloutKeyOf(resource: ResourceRef): string {
  const { kind, namespace, name, component } = resource;
  return JSON.stringify([groupOf(resource), kind, namespace, name, component]);
}

/** Returns the key that identifies the object of a rollout. */
export function rolloutObjectKeyOf(resource: ResourceRef): string {
  const { component: _, ...object } = resource;
  return rolloutKeyOf(object);
}

/** Returns the keys of the first rollout of an object, as `mapByRollout` uses them: of the same component, then of an object that is one rollout. */
export function firstRolloutKeysOf(resource: ResourceRef): readonly string[] {
  return [`${rolloutKeyOf(resource)}#0`, `${rolloutObjectKeyOf(resource)}#0`];
}

/** Maps items by key and position among the items of that key. */
export function mapByNumberedKey<T>(items: readonly T[], key: (item: T) => string): Map<string, T> {
  const counts = new Map<string, number>();
  return new Map(
    items.map((item) => {
      const own = key(item);
      const count = counts.get(own) ?? 0;
      counts.set(own, count + 1);
      return [`${own}#${count}`, item];
    }),
  );
}

/** Maps rollouts by key and position. A plan may contain two of one name: the first matches the first. */
export function mapByRollout<T extends Pick<PlannedRollout, 'resource'>>(rollouts: readonly T[]): ReadonlyMap<string, T> {
  return mapByNumberedKey(rollouts, ({ resource }) => rolloutKeyOf(resource));
}
