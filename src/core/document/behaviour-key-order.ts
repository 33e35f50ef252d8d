import type { Behaviour, PlanChange } from './behaviour';
import { sortResourceKeys } from './rollout';

/** Sorts the keys of an entry. A value that one side lacks is null, so that every entry has every key of the contract. */
function sortEntryKeys({ resource, mapped, field, old, new: next, risk, reason }: PlanChange): PlanChange {
  return {
    resource: sortResourceKeys(resource),
    ...(mapped && { mapped }),
    field,
    old: old ?? null,
    new: next ?? null,
    risk,
    ...(reason !== undefined && { reason }),
  };
}

/** Sorts the keys of a behaviour in the order of the contract. An entry has a `reason` only if it has one already. */
export function sortBehaviourKeys({ changed, riskier }: Behaviour): Behaviour {
  return { changed: changed.map(sortEntryKeys), riskier };
}
