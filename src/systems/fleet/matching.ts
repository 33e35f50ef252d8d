import type { FleetBehaviour } from './behaviour';
import type { FleetCluster, FleetClusterGroup } from './clusters';
import { DISPLAY_NAME_LABEL } from './lookup';
import type { Lookup } from './lookup';
import { compileSelector } from './selector';
import type { ClusterCriteria } from './types';

/** Compiled criteria for many clusters. */
export interface ClusterMatcher extends Lookup {
  /** Reports whether the cluster meets all criteria as a member of this group, or without a group. */
  matchesInGroup(cluster: FleetCluster, group: FleetClusterGroup | undefined): boolean;
}

/** Reports whether there is at least one criterion. Empty text does not count, but `{}` does. */
export function hasCriteria({ clusterName, clusterGroup, clusterSelector, clusterGroupSelector }: ClusterCriteria): boolean {
  return Boolean(clusterName) || Boolean(clusterGroup) || Boolean(clusterSelector) || Boolean(clusterGroupSelector);
}

/**
 * Compiles criteria. They are ANDed; without any criterion nothing matches.
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/matcher/clustermatcher.go.
 */
export function compileCriteria(criteria: ClusterCriteria, behaviour: FleetBehaviour): ClusterMatcher {
  const { clusterName, clusterGroup } = criteria;
  const selector = criteria.clusterSelector ? compileSelector(criteria.clusterSelector) : undefined;
  const groupSelector = criteria.clusterGroupSelector ? compileSelector(criteria.clusterGroupSelector) : undefined;
  const isNamed = (cluster: FleetCluster) =>
    cluster.name === clusterName || (behaviour.matchesDisplayName && cluster.labels?.[DISPLAY_NAME_LABEL] === clusterName);

  const tests: ClusterMatcher['matchesInGroup'][] = [];
  if (clusterName) tests.push(isNamed);
  if (clusterGroup) tests.push((_, group) => group?.name === clusterGroup);
  if (groupSelector) tests.push((_, group) => groupSelector.matches(group?.labels));
  if (selector) tests.push(({ labels }) => selector.matches(labels));
  return {
    matchesInGroup: (cluster, group) => tests.length > 0 && tests.every((test) => test(cluster, group)),
    ...(clusterName && { clusterName }),
    ...(selector?.equality && { equality: selector.equality }),
  };
}

/** Reports whether the predicate holds for a group. A cluster without groups is tried once, without a group. */
export function matchesSomeGroup(
  groups: readonly FleetClusterGroup[],
  predicate: (group: FleetClusterGroup | undefined) => boolean,
): boolean {
  return groups.length === 0 ? predicate(undefined) : groups.some(predicate);
}

/** Reports whether the cluster meets all criteria with one of its groups. */
export function matchesCluster(matcher: ClusterMatcher, cluster: FleetCluster, groups: readonly FleetClusterGroup[]): boolean {
  return matchesSomeGroup(groups, (group) => matcher.matchesInGroup(cluster, group));
}
