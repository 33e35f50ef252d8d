import { describeValue } from '../core/text/display-value';
import { toFieldPath } from '../core/manifest/field-path';
import { getListAt, getValueAt, isClassInstance, isFields } from '../core/manifest/manifest';
import { joinWords } from '../core/text/text-format';
import type { Manifest, ObjectMeta } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import {
  ANY,
  BOOLEAN,
  INT32,
  INT_OR_PERCENT,
  LIST,
  MAP,
  STRING,
  STRING_LIST,
  STRING_MAP,
  defineList,
  defineMap,
  closeSchema,
  limitValues,
  requireProp,
} from '../core/values/schema';
import { allowChoices, allowIntegers, allowTexts } from '../core/values/value-limit';
import type { FieldSchema, SchemasFor } from '../core/values/schema';
import type { AllowedValues } from '../core/values/value-limit';
import { planInput } from '../plan/plan';
import { resolveBundleStrategy } from '../systems/fleet/bundle-intent';
import type { BundleIntent, WithFleetLimits } from '../systems/fleet/bundle-intent';
import type { DeploymentOptions } from '../systems/fleet/deployment-options';
import type { AutomaticPartitions, CanaryPartitions, ClusterGroupProps } from '../systems/fleet/partition-intents';
import { createFleetYamlObject } from '../systems/fleet/fleet-yaml';
import { buildBundleManifest, buildClusterGroupManifest, buildFleetYamlContent, buildGitRepoManifest } from '../systems/fleet/manifests';
import { listPartitionGroups } from '../systems/fleet/rollout-intent';
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
import { isGoal } from '../advise/goal';
import { resolveFleetGoal } from './fleet-goal';
import type { GoalOrigin } from './goal-origin';
import { requireInventory, toInventoryOption } from './inventory';
import type { Inventory, InventoryProp } from './inventory';
import type { PropPaths } from './prop-paths';
import { METADATA_PROPS, nonPlainKindOf } from './validate-props';
import { allowFormat } from './value-limits';
import type { PropsShape } from './validate-props';

/** A Bundle, which is applied directly. */
export interface BundleOutput {
  /** Writes a Bundle that contains the resources. @default bundle */
  readonly output?: 'bundle';
  /** Not allowed, because a GitRepo would overwrite the Bundle. */
  readonly gitRepo?: undefined;
}

/** A fleet.yaml next to the manifests, and the GitRepo that reads it. */
export interface FleetYamlOutput {
  readonly output: 'fleet.yaml';
  /** Targets of the GitRepo. Differences between them are declared by `targetCustomizations`. */
  readonly targets: readonly GitTarget[];
  /** The GitRepo. Its `paths` contain the folder with the fleet.yaml. */
  readonly gitRepo: Omit<GitRepoSpec, 'targets'> & {
    /** Name of the GitRepo. @default - the bundle's */
    readonly name?: string;
  };
  /** Images that Fleet scans for and writes into the repository. @default - none */
  readonly imageScans?: readonly ImageScan[];
}

type BundleProps = BundleIntent & (BundleOutput | FleetYamlOutput);

/** A selector. A misspelt field is refused, because an empty selector selects every cluster. The plan reports wrong values. */
const SELECTOR = closeSchema(defineMap({ matchLabels: ANY, matchExpressions: ANY }));

const CRITERIA = {
  clusterName: STRING,
  clusterSelector: SELECTOR,
  clusterGroup: STRING,
  clusterGroupSelector: SELECTOR,
} satisfies SchemasFor<ClusterCriteria>;

/**
 * Allows numbers of at least 0, and percentages from 0% to 100%. Rules report other texts.
 *
 * Fleet reads a number below 0 as 0, a percentage below 0 as 1, and a percentage above 100% as all.
 */
const SHARES: AllowedValues = {
  allows: (value) => {
    const percentage = typeof value === 'string' ? /^([+-]?\d+(?:\.\d+)?)%$/.exec(value)?.[1] : undefined;
    if (percentage !== undefined) return Number(percentage) >= 0 && Number(percentage) <= 100 && !percentage.startsWith('-');
    return typeof value !== 'number' || value >= 0;
  },
  expected: 'a whole number of at least 0, or a percentage from "0%" to "100%"',
};

const CLUSTER_LIMIT = limitValues(INT_OR_PERCENT, SHARES, 'which is no share of the clusters');

const CLUSTER_COUNT = limitValues(INT32, allowIntegers(1), 'which is no number of clusters');

const PARTITION = {
  ...CRITERIA,
  name: STRING,
  maxUnavailable: CLUSTER_LIMIT,
  group: closeSchema(defineMap({ name: STRING, labels: STRING_MAP, selector: SELECTOR } satisfies SchemasFor<ClusterGroupProps>)),
} satisfies SchemasFor<Partition & { readonly group: unknown }>;

const PARTITIONS_KIND = limitValues(STRING, allowChoices('canary', 'automatic'), 'which is no kind of partitions');

/** Builds the schema of a canary, whose clusters are a number, a list of names or a selector. */
function buildCanarySchema(clusters: unknown): FieldSchema {
  const schemas: readonly (readonly [name: keyof CanaryPartitions, schema: FieldSchema])[] = [
    ['kind', PARTITIONS_KIND],
    ['clusters', isFields(clusters) ? SELECTOR : ANY],
    ['then', closeSchema(defineList(PARTITION))],
  ];
  // An object literal with `then` would be treated as a promise.
  return closeSchema(defineMap(Object.fromEntries(schemas)));
}

/** Builds the schema of partitions: a list of manual partitions, or a map for an intent. */
function buildPartitionsSchema(partitions: unknown): FieldSchema {
  if (Array.isArray(partitions)) return closeSchema(defineList(PARTITION));
  return getValueAt(partitions, 'kind') === 'canary'
    ? buildCanarySchema(getValueAt(partitions, 'clusters'))
    : closeSchema(defineMap({ kind: PARTITIONS_KIND, size: CLUSTER_LIMIT, from: CLUSTER_COUNT } satisfies SchemasFor<AutomaticPartitions>));
}

function buildRolloutSchema(rollout: unknown): FieldSchema {
  return closeSchema(
    defineMap({
      maxUnavailable: CLUSTER_LIMIT,
      maxUnavailablePartitions: limitValues(INT_OR_PERCENT, SHARES, 'which is no share of the partitions'),
      maxNew: INT32,
      partitions: buildPartitionsSchema(getValueAt(rollout, 'partitions')),
      catchAll: BOOLEAN,
      fullReadiness: BOOLEAN,
      maxConcurrentPulls: INT32,
      goal: MAP,
    } satisfies SchemasFor<FleetRolloutProps>),
  );
}

const NAMESPACE = limitValues(STRING, allowFormat('dns-label'), 'which is no name of a namespace');

const NAME = limitValues(STRING, allowFormat('dns-subdomain'), 'which is no name of an object');

const HELM = defineMap({
  releaseName: limitValues(STRING, allowFormat('dns-subdomain', { maxLength: 53 }), 'which the API server refuses'),
  timeoutSeconds: limitValues(INT32, allowIntegers(0), 'which is no number of seconds'),
  maxHistory: limitValues(INT32, allowIntegers(0), 'which is no number of releases'),
});

const DEPLOYMENT_OPTIONS = {
  defaultNamespace: NAMESPACE,
  namespace: NAMESPACE,
  createNamespace: BOOLEAN,
  deleteNamespace: BOOLEAN,
  namespaceLabels: STRING_MAP,
  namespaceAnnotations: STRING_MAP,
  helm: HELM,
  kustomize: MAP,
  yaml: MAP,
  serviceAccount: NAME,
  forceSyncGeneration: ANY,
  diff: MAP,
  keepResources: BOOLEAN,
  deleteCRDResources: BOOLEAN,
  ignore: MAP,
  correctDrift: MAP,
  downstreamResources: LIST,
} satisfies SchemasFor<DeploymentOptions>;

const TARGETS = closeSchema(
  defineList({ ...CRITERIA, ...DEPLOYMENT_OPTIONS, name: STRING, doNotDeploy: BOOLEAN } satisfies SchemasFor<BundleTarget>),
);

/** Source: the CRD of Fleet 0.16, `spec.pollingInterval` of a GitRepo. */
const POLLING_INTERVAL = limitValues(
  STRING,
  allowTexts(
    (text) => text === '0' || (text.length <= 32 && /^(?:[0-9]+(?:\.[0-9]+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)),
    'a duration such as 15s or 1h30m',
  ),
  'which the API server refuses',
);

const GIT_REPO = closeSchema(
  defineMap({
    name: STRING,
    repo: requireProp(
      limitValues(
        STRING,
        allowTexts((text) => text !== '', 'the URL of the repository'),
        'which the API server refuses',
      ),
      'the URL of the repository',
    ),
    branch: STRING,
    revision: STRING,
    paths: STRING_LIST,
    targetNamespace: NAMESPACE,
    serviceAccount: NAME,
    clientSecretName: NAME,
    pollingInterval: POLLING_INTERVAL,
    paused: BOOLEAN,
    keepResources: BOOLEAN,
    deleteNamespace: BOOLEAN,
  } satisfies SchemasFor<Omit<GitRepoSpec, 'targets'> & { readonly name: unknown }>),
);

/** Builds the expected props of a bundle. */
export function buildBundleShape(props: unknown): PropsShape {
  return {
    maps: { metadata: 'optional', rollout: 'optional', gitRepo: getValueAt(props, 'output') === 'fleet.yaml' ? 'required' : 'optional' },
    props: {
      ...DEPLOYMENT_OPTIONS,
      metadata: METADATA_PROPS,
      rollout: buildRolloutSchema(getValueAt(props, 'rollout')),
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
    } satisfies SchemasFor<
      BundleIntent & FleetYamlOutput & InventoryProp & { readonly resources: unknown; readonly resourceFile: unknown }
    >,
  };
}

/**
 * Builds the prop paths of partitions.
 *
 * Emitted partitions are matched by name, because some are inserted between or after those of the props, or before the `then` of a canary.
 */
function buildPartitionPropPaths(partitions: unknown, emitted: readonly Partition[]): PropPaths {
  const isCanary = getValueAt(partitions, 'kind') === 'canary';
  const namedPartitions = isCanary ? getListAt(partitions, 'then') : getListAt({ partitions }, 'partitions');
  const list = isCanary ? 'rollout.partitions.then' : 'rollout.partitions';
  return emitted.map(({ name }, index): PropPaths[number] => {
    const sourceIndex = namedPartitions.findIndex((partition) => getValueAt(partition, 'name') === name);
    const prop = sourceIndex >= 0 ? `${list}[${sourceIndex}]` : isCanary ? 'rollout.partitions.clusters' : 'rollout.partitions';
    return [`spec.rolloutStrategy.partitions[${index}]`, prop];
  });
}

/** Builds the prop paths of a bundle, or of its GitRepo and fleet.yaml. Emitted customizations come before the targets. */
export function buildBundlePropPaths(
  { output, targetCustomizations = [], targets, rollout }: BundleProps,
  { partitions = [] }: RolloutStrategy,
): PropPaths {
  const emitted = [
    ...targetCustomizations.map((_, index) => toFieldPath`targetCustomizations[${index}]`),
    ...targets.map((_, index) => toFieldPath`targets[${index}]`),
  ];
  const strategy: PropPaths = [
    ...buildPartitionPropPaths(isGoal(rollout) ? undefined : rollout?.partitions, partitions),
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
    ...emitted.map((prop, index) => [toFieldPath`spec.targets[${index}]`, prop] as const),
    ['spec.targetRestrictions', 'targets'],
    ['spec', ''],
  ];
}

/** Creates the fallback for a bundle with rejected props. */
export function createUnresolvedBundle(name: string): ResolvedBundle {
  const metadata = { name };
  return { metadata, rolloutStrategy: {}, clusterGroups: [], manifest: buildBundleManifest(metadata, { targets: [] }, {}) };
}

/** A resolved bundle. */
export interface ResolvedBundle {
  readonly metadata: ObjectMeta & { readonly name: string };
  /** The rolloutStrategy for the intent. */
  readonly rolloutStrategy: RolloutStrategy;
  /** The Bundle, without its resources, or the GitRepo. */
  readonly manifest: Manifest;
  /** ClusterGroups that partitions declare, without a namespace. */
  readonly clusterGroups: readonly Manifest[];
  /** Content of the fleet.yaml. Undefined for a Bundle. */
  readonly fleetYaml?: FleetYaml;
  /** Origin of the rolloutStrategy, if it follows from a goal. */
  readonly origin?: GoalOrigin;
}

/**
 * Resolves the objects of a bundle.
 *
 * @param name of the bundle, unless its metadata has one
 * @param namespace of the bundle
 * @throws FleetIntentError for a rollout that no strategy can express
 * @throws IntentError for a goal that cannot be resolved
 */
export function resolveBundle(
  name: string,
  namespace: string | undefined,
  props: BundleProps,
  inventory: Inventory | undefined,
): ResolvedBundle {
  const { rollout } = props;
  requireInventory(inventory);
  if (!isGoal(rollout)) return resolveLimits(name, namespace, { ...props, rollout }, inventory);
  const planRollout = (limits: FleetRolloutProps, isBroken: boolean) => {
    const { manifest, clusterGroups, fleetYaml } = resolveLimits(name, namespace, { ...props, rollout: limits }, inventory);
    const objects = [manifest, ...clusterGroups].map((object) => ({ ...object, metadata: { ...object.metadata, namespace } }));
    const neverReady = isBroken ? inventory?.clusters.map((cluster) => cluster.name) : undefined;
    return planBundle({ folder: name, objects, fleetYaml, inventory, fleet: props.fleet, neverReady }).rollouts[0];
  };
  const { limits, reason } = resolveFleetGoal(rollout, inventory !== undefined, planRollout);
  const resolved = resolveLimits(name, namespace, { ...props, rollout: limits }, inventory);
  return { ...resolved, origin: { reason, values: { ...resolved.rolloutStrategy } } };
}

function resolveLimits(
  name: string,
  namespace: string | undefined,
  props: WithFleetLimits<BundleIntent> & (BundleOutput | FleetYamlOutput),
  inventory: Inventory | undefined,
): ResolvedBundle {
  const metadata = { ...props.metadata, name: props.metadata?.name ?? name };
  const rolloutStrategy = resolveBundleStrategy(props, inventory, namespace);
  const clusterGroups = listPartitionGroups(props.rollout ?? {}).map(buildClusterGroupManifest);
  if (props.output !== 'fleet.yaml') {
    return { metadata, rolloutStrategy, clusterGroups, manifest: buildBundleManifest(metadata, props, rolloutStrategy) };
  }
  const { name: gitRepoName = metadata.name, ...spec } = props.gitRepo;
  return {
    metadata,
    rolloutStrategy,
    clusterGroups,
    manifest: buildGitRepoManifest(gitRepoName, metadata.namespace, spec, props.targets),
    fleetYaml: buildFleetYamlContent(metadata, props, rolloutStrategy),
  };
}

/** Fields that every object has. */
const MANIFEST_FIELDS = [['apiVersion'], ['kind'], ['metadata', 'name']] as const;

/** Reports whether a value is a text. A token of cdk8s is only known at synth. */
function isNonEmptyText(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : isClassInstance(value);
}

/** Finds resources that Fleet cannot deploy, because they are not objects with a name. Returns one line each. */
export function findUnnamedResources(resources: unknown): string[] {
  if (!Array.isArray(resources)) return [];
  return (resources as readonly unknown[]).flatMap((resource, index) => {
    // An Output of Pulumi is known later.
    if (isClassInstance(resource) || nonPlainKindOf(resource) !== undefined) return [];
    if (!isFields(resource)) return [`resources[${index}] is ${describeValue(resource)}; write a map`];
    const missing = MANIFEST_FIELDS.filter((path) => !isNonEmptyText(getValueAt(resource, ...path)));
    if (missing.length === 0) return [];
    const names = joinWords(missing.map((path) => path.join('.')));
    return [`resources[${index}] has no ${names}, so the agent of Fleet cannot deploy it: write what is missing`];
  });
}

/** Objects of a bundle to plan. */
export interface PlannedBundle extends Pick<ResolvedBundle, 'fleetYaml'>, InventoryProp, Pick<BundleIntent, 'fleet'> {
  /** Folder of the fleet.yaml in the plan. */
  readonly folder: string;
  /** The Bundle or the GitRepo, and its ClusterGroups, as they are emitted. */
  readonly objects: readonly Manifest[];
  /** Names of clusters that break with the update. @default - none */
  readonly neverReady?: readonly string[] | undefined;
}

export function planBundle({ folder, objects, fleetYaml, inventory, fleet, neverReady }: PlannedBundle): PlanDocument {
  const file = createFleetYamlObject(`${folder}/fleet.yaml`, fleetYaml);
  const options = { versions: { fleet }, ...toInventoryOption(inventory), ...(neverReady && { neverReady }) };
  return planInput({ objects: [...objects, ...(file ? [file] : [])] }, options);
}
