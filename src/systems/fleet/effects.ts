import type { ObjectInContext, SystemEffect } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf, getOwnValue } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { BundleParseResult, ParsedBundle } from './bundle';
import { fleetBehaviourOf } from './behaviour';
import { isFleetYaml } from './fleet-yaml';
import { findGitRepo } from './git-repo';
import { clusterIndexOf } from './inventory-context';
import { chooseClusters, compileTargets } from './targets';
import type { BundleTarget } from './types';

/* Determines which edits of a bundle create a new deployment on which clusters. Source: rancher/fleet v0.16.1 options/calculate.go (`DeploymentID`),
 * internal/bundlereader, target/builder.go. */

/** Fields of a bundle whose change creates no new deployment: when and where it is rolled out, and how drift is detected. */
const NON_DEPLOYMENT_FIELDS: ReadonlySet<string> = new Set([
  'diff',
  'correctDrift',
  'dependsOn',
  'paused',
  'rolloutStrategy',
  'targets',
  'targetRestrictions',
  'targetCustomizations',
  'targetCustomizationMode',
  'overrideTargets',
  'resources',
  'name',
  'labels',
]);

/** Fields of a target that select its clusters or that are not merged into a deployment. */
const NON_DEPLOYMENT_TARGET_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'clusterName',
  'clusterSelector',
  'clusterGroup',
  'clusterGroupSelector',
  'doNotDeploy',
  'diff',
  'correctDrift',
  'namespaceLabels',
  'namespaceAnnotations',
]);

function excludeFields(fields: Fields, excluded: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !excluded.has(name)));
}

function bundleContentOf(object: Manifest): Fields {
  return isFleetYaml(object) ? object.content : getFieldsAt(object, 'spec');
}

const CLUSTER_LABEL_REFERENCE = /global\.fleet\.clusterLabels\.([^"\\]+)/g;

/**
 * Creates a function that picks the cluster labels that a bundle's values reference, or all labels if the values are templates.
 *
 * Source: rancher/fleet v0.16.1 target/builder.go `preprocessHelmValues`.
 */
function createLabelPicker(content: Fields): (labels: Fields) => Fields {
  const text = JSON.stringify([content.helm, content.targets, content.targetCustomizations]);
  if (text.includes('${')) return (labels) => labels;
  const names = [...text.matchAll(CLUSTER_LABEL_REFERENCE)].map(([, name]) => name!);
  return (labels) => Object.fromEntries(names.map((name) => [name, getOwnValue(labels, name)]));
}

/** Collects the cluster-specific inputs of each cluster's deployment; undefined without an inventory. */
function collectOptionsByCluster(bundle: ParsedBundle, { object, context }: ObjectInContext): Map<string, unknown> | undefined {
  const index = clusterIndexOf(context);
  if (!index) return undefined;
  const chosen = chooseClusters(bundle.targeting, bundle.namespace, index, fleetBehaviourOf(context.versions.fleet));
  const choose = compileTargets(bundle.targeting, fleetBehaviourOf(context.versions.fleet));
  const optionsOf = (target: BundleTarget | undefined) => excludeFields(isFields(target) ? target : {}, NON_DEPLOYMENT_TARGET_FIELDS);
  const pickLabels = createLabelPicker(bundleContentOf(object));
  const { targets, mode } = bundle.targeting;
  const { values, valuesFiles } = getFieldsAt({ content: bundleContentOf(object) }, 'content', 'helm');
  const hasValues = values !== undefined || valuesFiles !== undefined;
  return new Map(
    chosen.targets.clusters.map((cluster) => {
      const { target, applied } = choose(cluster, chosen.targets.groupsOf(cluster))!;
      // The deploying target may have options too. With FirstMatch the first customization replaces them; with AllMatches all are merged
      // into them.
      const positions = mode === 'AllMatches' || applied.length === 0 ? [target, ...applied] : applied;
      const options = positions.map((position) => optionsOf(targets[position]));
      const labels = cluster.labels ?? {};
      // Fleet sets empty values for a cluster with labels if there are no values.
      const getsValues = !hasValues && Object.keys(labels).length > 0;
      // A target that only selects clusters merges nothing.
      return [cluster.name, [getsValues, pickLabels(labels), ...options.filter((own) => Object.keys(own).length > 0)]];
    }),
  );
}

/** The clusters that a change of the targets or of the inventory affects. */
interface ClusterChanges {
  /** Clusters with a changed deployment. */
  readonly updates: readonly string[];
  /** Clusters with a new deployment. */
  readonly installs: readonly string[];
  /** Clusters that lose their deployment. */
  readonly leaves: readonly string[];
}

function compareClusters(old: Map<string, unknown>, next: Map<string, unknown>): ClusterChanges {
  const names = [...next.keys()];
  return {
    updates: names.filter((name) => old.has(name) && !isDeepEqual(old.get(name), next.get(name))),
    installs: names.filter((name) => !old.has(name)),
    leaves: [...old.keys()].filter((name) => !next.has(name)),
  };
}

function listClusterNames({ updates, installs, leaves }: ClusterChanges): string[] {
  return [...updates, ...installs, ...leaves].toSorted();
}

function customizationsOf(content: Fields): unknown {
  return [...getListAt(content, 'targets'), ...getListAt(content, 'targetCustomizations')];
}

/** Returns the GitRepo that created a bundle: that of a fleet.yaml, or the one that the label of a live Bundle names. */
function findCreator({ object, context }: ObjectInContext): Manifest | undefined {
  if (isFleetYaml(object)) return findGitRepo(object, context);
  const name = getFieldsAt(object, 'metadata', 'labels')['fleet.cattle.io/repo-name'];
  const isCreator = (gitRepo: Manifest) => nameOf(gitRepo) === name && namespaceOf(gitRepo) === namespaceOf(object);
  return context.all(CONTEXT_KINDS.gitRepo).find(isCreator);
}

/** Reports whether the GitRepo that created a bundle is or will be deleted, so that Fleet deletes the bundle too, unless another one has its folder. */
function losesGitRepo(old: ObjectInContext, { context }: ObjectInContext): boolean {
  const creator = findCreator(old);
  if (!creator) return false;
  const isSame = (gitRepo: Manifest) => nameOf(gitRepo) === nameOf(creator) && namespaceOf(gitRepo) === namespaceOf(creator);
  return getFieldsAt(creator, 'metadata').deletionTimestamp !== undefined || !context.all(CONTEXT_KINDS.gitRepo).some(isSame);
}

/** Computes the effects of a change of a Bundle, HelmOp or fleet.yaml on its clusters. */
export function computeBundleEffects(
  old: ObjectInContext,
  next: ObjectInContext,
  read: (side: ObjectInContext) => BundleParseResult,
): SystemEffect[] {
  if (losesGitRepo(old, next)) return [{ effect: 'unknown' }];
  const [before, after] = [bundleContentOf(old.object), bundleContentOf(next.object)];
  const isPaused = after.paused === true;
  const effect = isPaused ? ({ effect: 'held', heldUntil: 'it is no longer paused' } as const) : ({ effect: 'roll' } as const);
  const buildEffects = (changes: ClusterChanges, causedBy?: readonly Manifest[]): SystemEffect[] => {
    return [{ ...effect, clusters: listClusterNames(changes), start: { clusters: changes }, ...(causedBy && { causedBy }) }];
  };
  const differs =
    !isDeepEqual(excludeFields(before, NON_DEPLOYMENT_FIELDS), excludeFields(after, NON_DEPLOYMENT_FIELDS)) ||
    !isDeepEqual(before.resources, after.resources);
  if (differs) return [effect];
  const isRetargeted =
    !isDeepEqual(customizationsOf(before), customizationsOf(after)) || !isDeepEqual(before.overrideTargets, after.overrideTargets);
  const reading = { old: read(old).bundle, next: read(next).bundle };
  // The targets of a fleet.yaml come from its GitRepo.
  const isRetargetedByGitRepo = isFleetYaml(next.object) && !isDeepEqual(reading.old?.targeting, reading.next?.targeting);
  const oldOptions = reading.old && collectOptionsByCluster(reading.old, old);
  const nextOptions = reading.next && collectOptionsByCluster(reading.next, next);
  if (isRetargeted || isRetargetedByGitRepo) {
    if (!oldOptions || !nextOptions) return [effect];
    const changes = compareClusters(oldOptions, nextOptions);
    if (listClusterNames(changes).length === 0) return [{ effect: isRetargeted ? 'settings' : 'none' }];
    return buildEffects(changes, isRetargeted ? undefined : next.context.all(CONTEXT_KINDS.gitRepo));
  }
  // A side without clusters deploys nowhere, if the other one shows that clusters are among the objects.
  const byInventory = compareClusters(oldOptions ?? new Map(), nextOptions ?? new Map());
  const names = new Set(listClusterNames(byInventory));
  if (names.size > 0) {
    const clusters = [next, old].flatMap(({ context }) => context.all(CONTEXT_KINDS.fleetCluster));
    return buildEffects(byInventory, [
      ...clusters.filter((cluster) => names.has(nameOf(cluster))),
      ...next.context.all(CONTEXT_KINDS.fleetClusterGroup),
    ]);
  }
  // Changes that were made while it was paused are released now.
  if (before.paused === true && !isPaused) return [{ effect: 'roll' }];
  return [{ effect: isDeepEqual(before, after) ? 'none' : 'settings' }];
}
