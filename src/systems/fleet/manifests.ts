import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest';
import { FLEET_GROUP_VERSION } from './fleet-yaml';
import type { ClusterGroupProps } from './partition-intents';
import type { BundleOptions, BundleTarget, FleetYaml, GitRepoSpec, GitTarget, ImageScan, RolloutStrategy } from './types';

/** What a bundle is, whatever it is written as. */
export interface TargetedBundle extends Omit<BundleOptions, 'rolloutStrategy'> {
  /** Whom it is deployed to: evaluated in order, the first that matches a cluster counts; `[{ clusterSelector: {} }]` is every cluster. */
  readonly targets: readonly BundleTarget[];
  /** What is deployed differently on some of these clusters. They never add a cluster. @default - none */
  readonly targetCustomizations?: readonly BundleTarget[];
}

/** The options of a bundle in the order in which they are written; what is left out is not written. */
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

/** The strategy as a field, where there is anything in it. */
function buildStrategyField(strategy: RolloutStrategy): { readonly rolloutStrategy?: RolloutStrategy } {
  return Object.keys(strategy).length === 0 ? {} : { rolloutStrategy: strategy };
}

/** The criteria of a target without what it deploys differently. */
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
 * A Bundle. With customizations its targets are repeated as restrictions: by their number Fleet tells the customizations, which come first.
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

/** What only a fleet.yaml has. */
export interface FleetYamlOnlyFields {
  readonly imageScans?: readonly ImageScan[];
}

/** The content of a fleet.yaml. Whom it is deployed to stands in the GitRepo that finds it. */
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

/** The fields of targets that a GitRepo has no place for: `targets[0].helm`. */
export function findUnsupportedTargetFields(targets: readonly BundleTarget[]): FieldPath[] {
  return targets.flatMap((target, index) => {
    const restriction = toRestriction(target);
    return Object.entries(target)
      .filter(([field, value]) => value !== undefined && !(field in restriction))
      .map(([field]) => toFieldPath`targets[${index}].${field}`);
  });
}

/** A GitRepo that deploys what it finds to these targets. */
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
