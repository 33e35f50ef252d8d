import { valueAt } from '../core/manifest';
import type { Manifest, ObjectMeta } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { planInput } from '../plan/plan';
import { bundleStrategy } from '../systems/fleet/bundle-intent';
import type { BundleIntent } from '../systems/fleet/bundle-intent';
import { fleetYamlObject } from '../systems/fleet/fleet-yaml';
import { bundleManifest, clusterGroupManifest, fleetYamlContent, gitRepoManifest } from '../systems/fleet/manifests';
import { broughtGroups } from '../systems/fleet/rollout-intent';
import type { FleetYaml, GitRepoSpec, GitTarget, ImageScan, RolloutStrategy } from '../systems/fleet/types';
import type { Inventory } from './inventory';
import type { MapProps } from './usable-props';

/** A Bundle, which is applied as it is. */
export interface BundleOutput {
  /** @default bundle */
  readonly output?: 'bundle';
  /** A GitRepo would overwrite the Bundle. */
  readonly gitRepo?: undefined;
}

/** A fleet.yaml beside the manifests, and the GitRepo that finds it. */
export interface FleetYamlOutput {
  readonly output: 'fleet.yaml';
  /** The targets of the GitRepo: what they deploy differently is for `targetCustomizations` to say. */
  readonly targets: readonly GitTarget[];
  /** The GitRepo; its `paths` lead to the folder with the fleet.yaml. Its name is the bundle's unless given. */
  readonly gitRepo: Omit<GitRepoSpec, 'targets'> & { readonly name?: string };
  /** Images that Fleet looks for and writes into the repository. @default - none */
  readonly imageScans?: readonly ImageScan[];
}

/** What a bundle is planned against. */
export interface InventoryProp {
  /** The clusters to plan against. @default - none: what the strategy says by itself is judged all the same */
  readonly inventory?: Inventory;
}

type WrittenBundle = BundleIntent & (BundleOutput | FleetYamlOutput);

/** The props of a bundle that must be maps. */
export function bundleMaps(props: unknown): MapProps {
  return { metadata: 'optional', rollout: 'optional', gitRepo: valueAt(props, 'output') === 'fleet.yaml' ? 'required' : 'optional' };
}

/** What a bundle becomes. */
export interface SettledBundle {
  readonly metadata: ObjectMeta & { readonly name: string };
  /** The rolloutStrategy that the intent means. */
  readonly rolloutStrategy: RolloutStrategy;
  /** The Bundle, without its resources, or the GitRepo. */
  readonly manifest: Manifest;
  /** The ClusterGroups that partitions bring along, without a namespace. */
  readonly clusterGroups: readonly Manifest[];
  /** The content of the fleet.yaml; undefined for a Bundle. */
  readonly fleetYaml?: FleetYaml;
}

/**
 * The objects that make a bundle's intent true.
 *
 * @param name of the bundle unless its metadata has one
 * @param namespace that the bundle comes to stand in
 * @throws FleetIntentError for a rollout that no strategy can carry out
 */
export function settledBundle(
  name: string,
  namespace: string | undefined,
  props: WrittenBundle,
  inventory: Inventory | undefined,
): SettledBundle {
  const metadata = { ...props.metadata, name: props.metadata?.name ?? name };
  const rolloutStrategy = bundleStrategy(props, inventory, namespace);
  const clusterGroups = broughtGroups(props.rollout ?? {}).map(clusterGroupManifest);
  if (props.output !== 'fleet.yaml') {
    return { metadata, rolloutStrategy, clusterGroups, manifest: bundleManifest(metadata, props, rolloutStrategy) };
  }
  const { name: gitRepoName = metadata.name, ...spec } = props.gitRepo;
  return {
    metadata,
    rolloutStrategy,
    clusterGroups,
    manifest: gitRepoManifest(gitRepoName, metadata.namespace, spec, props.targets),
    fleetYaml: fleetYamlContent(metadata, props, rolloutStrategy),
  };
}

/** What is planned of a bundle. */
export interface PlannedBundle extends Pick<SettledBundle, 'fleetYaml'>, InventoryProp, Pick<BundleIntent, 'fleet'> {
  /** The folder of the fleet.yaml, as the plan names it. */
  readonly folder: string;
  /** The Bundle or the GitRepo, and its ClusterGroups, as they are emitted. */
  readonly objects: readonly Manifest[];
}

export function planBundle({ folder, objects, fleetYaml, inventory, fleet }: PlannedBundle): PlanDocument {
  const file = fleetYamlObject(`${folder}/fleet.yaml`, fleetYaml);
  const clusters = inventory && { clusters: inventory.clusters, groups: inventory.groups };
  return planInput({ objects: [...objects, ...(file ? [file] : [])] }, { versions: { fleet }, ...(clusters && { clusters }) });
}
