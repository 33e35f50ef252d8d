import { lookUp } from './lookup';
import { compileSelector, selectorErrors } from './selector';
import type { Labels } from './selector';
import type { LabelSelector } from './types';

/** A cluster that Fleet deploys to. */
export interface FleetCluster {
  readonly name: string;
  /** @default - the bundle's */
  readonly namespace?: string;
  readonly labels: Labels;
  /** Nothing is released to it while it is paused. */
  readonly paused: boolean;
}

/** Clusters that go by one name. */
export interface FleetClusterGroup {
  readonly name: string;
  /** @default - the bundle's */
  readonly namespace?: string;
  readonly labels: Labels;
  /** Without one the group has no members; `{}` takes every cluster of its namespace. */
  readonly selector?: LabelSelector;
}

/** The clusters and cluster groups of a Fleet manager. */
export interface Inventory {
  readonly clusters: readonly FleetCluster[];
  readonly groups: readonly FleetClusterGroup[];
}

/** A cluster and the groups that it is in. */
export interface GroupedCluster {
  readonly cluster: FleetCluster;
  readonly groups: readonly FleetClusterGroup[];
}

const NO_GROUPS: readonly FleetClusterGroup[] = [];

/** An object without namespace is in the bundle's; so is everything for a bundle whose own namespace is not told. */
function isIn(namespace: string | undefined, object: { readonly namespace?: string }): boolean {
  return namespace === undefined || object.namespace === undefined || object.namespace === namespace;
}

function shareNamespace(a: { readonly namespace?: string }, b: { readonly namespace?: string }): boolean {
  return a.namespace === undefined || b.namespace === undefined || a.namespace === b.namespace;
}

/**
 * The clusters that a bundle of a namespace sees, by name, each with its groups.
 *
 * A group whose selector is invalid has no members, as the controller logs and skips it (rancher/fleet query.go).
 */
export function visibleClusters(inventory: Inventory, namespace: string | undefined): GroupedCluster[] {
  const clusters = inventory.clusters.filter((cluster) => isIn(namespace, cluster));
  const groupsOf = groupsByCluster(inventory.groups.filter((group) => isIn(namespace, group)));
  return sortedByName(clusters).map((cluster) => ({ cluster, groups: groupsOf(cluster) }));
}

/** Names that ascend already, as kubectl prints them, need no sort. Fleet compares bytes; cluster names are ASCII. */
function sortedByName(clusters: readonly FleetCluster[]): readonly FleetCluster[] {
  const ascend = clusters.every((cluster, index) => index === 0 || clusters[index - 1]!.name <= cluster.name);
  if (ascend) return clusters;
  return clusters.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function groupsByCluster(groups: readonly FleetClusterGroup[]): (cluster: FleetCluster) => readonly FleetClusterGroup[] {
  const usable = groups.flatMap((group) =>
    group.selector && selectorErrors(group.selector, '').length === 0 ? [{ group, selector: compileSelector(group.selector) }] : [],
  );
  if (usable.length === 0) return () => NO_GROUPS;
  const candidates = lookUp(usable.map(({ selector }) => selector));
  return (cluster) => {
    const members = candidates(cluster)
      .map((position) => usable[position]!)
      .filter(({ group, selector }) => shareNamespace(group, cluster) && selector.matches(cluster.labels));
    return members.length === 0 ? NO_GROUPS : members.map(({ group }) => group);
  };
}
