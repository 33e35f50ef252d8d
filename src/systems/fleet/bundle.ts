import { WHOLE_OBJECT, at, childPath } from '../../core/field-path';
import type { FieldPath, PathPart } from '../../core/field-path';
import type { Finding, Source } from '../../core/finding';
import { fieldsAt, isFields, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import type { ResourceRef } from '../../core/rollout';
import { knownFields } from '../../core/schema';
import { fieldFindings, readerOf } from './field-findings';
import { bundleNameOf } from './fleet-yaml';
import type { FleetYamlObject } from './fleet-yaml';
import { DEFAULT_GROUP, DEFAULT_TARGETS } from './git-repo';
import type { GitRepoSettings } from './git-repo';
import { BUNDLE, BUNDLE_SPEC_FIELDS, FLEET_YAML, FLEET_YAML_FIELDS } from './schemas';
import type { Targeting } from './targets';
import type { BundleSpec, BundleTarget, ClusterCriteria, FleetYaml, GitTarget, RolloutStrategy } from './types';
import { unmergedOptionFindings } from './rules/unknown-field';

/** Criteria that select clusters, and where they are written. */
export interface CriteriaPlace {
  readonly criteria: ClusterCriteria;
  readonly path: FieldPath;
  /** Finds a field in another object than the bundle: in its GitRepo. */
  readonly locate?: (path: FieldPath) => Source | undefined;
}

/** Where targets stand: in the bundle, or in its GitRepo, which then finds them. */
export type TargetsPlace = Pick<CriteriaPlace, 'path' | 'locate'>;

/** A Bundle, HelmOp or fleet.yaml as Fleet reads it. */
export interface ReadBundle {
  readonly resource: ResourceRef;
  /** Whose Clusters and ClusterGroups it sees; undefined where that is not told: all. */
  readonly namespace: string | undefined;
  /** What stands before the paths of its fields: `spec`, nothing in a fleet.yaml. */
  readonly root: FieldPath;
  /** `rolloutStrategy` as it is written. */
  readonly written: Fields;
  readonly strategy: RolloutStrategy;
  readonly targeting: Targeting;
  /** Where the targets stand that deploy, or would. */
  readonly targetsPlace: TargetsPlace;
  /** The cluster group that stands for targets that are left out. @default - none */
  readonly defaultGroup?: string;
  /** Does nobody in view say whom it targets, so that it is planned for every cluster? @default false */
  readonly targetsAreAssumed?: boolean;
  /** Every target and restriction that is written, in order. */
  readonly targetPlaces: readonly CriteriaPlace[];
  readonly dependsOn: BundleSpec['dependsOn'];
  readonly paused: boolean;
}

/** A bundle, or nothing where its fields have other types than Fleet wants; and what was found in either case. */
export interface BundleReading {
  readonly resource: ResourceRef;
  readonly bundle?: ReadBundle;
  readonly findings: readonly Finding[];
}

/** Every cluster, for a fleet.yaml whose GitRepo is not in view. */
const EVERYWHERE: readonly GitTarget[] = [{ clusterSelector: {} }];

/** Where `targets` and `restrictions` of a manifest stand. */
function placesOf(list: readonly ClusterCriteria[] | undefined, path: FieldPath): CriteriaPlace[] {
  return (list ?? []).map((criteria, index) => ({ criteria, path: childPath(path, index) }));
}

/**
 * Reads a Bundle or HelmOp. Without targets a Bundle reaches no cluster, and a HelmOp the cluster group "default".
 *
 * Source: rancher/fleet v0.16.1 target/builder.go; helmops/reconciler/helmop_controller.go.
 */
export function readBundle(object: Manifest, version: string): BundleReading {
  const resource = resourceOf(object, nameOf(object), namespaceOf(object));
  const { refused, dropped } = fieldFindings(object, BUNDLE, WHOLE_OBJECT, 'api-server', version);
  const findings = [...refused, ...dropped];
  if (refused.length > 0) return { resource, findings };

  // The types were checked above.
  const written = fieldsAt(object, 'spec');
  const spec: BundleSpec = knownFields(written, BUNDLE_SPEC_FIELDS, readerOf('api-server', version));
  const targets = spec.targets ?? [];
  const isDefaulted = targets.length === 0 && object.kind === 'HelmOp';
  const bundle: ReadBundle = {
    resource,
    namespace: namespaceOf(object),
    root: at`spec`,
    written: isFields(written.rolloutStrategy) ? written.rolloutStrategy : {},
    strategy: spec.rolloutStrategy ?? {},
    targeting: {
      targets: isDefaulted ? DEFAULT_TARGETS : targets,
      restrictions: spec.targetRestrictions ?? [],
      mode: spec.targetCustomizationMode ?? 'FirstMatch',
    },
    targetsPlace: { path: at`spec.targets` },
    ...(isDefaulted && { defaultGroup: DEFAULT_GROUP }),
    targetPlaces: [...placesOf(spec.targets, at`spec.targets`), ...placesOf(spec.targetRestrictions, at`spec.targetRestrictions`)],
    dependsOn: spec.dependsOn,
    paused: spec.paused === true,
  };
  return { resource, bundle, findings };
}

/** The GitRepo that finds a fleet.yaml, and where its targets stand. */
export interface FoundBy {
  readonly settings: GitRepoSettings;
  readonly locate: (path: FieldPath) => Source | undefined;
}

/**
 * Reads a fleet.yaml as `fleet apply` makes a bundle of it: `targets` and `targetCustomizations` customize,
 * the targets of the GitRepo (or `overrideTargets`, which take their place) deploy.
 * Without a GitRepo in view it is planned for every cluster.
 *
 * Source: rancher/fleet v0.16.1 internal/bundlereader/read.go.
 */
export function readFleetYaml(object: FleetYamlObject, version: string, gitRepo: FoundBy | undefined): BundleReading {
  const namespace = gitRepo?.settings.namespace;
  const resource = resourceOf({ apiVersion: object.apiVersion, kind: 'Bundle' }, bundleNameOf(object), namespace);
  const { refused, dropped } = fieldFindings(object.content, FLEET_YAML, WHOLE_OBJECT, 'fleet', version);
  const findings = [...refused, ...dropped];
  if (refused.length > 0) return { resource, findings };

  // The types were checked above.
  const yaml: FleetYaml = knownFields(object.content, FLEET_YAML_FIELDS, readerOf('fleet', version));
  const targeting = fleetYamlTargeting(yaml, gitRepo?.settings.targets);
  const bundle: ReadBundle = {
    resource,
    namespace,
    root: WHOLE_OBJECT,
    written: writtenStrategy(object.content),
    strategy: yaml.rolloutStrategy ?? {},
    targeting,
    targetsPlace: fleetYamlPlace(yaml, gitRepo),
    ...(targeting.targets === DEFAULT_TARGETS || (!yaml.overrideTargets && gitRepo?.settings.targets === DEFAULT_TARGETS)
      ? { defaultGroup: DEFAULT_GROUP }
      : {}),
    targetsAreAssumed: !gitRepo && !yaml.overrideTargets,
    targetPlaces: [
      ...placesOf(yaml.targets, at`targets`),
      ...placesOf(yaml.targetCustomizations, at`targetCustomizations`),
      ...placesOf(yaml.overrideTargets, at`overrideTargets`),
      ...(yaml.overrideTargets || !gitRepo ? [] : gitRepoPlaces(gitRepo)),
    ],
    dependsOn: yaml.dependsOn,
    paused: yaml.paused === true || gitRepo?.settings.paused === true,
  };
  return { resource, bundle, findings: [...findings, ...unmergedOptionFindings(yaml)] };
}

/** The targets of the GitRepo deploy, unless `overrideTargets` take their place. */
function fleetYamlPlace(yaml: FleetYaml, gitRepo: FoundBy | undefined): TargetsPlace {
  return gitRepo && !yaml.overrideTargets ? { path: at`spec.targets`, locate: gitRepo.locate } : { path: at`overrideTargets` };
}

function gitRepoPlaces({ settings, locate }: FoundBy): CriteriaPlace[] {
  return placesOf(settings.targets, at`spec.targets`).map((place) => ({ ...place, locate }));
}

function writtenStrategy(content: Fields): Fields {
  const name = Object.keys(content).find((field) => field.toLowerCase() === 'rolloutstrategy');
  const strategy = name === undefined ? undefined : content[name];
  return isFields(strategy) ? strategy : {};
}

/** An empty `overrideTargets` drops the GitRepo's targets all the same: then the customizations deploy, or the group "default". */
function fleetYamlTargeting(yaml: FleetYaml, gitRepoTargets: readonly GitTarget[] = EVERYWHERE): Targeting {
  const customizations = [...(yaml.targets ?? []), ...(yaml.targetCustomizations ?? [])];
  const deploying = yaml.overrideTargets ?? gitRepoTargets;
  const targets: readonly BundleTarget[] = [...customizations, ...deploying];
  return {
    targets: targets.length > 0 ? targets : DEFAULT_TARGETS,
    restrictions: deploying,
    mode: yaml.targetCustomizationMode ?? 'FirstMatch',
  };
}

/** The name that Fleet gives a target that has none: `target000`. */
export function targetNameOf(target: BundleTarget, position: number): string {
  return target.name || `target${String(position).padStart(3, '0')}`;
}

/** The path of the bundle's rolloutStrategy, or of a field in it. */
export function strategyPath({ root }: Pick<ReadBundle, 'root'>, ...field: readonly PathPart[]): FieldPath {
  return childPath(root, 'rolloutStrategy', ...field);
}

/** The partitions that are written, as places of criteria. */
export function partitionPlaces(bundle: ReadBundle): CriteriaPlace[] {
  return placesOf(bundle.strategy.partitions, strategyPath(bundle, 'partitions'));
}
