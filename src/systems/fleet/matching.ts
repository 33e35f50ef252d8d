import type { FleetBehaviour } from './behaviour';
import type { FleetCluster, FleetClusterGroup } from './clusters';
import { DISPLAY_NAME_LABEL } from './lookup';
import type { Lookup } from './lookup';
import { compileSelector } from './selector';
import type { ClusterCriteria } from './types';

/** Criteria made ready for many clusters. */
export interface ClusterMatcher extends Lookup {
  /** Do all criteria hold for the cluster as a member of this one group, or of none? */
  matchesInGroup(cluster: FleetCluster, group: FleetClusterGroup | undefined): boolean;
}

/** Is there any criterion? Empty text does not count, `{}` does. */
export function hasCriteria({ clusterName, clusterGroup, clusterSelector, clusterGroupSelector }: ClusterCriteria): boolean {
  return Boolean(clusterName) || Boolean(clusterGroup) || Boolean(clusterSelector) || Boolean(clusterGroupSelector);
}

/**
 * Makes criteria ready: those that are given are ANDed, none at all matches nothing.
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

/** Is there a group for which `holds`? A cluster without groups is tried once, as a member of none. */
export function matchesSomeGroup(
  groups: readonly FleetClusterGroup[],
  predicate: (group: FleetClusterGroup | undefined) => boolean,
): boolean {
  return groups.length === 0 ? predicate(undefined) : groups.some(predicate);
}

/** Do all criteria hold for the cluster and one single group of it? */
export function matchesCluster(matcher: ClusterMatcher, cluster: FleetCluster, groups: readonly FleetClusterGroup[]): boolean {
  return matchesSomeGroup(groups, (group) => matcher.matchesInGroup(cluster, group));
}
