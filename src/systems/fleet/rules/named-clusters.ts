import type { FleetRollout } from '../simulate';

/** Maximum number of names in a finding. */
const MAX_LISTED_NAMES = 5;

/** Clusters as finding data: their number and the first few names. */
export interface NamedClusters {
  readonly count: number;
  readonly names: readonly string[];
}

/** Returns clusters with these names as finding data. */
export function listNamedClusters(names: readonly string[]): NamedClusters {
  return { count: names.length, names: names.slice(0, MAX_LISTED_NAMES) };
}

/** Returns the targets at these positions as finding data. */
export function toNamedClusters({ targets }: Pick<FleetRollout, 'targets'>, positions: readonly number[]): NamedClusters {
  return { count: positions.length, names: positions.slice(0, MAX_LISTED_NAMES).map((position) => targets[position]!.name) };
}

/** Formats clusters for a message: `prod-1, prod-2 and 37 more`. */
export function formatClusterNames({ count, names }: NamedClusters): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
