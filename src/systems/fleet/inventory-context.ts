import type { Finding } from '../../core/finding';
import { groupOf, nameOf, getValueAt } from '../../core/manifest';
import type { ResourceRef } from '../../core/rollout';
import type { Manifest } from '../../core/manifest';
import { memoizePerPlan, memoizePerRun } from '../../cluster/context';
import type { PlanContext } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
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

/** Inventories given by hand, which may be large and are the same for every unit. */
const parseProvidedInventory = memoizePerRun(({ clusters = [] }): FleetInventory => parseInventory(clusters));

/**
 * The clusters and groups of a plan: those given by hand, and those among the objects; undefined where no cluster is in view at all.
 * One that is given by hand and stands among the objects too counts as given by hand.
 *
 * @throws InventoryError for clusters given by hand that cannot be read; malformed objects are left out, and are findings.
 */
export const inventoryOf = memoizePerPlan((context): FleetInventory | undefined => {
  const provided = context.clusters ?? [];
  const clusters = context.all(CONTEXT_KINDS.fleetCluster);
  if (provided.length === 0 && clusters.length === 0) return undefined;
  const objects = [...clusters, ...context.all(CONTEXT_KINDS.fleetClusterGroup)].filter(isReadable);
  return objects.length === 0 ? parseProvidedInventory(context) : parseInventory([...objects, ...provided]);
});

/** The same made ready for many bundles. */
export const clusterIndexOf = memoizePerPlan((context): ClusterIndex | undefined => {
  const inventory = inventoryOf(context);
  return inventory && new ClusterIndex(inventory);
});

/** Is this one of the clusters that are said never to get ready, by name or by namespace/name? */
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

/** Is what a BundleDeployment asks for not applied, or not ready? Source: rancher/fleet v0.16.1 target/status.go, isUnavailable. */
function isUnavailable(deployment: Manifest): boolean {
  const applied = getValueAt(deployment, 'status', 'appliedDeploymentID');
  return applied !== getValueAt(deployment, 'spec', 'deploymentID') || getValueAt(deployment, 'status', 'ready') !== true;
}

/** BundleDeployments by the namespace/name of their bundle. */
const groupDeploymentsByBundle = memoizePerPlan((context): ReadonlyMap<string, readonly Manifest[]> => {
  const byBundle = new Map<string, Manifest[]>();
  const all = [...(inventoryOf(context)?.deployments ?? []), ...context.all(CONTEXT_KINDS.bundleDeployment)];
  for (const object of all) {
    const bundle = `${labelOf(object, 'bundleNamespace')}/${labelOf(object, 'bundle')}`;
    const existing = byBundle.get(bundle);
    if (existing) existing.push(object);
    else byBundle.set(bundle, [object]);
  }
  return byBundle;
});

/** The state of a bundle on each cluster, by the cluster's namespace/name, as far as its BundleDeployments are among the objects. */
function collectDeploymentStates({ name, namespace = '' }: ResourceRef, context: PlanContext): ReadonlyMap<string, boolean> {
  const own = groupDeploymentsByBundle(context).get(`${namespace}/${name}`) ?? [];
  return new Map(own.map((object) => [`${labelOf(object, 'clusterNamespace')}/${labelOf(object, 'cluster')}`, isUnavailable(object)]));
}

/**
 * Is this a cluster that is down before the update of a bundle starts: as it is said on the command line, else as the bundle's
 * BundleDeployment for it says, else as the Cluster does?
 */
export function createNotReadyNowTest(bundle: ResourceRef, context: PlanContext): (cluster: FleetCluster) => boolean {
  const isNamed = createNameTest(context.notReadyNow ?? []);
  const deployments = collectDeploymentStates(bundle, context);
  // A name for each of a million clusters takes its time.
  if (deployments.size === 0) return (cluster) => isNamed(cluster) || cluster.notReady === true;
  return (cluster) => {
    const [, qualified] = clusterNamesOf({ ...cluster, namespace: cluster.namespace ?? bundle.namespace ?? '' });
    return isNamed(cluster) || (deployments.get(qualified) ?? cluster.notReady === true);
  };
}

/** What is wrong with the inventory itself, and with the names said never to get ready; with their sources. */
export function checkInventory(context: PlanContext): Finding[] {
  const inventory = inventoryOf(context) ?? { clusters: [], groups: [] };
  const objects = [...context.all(CONTEXT_KINDS.fleetCluster), ...context.all(CONTEXT_KINDS.fleetClusterGroup)];
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

/** Judged by the clusters of every unit: a name of one of them is no typing error. */
function checkNamedClusters({ neverReady = [], notReadyNow = [], input, clusters: provided = [] }: PlanContext): Finding[] {
  if (neverReady.length + notReadyNow.length === 0) return [];
  const objects = input.filter((object) => object.kind === CONTEXT_KINDS.fleetCluster.kind && groupOf(object) === FLEET_GROUP);
  return checkUnknownCluster({ neverReady, notReadyNow }, parseInventory([...objects.filter(isReadable), ...provided]).clusters);
}
