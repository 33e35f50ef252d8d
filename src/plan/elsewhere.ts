import type { SystemRollout } from '../cluster/workload';
import type { Manifest } from '../core/manifest';
import { identityOf } from './views';

/** A rollout of a unit, and the object that it is of. */
export interface UnitRollout {
  readonly object: Manifest;
  /** The object with all that it holds. */
  readonly whole: Manifest;
  readonly rollout: SystemRollout;
}

/** The rollouts of a unit: those that something counts together with others, and those that stand alone, shown or not, of which the objects are known. */
export interface UnitRollouts {
  readonly together: readonly UnitRollout[];
  readonly alone: readonly Pick<UnitRollout, 'object'>[];
  readonly counted: readonly Manifest[];
}

/** Which units hold an object of each name. */
function unitsByIdentity(units: readonly UnitRollouts[]): ReadonlyMap<string, ReadonlySet<number>> {
  const holders = new Map<string, Set<number>>();
  units.forEach((unitRollouts, unit) => {
    for (const object of objectsOf(unitRollouts)) {
      const identity = identityOf(object);
      if (identity === undefined) continue;
      const known = holders.get(identity);
      if (known) known.add(unit);
      else holders.set(identity, new Set([unit]));
    }
  });
  return holders;
}

function objectsOf({ together, alone, counted }: UnitRollouts): readonly Manifest[] {
  return [...together.map(({ object }) => object), ...alone.map(({ object }) => object), ...counted];
}

/**
 * The rollouts that may stand in one cluster with those of a unit, as far as something counts them together: those of all other units,
 * but for units that hold an object of the same name, as `clusters/a` and `clusters/b` do, of which a cluster has one.
 */
export function rolloutsElsewhere(units: readonly UnitRollouts[]): (unit: number) => readonly SystemRollout[] {
  if (units.length < 2) return () => [];
  const holders = unitsByIdentity(units);
  return (unit) => {
    const instead = new Set(objectsOf(units[unit]!).flatMap((object) => [...(holders.get(identityOf(object) ?? '') ?? [unit])]));
    return units.flatMap(({ together }, other) => (other === unit || instead.has(other) ? [] : together.map(({ rollout }) => rollout)));
  };
}
