import { pluralize } from '../core/text/text-format';

/** The patch that makes a StatefulSet keep its claims when it is deleted. */
export const RETAIN_PATCH = '{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain"}}}';

/** The condition under which the data of a claim outlives the claim. */
export const UNLESS_RETAINED = 'unless the volumes have the reclaim policy Retain';

/** Formats deleted claims as the subject of a sentence: `claim data-db-3 is`, `2 claims (data-db-3 and so on) are`. */
export function formatDeletedClaims(claims: number, first: string): string {
  return claims === 1 ? `claim ${first} is` : `${pluralize(claims, 'claim')} (${first} and so on) are`;
}
