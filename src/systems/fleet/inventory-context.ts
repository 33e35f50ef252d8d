import type { Finding } from '../../core/finding';
import { groupOf, nameOf, valueAt } from '../../core/manifest';
import type { ResourceRef } from '../../core/rollout';
import type { Manifest } from '../../core/manifest';
import { oncePerPlan, oncePerRun } from '../../cluster/context';
import type { PlanContext } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { ClusterIndex } from './cluster-index';
import type { FleetCluster, FleetClusterGroup, Inventory } from './clusters';
import { FLEET_GROUP } from './fleet-yaml';
import { leftOutField } from './field-findings';
import { inventoryProblems, namesOf, parseInventory } from './inventory';
import { groupSelectorFindings } from './rules/invalid-selector';
import { notReachedFindings } from './rules/cluster-not-reached';
import { unknownClusterFindings } from './rules/unknown-cluster';

function isReadable(object: Manifest): boolean {
  return inventoryProblems(object).length === 0;
}

/** Inventories given by hand, which may be large and are the same for every unit. */
const givenInventory = oncePerRun(({ clusters = [] }): Inventory => parseInventory(clusters));

/**
 * The clusters and groups of a plan: those given by hand, and those among the objects; undefined where no cluster is in view at all.
 * One that is given by hand and stands among the objects too counts as given by hand.
 *
 * @throws InventoryError for clusters given by hand that cannot be read; malformed objects are left out, and are findings.
 */
export const inventoryOf = oncePerPlan((context): Inventory | undefined => {
  const given = context.clusters ?? [];
  const clusters = context.all(CONTEXT_KINDS.fleetCluster);
  if (given.length === 0 && clusters.length === 0) return undefined;
  const objects = [...clusters, ...context.all(CONTEXT_KINDS.fleetClusterGroup)].filter(isReadable);
  return objects.length === 0 ? givenInventory(context) : parseInventory([...objects, ...given]);
});

/** The same made ready for many bundles. */
export const clusterIndexOf = oncePerPlan((context): ClusterIndex | undefined => {
  const inventory = inventoryOf(context);
  return inventory && new ClusterIndex(inventory);
});

/** Is this one of the clusters that are said never to get ready, by name or by namespace/name? */
export function neverReadyTest({ neverReady = [] }: PlanContext): (cluster: FleetCluster) => boolean {
  return namedTest(neverReady);
}

function namedTest(given: readonly string[]): (cluster: FleetCluster) => boolean {
  const names = new Set(given);
  if (names.size === 0) return () => false;
  return (cluster) => namesOf(cluster).some((name) => names.has(name));
}

const LABEL = {
  bundle: 'fleet.cattle.io/bundle-name',
  bundleNamespace: 'fleet.cattle.io/bundle-namespace',
  cluster: 'fleet.cattle.io/cluster',
  clusterNamespace: 'fleet.cattle.io/cluster-namespace',
} as const;

function labelOf(object: Manifest, label: keyof typeof LABEL): string {
  const value = valueAt(object, 'metadata', 'labels', LABEL[label]);
  return typeof value === 'string' ? value : '';
}

/** Is what a BundleDeployment asks for not applied, or not ready? Source: rancher/fleet v0.16.1 target/status.go, isUnavailable. */
function isUnavailable(deployment: Manifest): boolean {
  const applied = valueAt(deployment, 'status', 'appliedDeploymentID');
  return applied !== valueAt(deployment, 'spec', 'deploymentID') || valueAt(deployment, 'status', 'ready') !== true;
}

/** BundleDeployments by the namespace/name of their bundle. */
const deploymentsByBundle = oncePerPlan((context): ReadonlyMap<string, readonly Manifest[]> => {
  const byBundle = new Map<string, Manifest[]>();
  const all = [...(inventoryOf(context)?.deployments ?? []), ...context.all(CONTEXT_KINDS.bundleDeployment)];
  for (const object of all) {
    const bundle = `${labelOf(object, 'bundleNamespace')}/${labelOf(object, 'bundle')}`;
    const known = byBundle.get(bundle);
    if (known) known.push(object);
    else byBundle.set(bundle, [object]);
  }
  return byBundle;
});

/** The state of a bundle on each cluster, by the cluster's namespace/name, as far as its BundleDeployments are among the objects. */
function deploymentsOf({ name, namespace = '' }: ResourceRef, context: PlanContext): ReadonlyMap<string, boolean> {
  const own = deploymentsByBundle(context).get(`${namespace}/${name}`) ?? [];
  return new Map(own.map((object) => [`${labelOf(object, 'clusterNamespace')}/${labelOf(object, 'cluster')}`, isUnavailable(object)]));
}

/**
 * Is this a cluster that is down before the update of a bundle starts: as it is said on the command line, else as the bundle's
 * BundleDeployment for it says, else as the Cluster does?
 */
export function notReadyNowTest(bundle: ResourceRef, context: PlanContext): (cluster: FleetCluster) => boolean {
  const isNamed = namedTest(context.notReadyNow ?? []);
  const deployments = deploymentsOf(bundle, context);
  // A name for each of a million clusters takes its time.
  if (deployments.size === 0) return (cluster) => isNamed(cluster) || cluster.notReady === true;
  return (cluster) => {
    const [, qualified] = namesOf({ ...cluster, namespace: cluster.namespace ?? bundle.namespace ?? '' });
    return isNamed(cluster) || (deployments.get(qualified) ?? cluster.notReady === true);
  };
}

/** What is wrong with the inventory itself, and with the names said never to get ready; with their sources. */
export function inventoryFindings(context: PlanContext): Finding[] {
  const inventory = inventoryOf(context) ?? { clusters: [], groups: [] };
  const objects = [...context.all(CONTEXT_KINDS.fleetCluster), ...context.all(CONTEXT_KINDS.fleetClusterGroup)];
  return [
    ...objects.flatMap((object) => malformedFindings(object, context)),
    ...inventory.groups.flatMap((group) => groupFindings(group, objects, context)),
    ...notReachedFindings(inventory.clusters),
    ...namedClusterFindings(context),
  ];
}

function malformedFindings(object: Manifest, context: PlanContext): Finding[] {
  return inventoryProblems(object).map((problem) => leftOutField(problem, object.kind, context.locate(object, problem.path)));
}

function groupFindings({ name, selector }: FleetClusterGroup, objects: readonly Manifest[], context: PlanContext): Finding[] {
  if (!selector) return [];
  const object = objects.find((candidate) => candidate.kind === 'ClusterGroup' && nameOf(candidate) === name);
  return groupSelectorFindings(name, selector, (path) => object && context.locate(object, path));
}

/** Judged by the clusters of every unit: a name of one of them is no typing error. */
function namedClusterFindings({ neverReady = [], notReadyNow = [], input, clusters: given = [] }: PlanContext): Finding[] {
  if (neverReady.length + notReadyNow.length === 0) return [];
  const objects = input.filter((object) => object.kind === CONTEXT_KINDS.fleetCluster.kind && groupOf(object) === FLEET_GROUP);
  return unknownClusterFindings({ neverReady, notReadyNow }, parseInventory([...objects.filter(isReadable), ...given]).clusters);
}
