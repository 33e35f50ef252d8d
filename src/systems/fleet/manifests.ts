import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest/manifest';
import { FLEET_GROUP_VERSION } from './fleet-yaml';
import type { ClusterGroupProps } from './partition-intents';
import type { BundleOptions, BundleTarget, FleetYaml, GitRepoSpec, GitTarget, ImageScan, RolloutStrategy } from './types';

/** A bundle with its targets, independent of its output format. */
export interface TargetedBundle extends Omit<BundleOptions, 'rolloutStrategy'> {
  /** The targets, in order of precedence: the first match for a cluster applies. `[{ clusterSelector: {} }]` matches every cluster. */
  readonly targets: readonly BundleTarget[];
  /** Options that differ on some of these clusters. A customization never adds a cluster. @default - none */
  readonly targetCustomizations?: readonly BundleTarget[];
}

/** Bundle options in output order. */
const OPTION_ORDER = [
  'defaultNamespace',
  'namespace',
  'createNamespace',
  'deleteNamespace',
  'namespaceLabels',
  'namespaceAnnotations',
  'helm',
  'kustomize',
  'yaml',
  'serviceAccount',
  'forceSyncGeneration',
  'diff',
  'keepResources',
  'deleteCRDResources',
  'ignore',
  'correctDrift',
  'downstreamResources',
  'paused',
  'dependsOn',
  'targetCustomizationMode',
] as const satisfies readonly (keyof BundleOptions)[];

function pickOptions(props: Omit<BundleOptions, 'rolloutStrategy'>): Fields {
  return Object.fromEntries(OPTION_ORDER.filter((option) => props[option] !== undefined).map((option) => [option, props[option]]));
}

/** Returns the strategy as a field, unless it is empty. */
function buildStrategyField(strategy: RolloutStrategy): { readonly rolloutStrategy?: RolloutStrategy } {
  return Object.keys(strategy).length === 0 ? {} : { rolloutStrategy: strategy };
}

/** Returns the criteria of a target without its deployment options. */
function toRestriction({ name, clusterName, clusterSelector, clusterGroup, clusterGroupSelector }: BundleTarget): GitTarget {
  return {
    ...(name !== undefined && { name }),
    ...(clusterName !== undefined && { clusterName }),
    ...(clusterSelector !== undefined && { clusterSelector }),
    ...(clusterGroup !== undefined && { clusterGroup }),
    ...(clusterGroupSelector !== undefined && { clusterGroupSelector }),
  };
}

/**
 * Builds a Bundle. With customizations, its targets are repeated as restrictions. From their number Fleet derives how many of the first
 * targets are customizations.
 */
export function buildBundleManifest(metadata: ObjectMeta, props: TargetedBundle, strategy: RolloutStrategy): Manifest {
  const { targets, targetCustomizations = [] } = props;
  const restrictions = targetCustomizations.length === 0 ? {} : { targetRestrictions: targets.map(toRestriction) };
  return {
    apiVersion: FLEET_GROUP_VERSION,
    kind: 'Bundle',
    metadata,
    spec: {
      ...pickOptions(props),
      ...buildStrategyField(strategy),
      targets: [...targetCustomizations, ...targets],
      ...restrictions,
    },
  };
}

/** Fields that only a fleet.yaml has. */
export interface FleetYamlOnlyFields {
  readonly imageScans?: readonly ImageScan[];
}

/** Builds the content of a fleet.yaml. Its targets are in the GitRepo that finds it. */
export function buildFleetYamlContent(
  { name, labels }: ObjectMeta,
  props: Omit<TargetedBundle, 'targets'> & FleetYamlOnlyFields,
  strategy: RolloutStrategy,
): FleetYaml {
  const { targetCustomizations, imageScans } = props;
  return {
    ...(name !== undefined && { name }),
    ...(labels !== undefined && { labels }),
    ...pickOptions(props),
    ...buildStrategyField(strategy),
    ...(targetCustomizations !== undefined && { targetCustomizations }),
    ...(imageScans !== undefined && { imageScans }),
  };
}

/** Finds the fields of targets that a GitRepo does not support: `targets[0].helm`. */
export function findUnsupportedTargetFields(targets: readonly BundleTarget[]): FieldPath[] {
  return targets.flatMap((target, index) => {
    const restriction = toRestriction(target);
    return Object.entries(target)
      .filter(([field, value]) => value !== undefined && !(field in restriction))
      .map(([field]) => toFieldPath`targets[${index}].${field}`);
  });
}

/** Builds a GitRepo that deploys its bundles to these targets. */
export function buildGitRepoManifest(
  name: string,
  namespace: string | undefined,
  spec: Omit<GitRepoSpec, 'targets'>,
  targets: readonly GitTarget[],
): Manifest {
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  return { apiVersion: FLEET_GROUP_VERSION, kind: 'GitRepo', metadata, spec: { ...spec, targets: targets.map(toRestriction) } };
}

export function buildClusterGroupManifest({ name, labels, selector }: ClusterGroupProps): Manifest {
  return { apiVersion: FLEET_GROUP_VERSION, kind: 'ClusterGroup', metadata: { name, ...(labels && { labels }) }, spec: { selector } };
}
