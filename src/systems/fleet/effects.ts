import type { InContext, SystemEffect } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { deepEqual } from '../../core/deep-equal';
import { fieldsAt, isFields, listAt, nameOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { BundleReading, ReadBundle } from './bundle';
import { fleetBehaviour } from './behaviour';
import { isFleetYaml } from './fleet-yaml';
import { clusterIndexOf } from './inventory-context';
import { chooseClusters } from './targets';
import type { BundleTarget } from './types';

/* Which edits of a bundle give which clusters a new deployment. Source: rancher/fleet v0.16.1 options/calculate.go (`DeploymentID`),
 * internal/bundlereader, target/builder.go. */

/** Fields of a bundle that no deployment is made anew for: when and where it is rolled out, and how drift is judged. */
const NO_OPTIONS: ReadonlySet<string> = new Set([
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

/** Fields of a target that say which clusters it is for, or that are merged into no deployment. */
const NO_TARGET_OPTIONS: ReadonlySet<string> = new Set([
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

function without(fields: Fields, left: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !left.has(name)));
}

function contentOf(object: Manifest): Fields {
  return isFleetYaml(object) ? object.content : fieldsAt(object, 'spec');
}

const LABEL_IN_VALUES = /global\.fleet\.clusterLabels\.([^"\\]+)/g;

/** The labels of a cluster that the values of a bundle name, or all where they are templates. Source: rancher/fleet v0.16.1 target/builder.go `preprocessHelmValues`. */
function labelReader(content: Fields): (labels: Fields) => Fields {
  const text = JSON.stringify([content.helm, content.targets, content.targetCustomizations]);
  if (text.includes('${')) return (labels) => labels;
  const names = [...text.matchAll(LABEL_IN_VALUES)].map(([, name]) => name!);
  return (labels) => Object.fromEntries(names.map((name) => [name, labels[name]]));
}

/** What each cluster's deployment is made of besides what all have in common; undefined where no inventory is in view. */
function optionsByCluster(bundle: ReadBundle, { object, context }: InContext): Map<string, unknown> | undefined {
  const index = clusterIndexOf(context);
  if (!index) return undefined;
  const chosen = chooseClusters(bundle.targeting, bundle.namespace, index, fleetBehaviour(context.versions.fleet));
  const customized = new Map(chosen.customized.map(({ cluster, choice }) => [cluster, choice]));
  const optionsOf = (target: BundleTarget | undefined) => without(isFields(target) ? target : {}, NO_TARGET_OPTIONS);
  const labelsReadOf = labelReader(contentOf(object));
  // Without restrictions every target deploys, and which of them does is not told: all of them count for every cluster.
  const ofAll = bundle.targeting.restrictions.length === 0 ? bundle.targeting.targets.map(optionsOf) : [];
  return new Map(
    chosen.targets.clusters.map((cluster) => {
      const applied = customized.get(cluster)?.applied ?? [];
      const options = [...ofAll, ...applied.map((position) => optionsOf(bundle.targeting.targets[position]))];
      // A target that says nothing beside its clusters merges nothing.
      return [cluster.name, [labelsReadOf(cluster.labels ?? {}), ...options.filter((own) => Object.keys(own).length > 0)]];
    }),
  );
}

/** The clusters whose deployment a change of targets makes anew, those that come and go included. */
function reached(old: Map<string, unknown>, next: Map<string, unknown>): string[] {
  return [...new Set([...next.keys(), ...old.keys()])].filter(
    (name) => !next.has(name) || !old.has(name) || !deepEqual(old.get(name), next.get(name)),
  );
}

function customizationsOf(content: Fields): unknown {
  return [...listAt(content, 'targets'), ...listAt(content, 'targetCustomizations')];
}

/** What a change of a Bundle, HelmOp or fleet.yaml does to its clusters. */
export function bundleEffects(old: InContext, next: InContext, read: (side: InContext) => BundleReading): SystemEffect[] {
  const [before, after] = [contentOf(old.object), contentOf(next.object)];
  const isPaused = after.paused === true;
  const moves = (clusters?: readonly string[]): SystemEffect[] => [{ effect: isPaused ? 'held' : 'roll', ...(clusters && { clusters }) }];
  const differs = !deepEqual(without(before, NO_OPTIONS), without(after, NO_OPTIONS)) || !deepEqual(before.resources, after.resources);
  if (differs) return moves();
  const isTargeted =
    !deepEqual(customizationsOf(before), customizationsOf(after)) || !deepEqual(before.overrideTargets, after.overrideTargets);
  const reading = { old: read(old).bundle, next: read(next).bundle };
  // A fleet.yaml has its targets from the GitRepo beside it.
  const isTargetedBeside = isFleetYaml(next.object) && !deepEqual(reading.old?.targeting, reading.next?.targeting);
  const was = reading.old && optionsByCluster(reading.old, old);
  const is = reading.next && optionsByCluster(reading.next, next);
  if (isTargeted || isTargetedBeside) {
    if (!was || !is) return moves();
    const clusters = reached(was, is);
    if (clusters.length === 0) return [{ effect: isTargeted ? 'settings' : 'none' }];
    return moves(clusters).map((effect) => ({ ...effect, ...(!isTargeted && { causedBy: next.context.all(CONTEXT_KINDS.gitRepo) }) }));
  }
  const byInventory = was && is ? reached(was, is) : [];
  if (byInventory.length > 0) {
    const causedBy = next.context.all(CONTEXT_KINDS.fleetCluster).filter((cluster) => byInventory.includes(nameOf(cluster)));
    return moves(byInventory).map((effect) => ({ ...effect, causedBy }));
  }
  // What piled up while it was paused goes out now.
  if (before.paused === true && !isPaused) return [{ effect: 'roll' }];
  return [{ effect: deepEqual(before, after) ? 'none' : 'settings' }];
}
