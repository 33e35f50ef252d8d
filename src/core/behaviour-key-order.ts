import type { Behaviour, PlanChange } from './behaviour';
import { sortResourceKeys } from './reference-key-order';

/** A value that one side has not is null, so that every entry has every key of the contract. */
function sortEntryKeys({ resource, field, old, new: next, risk, reason }: PlanChange): PlanChange {
  return {
    resource: sortResourceKeys(resource),
    field,
    old: old ?? null,
    new: next ?? null,
    risk,
    ...(reason !== undefined && { reason }),
  };
}

/** The keys of a behaviour in the order of the contract, `reason` where an entry has one. */
export function sortBehaviourKeys({ changed, riskier }: Behaviour): Behaviour {
  return { changed: changed.map(sortEntryKeys), riskier };
}
