import { ROOT_PATH, toFieldPath, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath, PathPart } from '../../core/manifest/field-path';
import type { Finding, Source } from '../../core/findings/finding';
import { getFieldsAt, isFields, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { toResourceRef } from '../../core/document/rollout';
import type { ResourceRef } from '../../core/document/rollout';
import { pickKnownFields } from '../../core/values/schema';
import { checkFleetFields, schemaReaderOf } from './field-findings';
import type { FieldFindings } from './field-findings';
import { bundleNameOf, isFleetYaml } from './fleet-yaml';
import type { FleetYamlObject } from './fleet-yaml';
import { DEFAULT_GROUP, DEFAULT_TARGETS } from './git-repo';
import type { GitRepoSettings } from './git-repo';
import { BUNDLE_SCHEMA, BUNDLE_SPEC_FIELDS, HELM_OP_SCHEMA, FLEET_YAML_SCHEMA, FLEET_YAML_FIELDS } from './schemas';
import type { Targeting } from './targets';
import type { BundleSpec, BundleTarget, ClusterCriteria, FleetYaml, GitTarget, RolloutStrategy } from './types';
import { checkFleetUnmergedOptions } from './rules/unknown-field';

/** Criteria that select clusters, with their path. */
export interface LocatedCriteria {
  readonly criteria: ClusterCriteria;
  readonly path: FieldPath;
  /** Finds a field in another object than the bundle: in its GitRepo. */
  readonly locate?: (path: FieldPath) => Source | undefined;
}

/** Location of targets: in the bundle, or in its GitRepo, which `locate` then searches. */
export type TargetsLocation = Pick<LocatedCriteria, 'path' | 'locate'>;

/** A Bundle, HelmOp or fleet.yaml as Fleet reads it. */
export interface ParsedBundle {
  readonly resource: ResourceRef;
  /** Namespace of the Clusters and ClusterGroups that it sees; if undefined, it sees all. */
  readonly namespace: string | undefined;
  /** Prefix of the paths of its fields: `spec`, or empty for a fleet.yaml. */
  readonly root: FieldPath;
  /** `rolloutStrategy` as written. */
  readonly rawStrategy: Fields;
  readonly strategy: RolloutStrategy;
  readonly targeting: Targeting;
  /** Location of the targets that deploy, or of the missing ones. */
  readonly targetsLocation: TargetsLocation;
  /** The cluster group that is used if there are no targets. @default - none */
  readonly defaultGroup?: string;
  /** Whether its targets are unknown, so that it is planned for every cluster. @default false */
  readonly hasAssumedTargets?: boolean;
  /** Every target and restriction, in order. */
  readonly locatedTargets: readonly LocatedCriteria[];
  readonly dependsOn: BundleSpec['dependsOn'];
  readonly paused: boolean;
}

/** A parsed bundle with its findings. The bundle is missing if a field has the wrong type. */
export interface BundleParseResult {
  readonly resource: ResourceRef;
  readonly bundle?: ParsedBundle;
  readonly findings: readonly Finding[];
}

/** Targets for every cluster, used for a fleet.yaml without its GitRepo. */
const ALL_CLUSTERS: readonly GitTarget[] = [{ clusterSelector: {} }];

/** Adds paths to the `targets` or `restrictions` of a manifest. */
function locateCriteria(list: readonly ClusterCriteria[] | undefined, path: FieldPath): LocatedCriteria[] {
  return (list ?? []).map((criteria, index) => ({ criteria, path: appendToPath(path, index) }));
}

function checkObjectFields(object: Manifest, version: string): FieldFindings {
  const schema = object.kind === 'HelmOp' ? HELM_OP_SCHEMA : BUNDLE_SCHEMA;
  return checkFleetFields(object, schema, ROOT_PATH, 'api-server', version);
}

/** Reports the fields of a Bundle or HelmOp that the API server drops; none of a fleet.yaml, which is no object of a server. */
export function checkBundleFields(object: Manifest, version: string): readonly Finding[] {
  return isFleetYaml(object) ? [] : checkObjectFields(object, version).dropped;
}

/**
 * Reads a Bundle or HelmOp. Without targets, a Bundle reaches no cluster and a HelmOp reaches the cluster group "default".
 *
 * Source: rancher/fleet v0.16.1 target/builder.go; helmops/reconciler/helmop_controller.go.
 */
export function readBundle(object: Manifest, version: string): BundleParseResult {
  const resource = toResourceRef(object, nameOf(object), namespaceOf(object));
  const { errors, dropped } = checkObjectFields(object, version);
  const findings = [...errors, ...dropped];
  if (errors.length > 0) return { resource, findings };

  // checkFleetFields has validated the types.
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

/** The GitRepo that finds a fleet.yaml, with the location of its targets. */
export interface GitRepoOrigin {
  readonly settings: GitRepoSettings;
  readonly locate: (path: FieldPath) => Source | undefined;
}

/**
 * Reads a fleet.yaml as the bundle that `fleet apply` creates from it.
 *
 * `targets` and `targetCustomizations` customize. The targets of the GitRepo, or `overrideTargets` instead of them, deploy.
 * Without a GitRepo in the input it is planned for every cluster.
 *
 * Source: rancher/fleet v0.16.1 internal/bundlereader/read.go.
 */
export function readFleetYaml(object: FleetYamlObject, version: string, gitRepo: GitRepoOrigin | undefined): BundleParseResult {
  const namespace = gitRepo?.settings.namespace;
  const resource = toResourceRef({ apiVersion: object.apiVersion, kind: 'Bundle' }, bundleNameOf(object), namespace);
  const { errors, dropped } = checkFleetFields(object.content, FLEET_YAML_SCHEMA, ROOT_PATH, 'fleet', version);
  const findings = [...errors, ...dropped];
  if (errors.length > 0) return { resource, findings };

  // checkFleetFields has validated the types.
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

/** Locates the targets that deploy: those of the GitRepo, unless `overrideTargets` replaces them. */
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

/**
 * Resolves the targeting.
 *
 * Even an empty `overrideTargets` drops the GitRepo's targets: then the customizations deploy, or the group "default".
 */
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

/** Returns the target's name, or the name that Fleet gives it if it has none: `target000`. */
export function targetNameOf(target: BundleTarget, position: number): string {
  return target.name || `target${String(position).padStart(3, '0')}`;
}

/** Builds the path of the bundle's rolloutStrategy, or of a field in it. */
export function buildFleetStrategyPath({ root }: Pick<ParsedBundle, 'root'>, ...field: readonly PathPart[]): FieldPath {
  return appendToPath(root, 'rolloutStrategy', ...field);
}

/** Returns the partitions of the strategy as criteria with paths. */
export function locatePartitions(bundle: ParsedBundle): LocatedCriteria[] {
  return locateCriteria(bundle.strategy.partitions, buildFleetStrategyPath(bundle, 'partitions'));
}
