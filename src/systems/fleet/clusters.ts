import { ROOT_PATH } from '../../core/manifest/field-path';
import type { Manifest } from '../../core/manifest/manifest';
import { compileLookup } from './lookup';
import { compileSelector, findSelectorErrors } from './selector';
import type { Labels } from './selector';
import type { LabelSelector } from './types';

/** A cluster that Fleet deploys to. An inventory may have a million, so the input objects are not copied. */
export interface FleetCluster {
  /** Name of the Cluster object. */
  readonly name: string;
  /** Namespace of the Cluster object. @default - the bundle's namespace */
  readonly namespace?: string;
  /** Labels that targets, partitions and groups select the cluster by. @default - none */
  readonly labels?: Labels;
  /** Whether the cluster is paused, so that nothing is released to it. @default false */
  readonly paused?: boolean;
  /** Whether its status reports that it is not ready. @default false */
  readonly notReady?: boolean;
  /** Whether its status has no namespace, so that Fleet creates no BundleDeployment for it. @default false */
  readonly notRegistered?: boolean;
  /** Whether the cluster is outside its Schedule now. @default false */
  readonly outsideSchedule?: boolean;
}

/** A named group of clusters. */
export interface FleetClusterGroup {
  /** Name of the ClusterGroup object. */
  readonly name: string;
  /** Namespace of the ClusterGroup object. @default - the bundle's namespace */
  readonly namespace?: string;
  /** Labels that a `clusterGroupSelector` selects the group by. @default - none */
  readonly labels?: Labels;
  /** Selector for the group's clusters; `{}` selects every cluster in its namespace. @default - no members */
  readonly selector?: LabelSelector;
}

/** The clusters and cluster groups of a Fleet manager. */
export interface FleetInventory {
  /** Clusters, sorted bytewise by name as Fleet does. Clusters of the same name in several namespaces keep their input order. */
  readonly clusters: readonly FleetCluster[];
  readonly groups: readonly FleetClusterGroup[];
  /** BundleDeployments, which report the state of a bundle on a cluster. @default - none */
  readonly deployments?: readonly Manifest[];
}

/** Returns the groups that a cluster is in. */
export type ClusterGroupLookup = (cluster: FleetCluster) => readonly FleetClusterGroup[];

/** The clusters that a bundle sees. */
export interface VisibleClusters {
  /** The clusters, sorted by name. */
  readonly clusters: readonly FleetCluster[];
  readonly groupsOf: ClusterGroupLookup;
}

const NO_GROUPS: readonly FleetClusterGroup[] = [];

/** Filters objects by namespace. Objects without a namespace match every bundle. Without a bundle namespace every object matches. */
export function filterByNamespace<T extends { readonly namespace?: string }>(
  objects: readonly T[],
  namespace: string | undefined,
): readonly T[] {
  if (namespace === undefined) return objects;
  return objects.filter((object) => object.namespace === undefined || object.namespace === namespace);
}

function isSameNamespace(a: { readonly namespace?: string }, b: { readonly namespace?: string }): boolean {
  return a.namespace === undefined || b.namespace === undefined || a.namespace === b.namespace;
}

/**
 * Compiles a lookup of the groups that a cluster is in. A group with an invalid selector has no members: the controller logs and skips it.
 *
 * Source: rancher/fleet v0.16.1 target/query.go.
 */
export function compileGroupLookup(groups: readonly FleetClusterGroup[]): ClusterGroupLookup {
  const usable = groups.flatMap((group) =>
    group.selector && findSelectorErrors(group.selector, ROOT_PATH).length === 0
      ? [{ group, selector: compileSelector(group.selector) }]
      : [],
  );
  if (usable.length === 0) return () => NO_GROUPS;
  const candidates = compileLookup(usable.map(({ selector }) => selector));
  return (cluster) => {
    const members = candidates(cluster)
      .map((position) => usable[position]!)
      .filter(({ group, selector }) => isSameNamespace(group, cluster) && selector.matches(cluster.labels));
    return members.length === 0 ? NO_GROUPS : members.map(({ group }) => group);
  };
}
