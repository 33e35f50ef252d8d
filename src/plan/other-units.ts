import type { SystemRollout } from '../cluster/rollout/system-rollout';
import { objectIdentityOf } from './plan-scopes';
import type { UnitRollout } from './plan-objects';

/** Maps each object identity to the units that contain such an object. */
function mapUnitsByIdentity(units: readonly (readonly UnitRollout[])[]): ReadonlyMap<string, ReadonlySet<number>> {
  const unitsByKey = new Map<string, Set<number>>();
  units.forEach((rollouts, unit) => {
    for (const { object } of rollouts) {
      const identity = objectIdentityOf(object);
      if (identity === undefined) continue;
      const known = unitsByKey.get(identity);
      if (known) known.add(unit);
      else unitsByKey.set(identity, new Set([unit]));
    }
  });
  return unitsByKey;
}

/**
 * Returns, for a unit, the rollouts of other units that may run in the same cluster.
 *
 * Units with an object of the same name are excluded: a cluster has only one such object, so `clusters/a` and `clusters/b` are two clusters.
 */
export function collectRolloutsInOtherUnits(units: readonly (readonly UnitRollout[])[]): (unit: number) => readonly SystemRollout[] {
  const unitsByKey = mapUnitsByIdentity(units);
  return (unit) => {
    const excludedUnits = new Set(units[unit]!.flatMap(({ object }) => [...(unitsByKey.get(objectIdentityOf(object) ?? '') ?? [unit])]));
    return units.flatMap((rollouts, other) => (other === unit || excludedUnits.has(other) ? [] : rollouts.map(({ rollout }) => rollout)));
  };
}
