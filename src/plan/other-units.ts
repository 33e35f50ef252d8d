import type { SystemRollout } from '../cluster/workload';
import type { Manifest } from '../core/manifest';
import { objectIdentityOf } from './plan-scopes';

/** A rollout of a unit, and the object that it is of. */
export interface UnitRollout {
  readonly object: Manifest;
  readonly rollout: SystemRollout;
}

/** The rollouts of a unit: those that something counts together with others, and those that stand alone, shown or not, of which the objects are known. */
export interface UnitRollouts {
  readonly interdependent: readonly UnitRollout[];
  readonly independent: readonly Pick<UnitRollout, 'object'>[];
  readonly counted: readonly Manifest[];
}

/** Which units hold an object of each name. */
function mapUnitsByIdentity(units: readonly UnitRollouts[]): ReadonlyMap<string, ReadonlySet<number>> {
  const unitsByKey = new Map<string, Set<number>>();
  units.forEach((unitRollouts, unit) => {
    for (const object of objectsOf(unitRollouts)) {
      const identity = objectIdentityOf(object);
      if (identity === undefined) continue;
      const known = unitsByKey.get(identity);
      if (known) known.add(unit);
      else unitsByKey.set(identity, new Set([unit]));
    }
  });
  return unitsByKey;
}

function objectsOf({ interdependent, independent, counted }: UnitRollouts): readonly Manifest[] {
  return [...interdependent.map(({ object }) => object), ...independent.map(({ object }) => object), ...counted];
}

/**
 * The rollouts that may stand in one cluster with those of a unit, as far as something counts them together: those of all other units,
 * but for units that hold an object of the same name, as `clusters/a` and `clusters/b` do, of which a cluster has one.
 */
export function collectRolloutsInOtherUnits(units: readonly UnitRollouts[]): (unit: number) => readonly SystemRollout[] {
  if (units.length < 2) return () => [];
  const unitsByKey = mapUnitsByIdentity(units);
  return (unit) => {
    const excludedUnits = new Set(
      objectsOf(units[unit]!).flatMap((object) => [...(unitsByKey.get(objectIdentityOf(object) ?? '') ?? [unit])]),
    );
    return units.flatMap(({ interdependent }, other) =>
      other === unit || excludedUnits.has(other) ? [] : interdependent.map(({ rollout }) => rollout),
    );
  };
}
