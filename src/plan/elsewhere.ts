import type { SystemRollout } from '../cluster/workload';
import type { Manifest } from '../core/manifest';
import { identityOf } from './views';

/** A rollout of a unit, and the object that it is of. */
export interface UnitRollout {
  readonly object: Manifest;
  readonly rollout: SystemRollout;
}

/** Which units hold an object of each name. */
function unitsByIdentity(units: readonly (readonly UnitRollout[])[]): ReadonlyMap<string, ReadonlySet<number>> {
  const holders = new Map<string, Set<number>>();
  units.forEach((rollouts, unit) => {
    for (const { object } of rollouts) {
      const identity = identityOf(object);
      if (identity === undefined) continue;
      const known = holders.get(identity);
      if (known) known.add(unit);
      else holders.set(identity, new Set([unit]));
    }
  });
  return holders;
}

/**
 * The rollouts that may stand in one cluster with those of a unit: those of all other units,
 * but for units that hold an object of the same name, as `clusters/a` and `clusters/b` do, of which a cluster has one.
 */
export function rolloutsElsewhere(units: readonly (readonly UnitRollout[])[]): (unit: number) => readonly SystemRollout[] {
  if (units.length < 2) return () => [];
  const holders = unitsByIdentity(units);
  return (unit) => {
    const instead = new Set(units[unit]!.flatMap(({ object }) => [...(holders.get(identityOf(object) ?? '') ?? [unit])]));
    return units.flatMap((rollouts, other) => (other === unit || instead.has(other) ? [] : rollouts.map(({ rollout }) => rollout)));
  };
}
