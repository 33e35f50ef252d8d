import type { SystemRollout } from '../cluster/workload';
import type { Manifest } from '../core/manifest';
import { objectIdentityOf } from './plan-scopes';

/** A rollout of a unit, and its object. */
export interface UnitRollout {
  readonly object: Manifest;
  readonly rollout: SystemRollout;
}

/** The rollouts of a unit. Independent rollouts, and those that are only counted, are evaluated already. */
export interface UnitRollouts {
  readonly interdependent: readonly UnitRollout[];
  readonly independent: readonly Pick<UnitRollout, 'object'>[];
  readonly counted: readonly Manifest[];
}

/** Maps each object identity to the units that contain it. */
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
 * Returns, for each unit, the interdependent rollouts of other units that may run in the same cluster.
 * Units that contain an object of the same name are excluded: a cluster has only one of `clusters/a` and `clusters/b`.
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
