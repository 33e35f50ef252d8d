import { ROOT_PATH } from '../../core/field-path';
import type { Manifest } from '../../core/manifest';
import { compileLookup } from './lookup';
import { compileSelector, findSelectorErrors } from './selector';
import type { Labels } from './selector';
import type { LabelSelector } from './types';

/** A cluster that Fleet deploys to. An inventory may hold a million, so they stay the objects that were read. */
export interface FleetCluster {
  /** Name of the Cluster object. */
  readonly name: string;
  /** Namespace of the Cluster object. @default - the bundle's */
  readonly namespace?: string;
  /** Labels that targets, partitions and groups select the cluster by. @default - none */
  readonly labels?: Labels;
  /** Nothing is released to it while it is paused. @default false */
  readonly paused?: boolean;
  /** Its status says that it is not ready. @default false */
  readonly notReady?: boolean;
  /** Its status has no namespace, so Fleet makes no BundleDeployment for it. @default false */
  readonly notRegistered?: boolean;
  /** Its Schedule is off now. @default false */
  readonly outsideSchedule?: boolean;
}

/** Clusters that go by one name. */
export interface FleetClusterGroup {
  /** Name of the ClusterGroup object. */
  readonly name: string;
  /** Namespace of the ClusterGroup object. @default - the bundle's */
  readonly namespace?: string;
  /** Labels that a `clusterGroupSelector` selects the group by. @default - none */
  readonly labels?: Labels;
  /** Labels of the group's clusters; `{}` takes every cluster of its namespace. @default - no members */
  readonly selector?: LabelSelector;
}

/** The clusters and cluster groups of a Fleet manager. */
export interface FleetInventory {
  /** By name, bytewise as Fleet sorts them; of one name in several namespaces, as they were given. */
  readonly clusters: readonly FleetCluster[];
  readonly groups: readonly FleetClusterGroup[];
  /** BundleDeployments that stand among them, which say how a bundle does on a cluster. @default - none */
  readonly deployments?: readonly Manifest[];
}

/** Which groups a cluster is in. */
export type ClusterGroupLookup = (cluster: FleetCluster) => readonly FleetClusterGroup[];

/** What a bundle sees. */
export interface VisibleClusters {
  /** By name. */
  readonly clusters: readonly FleetCluster[];
  readonly groupsOf: ClusterGroupLookup;
}

const NO_GROUPS: readonly FleetClusterGroup[] = [];

/** An object without namespace is in the bundle's; so is everything for a bundle whose own namespace is not told. */
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

/** Which of these groups a cluster is in. A group whose selector is invalid has no members: the controller logs and skips it. Source: rancher/fleet v0.16.1 target/query.go. */
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
