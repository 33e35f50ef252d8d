import type { InContext, SystemEffect } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { deepEqual } from '../../core/deep-equal';
import { fieldsAt, isFields, listAt, nameOf, ownValue } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { BundleReading, ReadBundle } from './bundle';
import { fleetBehaviour } from './behaviour';
import { isFleetYaml } from './fleet-yaml';
import { clusterIndexOf } from './inventory-context';
import { chooseClusters, compileTargets } from './targets';
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
  return (labels) => Object.fromEntries(names.map((name) => [name, ownValue(labels, name)]));
}

/** What each cluster's deployment is made of besides what all have in common; undefined where no inventory is in view. */
function optionsByCluster(bundle: ReadBundle, { object, context }: InContext): Map<string, unknown> | undefined {
  const index = clusterIndexOf(context);
  if (!index) return undefined;
  const chosen = chooseClusters(bundle.targeting, bundle.namespace, index, fleetBehaviour(context.versions.fleet));
  const choose = compileTargets(bundle.targeting, fleetBehaviour(context.versions.fleet));
  const optionsOf = (target: BundleTarget | undefined) => without(isFields(target) ? target : {}, NO_TARGET_OPTIONS);
  const labelsReadOf = labelReader(contentOf(object));
  const { targets, mode } = bundle.targeting;
  const { values, valuesFiles } = fieldsAt({ content: contentOf(object) }, 'content', 'helm');
  const hasValues = values !== undefined || valuesFiles !== undefined;
  return new Map(
    chosen.targets.clusters.map((cluster) => {
      const { target, applied } = choose(cluster, chosen.targets.groupsOf(cluster))!;
      // The target that deploys has options too where it is no copy of a GitRepo's; the first customization takes their place, all of them are merged into them.
      const positions = mode === 'AllMatches' || applied.length === 0 ? [target, ...applied] : applied;
      const options = positions.map((position) => optionsOf(targets[position]));
      const labels = cluster.labels ?? {};
      // A cluster with labels gets empty values where there are none.
      const getsValues = !hasValues && Object.keys(labels).length > 0;
      // A target that says nothing beside its clusters merges nothing.
      return [cluster.name, [getsValues, labelsReadOf(labels), ...options.filter((own) => Object.keys(own).length > 0)]];
    }),
  );
}

/** The clusters that a change of targets or of the inventory reaches. */
interface Reached {
  /** Those whose deployment is made anew. */
  readonly updates: readonly string[];
  /** Those that had none. */
  readonly installs: readonly string[];
  readonly leaves: readonly string[];
}

function reached(old: Map<string, unknown>, next: Map<string, unknown>): Reached {
  const names = [...next.keys()];
  return {
    updates: names.filter((name) => old.has(name) && !deepEqual(old.get(name), next.get(name))),
    installs: names.filter((name) => !old.has(name)),
    leaves: [...old.keys()].filter((name) => !next.has(name)),
  };
}

function namesOf({ updates, installs, leaves }: Reached): string[] {
  return [...updates, ...installs, ...leaves].toSorted();
}

function customizationsOf(content: Fields): unknown {
  return [...listAt(content, 'targets'), ...listAt(content, 'targetCustomizations')];
}

/** What a change of a Bundle, HelmOp or fleet.yaml does to its clusters. */
export function bundleEffects(old: InContext, next: InContext, read: (side: InContext) => BundleReading): SystemEffect[] {
  const [before, after] = [contentOf(old.object), contentOf(next.object)];
  const isPaused = after.paused === true;
  const effect = isPaused ? ({ effect: 'held', heldUntil: 'it is no longer paused' } as const) : ({ effect: 'roll' } as const);
  const moves = (at: Reached, causedBy?: readonly Manifest[]): SystemEffect[] => {
    return [{ ...effect, clusters: namesOf(at), start: { clusters: at }, ...(causedBy && { causedBy }) }];
  };
  const differs = !deepEqual(without(before, NO_OPTIONS), without(after, NO_OPTIONS)) || !deepEqual(before.resources, after.resources);
  if (differs) return [effect];
  const isTargeted =
    !deepEqual(customizationsOf(before), customizationsOf(after)) || !deepEqual(before.overrideTargets, after.overrideTargets);
  const reading = { old: read(old).bundle, next: read(next).bundle };
  // A fleet.yaml has its targets from the GitRepo beside it.
  const isTargetedBeside = isFleetYaml(next.object) && !deepEqual(reading.old?.targeting, reading.next?.targeting);
  const was = reading.old && optionsByCluster(reading.old, old);
  const is = reading.next && optionsByCluster(reading.next, next);
  if (isTargeted || isTargetedBeside) {
    if (!was || !is) return [effect];
    const at = reached(was, is);
    if (namesOf(at).length === 0) return [{ effect: isTargeted ? 'settings' : 'none' }];
    return moves(at, isTargeted ? undefined : next.context.all(CONTEXT_KINDS.gitRepo));
  }
  const byInventory = was && is ? reached(was, is) : undefined;
  const names = byInventory ? namesOf(byInventory) : [];
  if (byInventory && names.length > 0) {
    return moves(
      byInventory,
      next.context.all(CONTEXT_KINDS.fleetCluster).filter((cluster) => names.includes(nameOf(cluster))),
    );
  }
  // What piled up while it was paused goes out now.
  if (before.paused === true && !isPaused) return [{ effect: 'roll' }];
  return [{ effect: deepEqual(before, after) ? 'none' : 'settings' }];
}
