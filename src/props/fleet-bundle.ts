import { at } from '../core/field-path';
import { listAt, valueAt } from '../core/manifest';
import type { Manifest, ObjectMeta } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { ANY, BOOLEAN, INT32, INT_OR_PERCENT, LIST, MAP, STRING, STRINGS, STRING_MAP, listOf, map, whole } from '../core/schema';
import type { FieldSchema, SchemasOf } from '../core/schema';
import { planInput } from '../plan/plan';
import { bundleStrategy } from '../systems/fleet/bundle-intent';
import type { BundleIntent } from '../systems/fleet/bundle-intent';
import type { DeploymentOptions } from '../systems/fleet/deployment-options';
import type { AutomaticPartitions, CanaryPartitions, ClusterGroupProps } from '../systems/fleet/partition-intents';
import { fleetYamlObject } from '../systems/fleet/fleet-yaml';
import { bundleManifest, clusterGroupManifest, fleetYamlContent, gitRepoManifest } from '../systems/fleet/manifests';
import { broughtGroups } from '../systems/fleet/rollout-intent';
import type { FleetRolloutProps } from '../systems/fleet/rollout-intent';
import type {
  BundleTarget,
  ClusterCriteria,
  FleetYaml,
  GitRepoSpec,
  GitTarget,
  ImageScan,
  Partition,
  RolloutStrategy,
} from '../systems/fleet/types';
import { inventoryOption } from './inventory';
import type { Inventory, InventoryProp } from './inventory';
import type { PropPlaces } from './prop-places';
import { METADATA_PROPS } from './usable-props';
import type { PropsShape } from './usable-props';

/** A Bundle, which is applied as it is. */
export interface BundleOutput {
  /** Asks for a Bundle that holds the resources itself. @default bundle */
  readonly output?: 'bundle';
  /** A GitRepo would overwrite the Bundle. */
  readonly gitRepo?: undefined;
}

/** A fleet.yaml beside the manifests, and the GitRepo that finds it. */
export interface FleetYamlOutput {
  readonly output: 'fleet.yaml';
  /** The targets of the GitRepo: what they deploy differently is for `targetCustomizations` to say. */
  readonly targets: readonly GitTarget[];
  /** The GitRepo; its `paths` lead to the folder with the fleet.yaml. */
  readonly gitRepo: Omit<GitRepoSpec, 'targets'> & {
    /** Name of the GitRepo. @default - the bundle's */
    readonly name?: string;
  };
  /** Images that Fleet looks for and writes into the repository. @default - none */
  readonly imageScans?: readonly ImageScan[];
}

type WrittenBundle = BundleIntent & (BundleOutput | FleetYamlOutput);

const CRITERIA = {
  clusterName: STRING,
  clusterSelector: MAP,
  clusterGroup: STRING,
  clusterGroupSelector: MAP,
} satisfies SchemasOf<ClusterCriteria>;

const PARTITION = {
  ...CRITERIA,
  name: STRING,
  maxUnavailable: INT_OR_PERCENT,
  group: whole(map({ name: STRING, labels: STRING_MAP, selector: MAP } satisfies SchemasOf<ClusterGroupProps>)),
} satisfies SchemasOf<Partition & { readonly group: unknown }>;

const CANARY_PROPS: readonly (readonly [name: keyof CanaryPartitions, schema: FieldSchema])[] = [
  ['kind', STRING],
  ['clusters', ANY],
  ['then', whole(listOf(PARTITION))],
];

// A literal with `then` would be taken for a promise.
const CANARY = Object.fromEntries(CANARY_PROPS);

/** Partitions by hand are a list of partitions; those by intent a map of one kind or the other. */
function partitionsSchema(partitions: unknown): FieldSchema {
  if (Array.isArray(partitions)) return whole(listOf(PARTITION));
  return valueAt(partitions, 'kind') === 'canary'
    ? whole(map(CANARY))
    : whole(map({ kind: STRING, size: INT_OR_PERCENT, from: INT32 } satisfies SchemasOf<AutomaticPartitions>));
}

function rolloutSchema(rollout: unknown): FieldSchema {
  return whole(
    map({
      maxUnavailable: INT_OR_PERCENT,
      maxUnavailablePartitions: INT_OR_PERCENT,
      maxNew: INT32,
      partitions: partitionsSchema(valueAt(rollout, 'partitions')),
      catchAll: BOOLEAN,
      fullReadiness: BOOLEAN,
      maxConcurrentPulls: INT32,
    } satisfies SchemasOf<FleetRolloutProps>),
  );
}

const DEPLOYMENT_OPTIONS = {
  defaultNamespace: STRING,
  namespace: STRING,
  createNamespace: BOOLEAN,
  deleteNamespace: BOOLEAN,
  namespaceLabels: STRING_MAP,
  namespaceAnnotations: STRING_MAP,
  helm: MAP,
  kustomize: MAP,
  yaml: MAP,
  serviceAccount: STRING,
  forceSyncGeneration: ANY,
  diff: MAP,
  keepResources: BOOLEAN,
  deleteCRDResources: BOOLEAN,
  ignore: MAP,
  correctDrift: MAP,
  downstreamResources: LIST,
} satisfies SchemasOf<DeploymentOptions>;

const TARGETS = whole(listOf({ ...CRITERIA, ...DEPLOYMENT_OPTIONS, name: STRING, doNotDeploy: BOOLEAN } satisfies SchemasOf<BundleTarget>));

const GIT_REPO = whole(
  map({
    name: STRING,
    repo: STRING,
    branch: STRING,
    revision: STRING,
    paths: STRINGS,
    targetNamespace: STRING,
    serviceAccount: STRING,
    clientSecretName: STRING,
    pollingInterval: STRING,
    paused: BOOLEAN,
    keepResources: BOOLEAN,
    deleteNamespace: BOOLEAN,
  } satisfies SchemasOf<Omit<GitRepoSpec, 'targets'> & { readonly name: unknown }>),
);

/** The props of a bundle. */
export function bundleShape(props: unknown): PropsShape {
  return {
    maps: { metadata: 'optional', rollout: 'optional', gitRepo: valueAt(props, 'output') === 'fleet.yaml' ? 'required' : 'optional' },
    props: {
      ...DEPLOYMENT_OPTIONS,
      metadata: METADATA_PROPS,
      rollout: rolloutSchema(valueAt(props, 'rollout')),
      fleet: STRING,
      targets: TARGETS,
      targetCustomizations: TARGETS,
      targetCustomizationMode: STRING,
      paused: BOOLEAN,
      dependsOn: LIST,
      output: STRING,
      gitRepo: GIT_REPO,
      imageScans: LIST,
      inventory: ANY,
      resources: ANY,
      resourceFile: STRING,
    } satisfies SchemasOf<BundleIntent & FleetYamlOutput & InventoryProp & { readonly resources: unknown; readonly resourceFile: unknown }>,
  };
}

/** Partitions are known by their names, for some are put between those that were given, and behind them; those of a canary stand before its `then`. */
function partitionPlaces(partitions: unknown, written: readonly Partition[]): PropPlaces {
  const isCanary = valueAt(partitions, 'kind') === 'canary';
  const named = isCanary ? listAt(partitions, 'then') : listAt({ partitions }, 'partitions');
  const list = isCanary ? 'rollout.partitions.then' : 'rollout.partitions';
  return written.map(({ name }, index): PropPlaces[number] => {
    const given = named.findIndex((partition) => valueAt(partition, 'name') === name);
    const prop = given >= 0 ? `${list}[${given}]` : isCanary ? 'rollout.partitions.clusters' : 'rollout.partitions';
    return [`spec.rolloutStrategy.partitions[${index}]`, prop];
  });
}

/** From which props a bundle, or the GitRepo and the fleet.yaml of one, is written. Customizations stand before the targets. */
export function bundlePlaces(
  { output, targetCustomizations = [], targets, rollout }: WrittenBundle,
  { partitions = [] }: RolloutStrategy,
): PropPlaces {
  const written = [
    ...targetCustomizations.map((_, index) => at`targetCustomizations[${index}]`),
    ...targets.map((_, index) => at`targets[${index}]`),
  ];
  const strategy: PropPlaces = [
    ...partitionPlaces(rollout?.partitions, partitions),
    ['spec.rolloutStrategy.autoPartitionSize', 'rollout.partitions.size'],
    ['spec.rolloutStrategy.autoPartitionThreshold', 'rollout.partitions.from'],
    ['spec.rolloutStrategy', 'rollout'],
  ];
  if (output === 'fleet.yaml') {
    const inFile = strategy.map(([field, prop]) => [field.slice('spec.'.length), prop] as const);
    return [...inFile, ['spec.targets', 'targets'], ['spec', 'gitRepo']];
  }
  return [
    ...strategy,
    ...written.map((prop, index) => [at`spec.targets[${index}]`, prop] as const),
    ['spec.targetRestrictions', 'targets'],
    ['spec', ''],
  ];
}

/** What stands in for a bundle that nothing can be made of. */
export function unsettledBundle(name: string): SettledBundle {
  const metadata = { name };
  return { metadata, rolloutStrategy: {}, clusterGroups: [], manifest: bundleManifest(metadata, { targets: [] }, {}) };
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
  return planInput({ objects: [...objects, ...(file ? [file] : [])] }, { versions: { fleet }, ...inventoryOption(inventory) });
}
