import { ROOT_PATH, toFieldPath, appendToPath } from '../../core/field-path';
import type { FieldPath, PathPart } from '../../core/field-path';
import type { Finding, Source } from '../../core/finding';
import { getFieldsAt, isFields, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { toResourceRef } from '../../core/rollout';
import type { ResourceRef } from '../../core/rollout';
import { pickKnownFields } from '../../core/schema';
import { checkFleetFields, schemaReaderOf } from './field-findings';
import { bundleNameOf } from './fleet-yaml';
import type { FleetYamlObject } from './fleet-yaml';
import { DEFAULT_GROUP, DEFAULT_TARGETS } from './git-repo';
import type { GitRepoSettings } from './git-repo';
import { BUNDLE_SCHEMA, BUNDLE_SPEC_FIELDS, FLEET_YAML_SCHEMA, FLEET_YAML_FIELDS } from './schemas';
import type { Targeting } from './targets';
import type { BundleSpec, BundleTarget, ClusterCriteria, FleetYaml, GitTarget, RolloutStrategy } from './types';
import { checkFleetUnmergedOptions } from './rules/unknown-field';

/** Criteria that select clusters, and where they are written. */
export interface LocatedCriteria {
  readonly criteria: ClusterCriteria;
  readonly path: FieldPath;
  /** Finds a field in another object than the bundle: in its GitRepo. */
  readonly locate?: (path: FieldPath) => Source | undefined;
}

/** Where targets stand: in the bundle, or in its GitRepo, which then finds them. */
export type TargetsLocation = Pick<LocatedCriteria, 'path' | 'locate'>;

/** A Bundle, HelmOp or fleet.yaml as Fleet reads it. */
export interface ParsedBundle {
  readonly resource: ResourceRef;
  /** Whose Clusters and ClusterGroups it sees; undefined where that is not told: all. */
  readonly namespace: string | undefined;
  /** What stands before the paths of its fields: `spec`, nothing in a fleet.yaml. */
  readonly root: FieldPath;
  /** `rolloutStrategy` as it is written. */
  readonly rawStrategy: Fields;
  readonly strategy: RolloutStrategy;
  readonly targeting: Targeting;
  /** Where the targets stand that deploy, or would. */
  readonly targetsLocation: TargetsLocation;
  /** The cluster group that stands for targets that are left out. @default - none */
  readonly defaultGroup?: string;
  /** Does nobody in view say whom it targets, so that it is planned for every cluster? @default false */
  readonly hasAssumedTargets?: boolean;
  /** Every target and restriction that is written, in order. */
  readonly locatedTargets: readonly LocatedCriteria[];
  readonly dependsOn: BundleSpec['dependsOn'];
  readonly paused: boolean;
}

/** A bundle, or nothing where its fields have other types than Fleet wants; and what was found in either case. */
export interface BundleParseResult {
  readonly resource: ResourceRef;
  readonly bundle?: ParsedBundle;
  readonly findings: readonly Finding[];
}

/** Every cluster, for a fleet.yaml whose GitRepo is not in view. */
const ALL_CLUSTERS: readonly GitTarget[] = [{ clusterSelector: {} }];

/** Where `targets` and `restrictions` of a manifest stand. */
function locateCriteria(list: readonly ClusterCriteria[] | undefined, path: FieldPath): LocatedCriteria[] {
  return (list ?? []).map((criteria, index) => ({ criteria, path: appendToPath(path, index) }));
}

/**
 * Reads a Bundle or HelmOp. Without targets a Bundle reaches no cluster, and a HelmOp the cluster group "default".
 *
 * Source: rancher/fleet v0.16.1 target/builder.go; helmops/reconciler/helmop_controller.go.
 */
export function readBundle(object: Manifest, version: string): BundleParseResult {
  const resource = toResourceRef(object, nameOf(object), namespaceOf(object));
  const { errors, dropped } = checkFleetFields(object, BUNDLE_SCHEMA, ROOT_PATH, 'api-server', version);
  const findings = [...errors, ...dropped];
  if (errors.length > 0) return { resource, findings };

  // The types were checked above.
  const rawSpec = getFieldsAt(object, 'spec');
  const spec: BundleSpec = pickKnownFields(rawSpec, BUNDLE_SPEC_FIELDS, schemaReaderOf('api-server', version));
  const targets = spec.targets ?? [];
  const isDefaulted = targets.length === 0 && object.kind === 'HelmOp';
  const bundle: ParsedBundle = {
    resource,
    namespace: namespaceOf(object),
    root: toFieldPath`spec`,
    rawStrategy: isFields(rawSpec.rolloutStrategy) ? rawSpec.rolloutStrategy : {},
    strategy: spec.rolloutStrategy ?? {},
    targeting: {
      targets: isDefaulted ? DEFAULT_TARGETS : targets,
      restrictions: spec.targetRestrictions ?? [],
      mode: spec.targetCustomizationMode ?? 'FirstMatch',
    },
    targetsLocation: { path: toFieldPath`spec.targets` },
    ...(isDefaulted && { defaultGroup: DEFAULT_GROUP }),
    locatedTargets: [
      ...locateCriteria(spec.targets, toFieldPath`spec.targets`),
      ...locateCriteria(spec.targetRestrictions, toFieldPath`spec.targetRestrictions`),
    ],
    dependsOn: spec.dependsOn,
    paused: spec.paused === true,
  };
  return { resource, bundle, findings };
}

/** The GitRepo that finds a fleet.yaml, and where its targets stand. */
export interface GitRepoOrigin {
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
export function readFleetYaml(object: FleetYamlObject, version: string, gitRepo: GitRepoOrigin | undefined): BundleParseResult {
  const namespace = gitRepo?.settings.namespace;
  const resource = toResourceRef({ apiVersion: object.apiVersion, kind: 'Bundle' }, bundleNameOf(object), namespace);
  const { errors, dropped } = checkFleetFields(object.content, FLEET_YAML_SCHEMA, ROOT_PATH, 'fleet', version);
  const findings = [...errors, ...dropped];
  if (errors.length > 0) return { resource, findings };

  // The types were checked above.
  const yaml: FleetYaml = pickKnownFields(object.content, FLEET_YAML_FIELDS, schemaReaderOf('fleet', version));
  const targeting = resolveFleetYamlTargeting(yaml, gitRepo?.settings.targets);
  const bundle: ParsedBundle = {
    resource,
    namespace,
    root: ROOT_PATH,
    rawStrategy: findRawStrategy(object.content),
    strategy: yaml.rolloutStrategy ?? {},
    targeting,
    targetsLocation: locateTargets(yaml, gitRepo),
    ...(targeting.targets === DEFAULT_TARGETS || (!yaml.overrideTargets && gitRepo?.settings.targets === DEFAULT_TARGETS)
      ? { defaultGroup: DEFAULT_GROUP }
      : {}),
    hasAssumedTargets: !gitRepo && !yaml.overrideTargets,
    locatedTargets: [
      ...locateCriteria(yaml.targets, toFieldPath`targets`),
      ...locateCriteria(yaml.targetCustomizations, toFieldPath`targetCustomizations`),
      ...locateCriteria(yaml.overrideTargets, toFieldPath`overrideTargets`),
      ...(yaml.overrideTargets || !gitRepo ? [] : locateGitRepoTargets(gitRepo)),
    ],
    dependsOn: yaml.dependsOn,
    paused: yaml.paused === true || gitRepo?.settings.paused === true,
  };
  return { resource, bundle, findings: [...findings, ...checkFleetUnmergedOptions(yaml)] };
}

/** The targets of the GitRepo deploy, unless `overrideTargets` take their place. */
function locateTargets(yaml: FleetYaml, gitRepo: GitRepoOrigin | undefined): TargetsLocation {
  return gitRepo && !yaml.overrideTargets
    ? { path: toFieldPath`spec.targets`, locate: gitRepo.locate }
    : { path: toFieldPath`overrideTargets` };
}

function locateGitRepoTargets({ settings, locate }: GitRepoOrigin): LocatedCriteria[] {
  return locateCriteria(settings.targets, toFieldPath`spec.targets`).map((located) => ({ ...located, locate }));
}

function findRawStrategy(content: Fields): Fields {
  const name = Object.keys(content).find((field) => field.toLowerCase() === 'rolloutstrategy');
  const strategy = name === undefined ? undefined : content[name];
  return isFields(strategy) ? strategy : {};
}

/** An empty `overrideTargets` drops the GitRepo's targets all the same: then the customizations deploy, or the group "default". */
function resolveFleetYamlTargeting(yaml: FleetYaml, gitRepoTargets: readonly GitTarget[] = ALL_CLUSTERS): Targeting {
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
export function buildFleetStrategyPath({ root }: Pick<ParsedBundle, 'root'>, ...field: readonly PathPart[]): FieldPath {
  return appendToPath(root, 'rolloutStrategy', ...field);
}

/** The partitions that are written, as places of criteria. */
export function locatePartitions(bundle: ParsedBundle): LocatedCriteria[] {
  return locateCriteria(bundle.strategy.partitions, buildFleetStrategyPath(bundle, 'partitions'));
}
