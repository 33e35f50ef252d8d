import { addToGroup } from '../../core/collections/group-by';
import type { Finding } from '../../core/findings/finding';
import { groupOf, nameOf, getValueAt } from '../../core/manifest/manifest';
import type { ResourceRef } from '../../core/document/rollout';
import type { Manifest } from '../../core/manifest/manifest';
import { memoizePerPlan, memoizePerRun } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { ClusterIndex } from './cluster-index';
import type { FleetCluster, FleetClusterGroup, FleetInventory } from './clusters';
import { FLEET_GROUP } from './fleet-yaml';
import { createSkippedFieldFinding } from './field-findings';
import { findInventoryProblems, clusterNamesOf, parseInventory } from './inventory';
import { checkGroupSelector } from './rules/invalid-selector';
import { checkClusterNotReached } from './rules/cluster-not-reached';
import { checkUnknownCluster } from './rules/unknown-cluster';

function isReadable(object: Manifest): boolean {
  return findInventoryProblems(object).length === 0;
}

/** Parses the inventories from --clusters, which may be large and are the same for every unit. */
const parseProvidedInventory = memoizePerRun(({ clusters = [] }): FleetInventory => parseInventory(clusters));

/**
 * Returns the clusters and groups of a plan, from --clusters and from the input objects; undefined if there are no clusters.
 *
 * A cluster from --clusters takes precedence over an input object of the same name.
 *
 * @throws InventoryError for clusters from --clusters that cannot be read; malformed objects are ignored and reported as findings.
 */
export const inventoryOf = memoizePerPlan((context): FleetInventory | undefined => {
  const provided = context.clusters ?? [];
  const clusters = context.all(CONTEXT_KINDS.fleetCluster);
  if (provided.length === 0 && clusters.length === 0) return undefined;
  const objects = [...clusters, ...context.all(CONTEXT_KINDS.fleetClusterGroup)].filter(isReadable);
  return objects.length === 0 ? parseProvidedInventory(context) : parseInventory([...objects, ...provided]);
});

/** Returns the inventory with an index for many bundles; undefined if there are no clusters. */
export const clusterIndexOf = memoizePerPlan((context): ClusterIndex | undefined => {
  const inventory = inventoryOf(context);
  return inventory && new ClusterIndex(inventory);
});

/** Creates a predicate for the clusters that --never-ready names, by name or by namespace/name. */
export function createNeverReadyTest({ neverReady = [] }: PlanContext): (cluster: FleetCluster) => boolean {
  return createNameTest(neverReady);
}

function createNameTest(provided: readonly string[]): (cluster: FleetCluster) => boolean {
  const names = new Set(provided);
  if (names.size === 0) return () => false;
  return (cluster) => clusterNamesOf(cluster).some((name) => names.has(name));
}

const DEPLOYMENT_LABELS = {
  bundle: 'fleet.cattle.io/bundle-name',
  bundleNamespace: 'fleet.cattle.io/bundle-namespace',
  cluster: 'fleet.cattle.io/cluster',
  clusterNamespace: 'fleet.cattle.io/cluster-namespace',
} as const;

function labelOf(object: Manifest, label: keyof typeof DEPLOYMENT_LABELS): string {
  const value = getValueAt(object, 'metadata', 'labels', DEPLOYMENT_LABELS[label]);
  return typeof value === 'string' ? value : '';
}

/**
 * Reports whether the spec of a BundleDeployment is not applied or not ready.
 *
 * Source: rancher/fleet v0.16.1 target/status.go, isUnavailable.
 */
function isUnavailable(deployment: Manifest): boolean {
  const applied = getValueAt(deployment, 'status', 'appliedDeploymentID');
  return applied !== getValueAt(deployment, 'spec', 'deploymentID') || getValueAt(deployment, 'status', 'ready') !== true;
}

/** Groups BundleDeployments by the namespace/name of their bundle. */
const groupDeploymentsByBundle = memoizePerPlan((context): ReadonlyMap<string, readonly Manifest[]> => {
  const byBundle = new Map<string, Manifest[]>();
  const all = [...(inventoryOf(context)?.deployments ?? []), ...context.all(CONTEXT_KINDS.bundleDeployment)];
  for (const object of all) {
    const bundle = `${labelOf(object, 'bundleNamespace')}/${labelOf(object, 'bundle')}`;
    addToGroup(byBundle, bundle, object);
  }
  return byBundle;
});

/** Collects whether a bundle is unavailable on each cluster with a known BundleDeployment, by the cluster's namespace/name. */
function collectDeploymentStates({ name, namespace = '' }: ResourceRef, context: PlanContext): ReadonlyMap<string, boolean> {
  const own = groupDeploymentsByBundle(context).get(`${namespace}/${name}`) ?? [];
  return new Map(own.map((object) => [`${labelOf(object, 'clusterNamespace')}/${labelOf(object, 'cluster')}`, isUnavailable(object)]));
}

/**
 * Creates a predicate for clusters that are not ready before the update of a bundle starts.
 *
 * The command line takes precedence, then the bundle's BundleDeployment for the cluster, then the status of the Cluster.
 */
export function createNotReadyNowTest(bundle: ResourceRef, context: PlanContext): (cluster: FleetCluster) => boolean {
  const isNamed = createNameTest(context.notReadyNow ?? []);
  const deployments = collectDeploymentStates(bundle, context);
  // Building a name for each of a million clusters is slow.
  if (deployments.size === 0) return (cluster) => isNamed(cluster) || cluster.notReady === true;
  return (cluster) => {
    const [, qualified] = clusterNamesOf({ ...cluster, namespace: cluster.namespace ?? bundle.namespace ?? '' });
    return isNamed(cluster) || (deployments.get(qualified) ?? cluster.notReady === true);
  };
}

/** Reports the problems of the inventory and of the cluster names on the command line, with their sources. */
export function checkInventory(context: PlanContext): Finding[] {
  const groups = context.all(CONTEXT_KINDS.fleetClusterGroup);
  const inventory = inventoryOf(context) ?? parseInventory(groups.filter(isReadable));
  const objects = [...context.all(CONTEXT_KINDS.fleetCluster), ...groups];
  return [
    ...objects.flatMap((object) => checkInventoryObject(object, context)),
    ...inventory.groups.flatMap((group) => checkClusterGroup(group, objects, context)),
    ...checkClusterNotReached(inventory.clusters),
    ...checkNamedClusters(context),
  ];
}

function checkInventoryObject(object: Manifest, context: PlanContext): Finding[] {
  return findInventoryProblems(object).map((problem) =>
    createSkippedFieldFinding(problem, object.kind, context.locate(object, problem.path)),
  );
}

function checkClusterGroup({ name, selector }: FleetClusterGroup, objects: readonly Manifest[], context: PlanContext): Finding[] {
  if (!selector) return [];
  const object = objects.find((candidate) => candidate.kind === 'ClusterGroup' && nameOf(candidate) === name);
  return checkGroupSelector(name, selector, (path) => object && context.locate(object, path));
}

/** Reports unknown cluster names. The clusters of every unit count, since a name in another unit is not a typo. */
function checkNamedClusters({ neverReady = [], notReadyNow = [], input, clusters: provided = [] }: PlanContext): Finding[] {
  if (neverReady.length + notReadyNow.length === 0) return [];
  const objects = input.filter((object) => object.kind === CONTEXT_KINDS.fleetCluster.kind && groupOf(object) === FLEET_GROUP);
  return checkUnknownCluster({ neverReady, notReadyNow }, parseInventory([...objects.filter(isReadable), ...provided]).clusters);
}
