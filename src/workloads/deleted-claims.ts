import { counted } from '../core/words';

/** The patch by which a StatefulSet keeps its claims when it is deleted. */
export const RETAIN_PATCH = '{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain"}}}';

/** When the data of a claim outlives it. */
export const UNLESS_RECLAIMED = 'unless the volumes have the reclaim policy Retain';

/** `claim data-db-3 is`, `2 claims (data-db-3 and so on) are`. */
export function claimsText(claims: number, first: string): string {
  return claims === 1 ? `claim ${first} is` : `${counted(claims, 'claim')} (${first} and so on) are`;
}
