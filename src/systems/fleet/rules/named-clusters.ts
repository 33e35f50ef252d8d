import type { FleetRollout } from '../simulate';

/** Names that a finding holds. */
const MAX_LISTED_NAMES = 5;

/** Some clusters as data of a finding: how many, and the first of them by name. */
export interface NamedClusters {
  readonly count: number;
  readonly names: readonly string[];
}

/** The targets at these positions, as data of a finding. */
export function toNamedClusters({ targets }: Pick<FleetRollout, 'targets'>, positions: readonly number[]): NamedClusters {
  return { count: positions.length, names: positions.slice(0, MAX_LISTED_NAMES).map((position) => targets[position]!.name) };
}

/** Clusters as a message names them: `prod-1, prod-2 and 37 more`. */
export function formatClusterNames({ count, names }: NamedClusters): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
