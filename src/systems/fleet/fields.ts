import type { FieldType } from '../../core/shape';

/** The fields of a map, or of the items of a list. */
export type FieldTree = Readonly<Record<string, FieldRule>>;

/** What is known of one field. */
export interface FieldRule {
  readonly type: FieldType | 'any' | 'string-list';
  /** Of a map, or of each item of a list. */
  readonly fields?: FieldTree;
  /** The first version of Fleet that knows the field; earlier ones drop it. */
  readonly since?: string;
}

const ANY: FieldRule = { type: 'any' };
const STRING: FieldRule = { type: 'string' };
const BOOLEAN: FieldRule = { type: 'boolean' };
const INT: FieldRule = { type: 'int32' };
const LIMIT: FieldRule = { type: 'int-or-percent' };
const STRINGS: FieldRule = { type: 'string-list' };
const STRING_MAP: FieldRule = { type: 'string-map' };

function map(fields: FieldTree): FieldRule {
  return { type: 'map', fields };
}

function listOf(fields: FieldTree): FieldRule {
  return { type: 'list', fields };
}

const SELECTOR = map({
  matchLabels: STRING_MAP,
  matchExpressions: listOf({ key: STRING, operator: STRING, values: STRINGS }),
});

const CRITERIA: FieldTree = { clusterName: STRING, clusterSelector: SELECTOR, clusterGroup: STRING, clusterGroupSelector: SELECTOR };

const GIT_TARGET: FieldTree = { name: STRING, ...CRITERIA };

/** Source: rancher/fleet v0.16.1 bundle_types.go `RolloutStrategy`, `Partition`. */
export const ROLLOUT_STRATEGY_FIELDS: FieldTree = {
  maxUnavailable: LIMIT,
  maxUnavailablePartitions: LIMIT,
  autoPartitionSize: LIMIT,
  autoPartitionThreshold: { ...INT, since: '0.15' },
  maxNew: { ...INT, since: '0.16' },
  partitions: listOf({ name: STRING, maxUnavailable: LIMIT, ...CRITERIA }),
};

const VALUES_KEY = map({ name: STRING, namespace: STRING, key: STRING });

const HELM_FIELDS: FieldTree = {
  chart: STRING,
  repo: STRING,
  version: STRING,
  releaseName: STRING,
  values: { type: 'map' },
  templateValues: STRING_MAP,
  valuesFiles: STRINGS,
  valuesFrom: listOf({ configMapKeyRef: VALUES_KEY, secretKeyRef: VALUES_KEY }),
  timeoutSeconds: INT,
  force: BOOLEAN,
  takeOwnership: BOOLEAN,
  maxHistory: INT,
  waitForJobs: BOOLEAN,
  atomic: BOOLEAN,
  disablePreProcess: BOOLEAN,
  disableDNS: BOOLEAN,
  skipSchemaValidation: BOOLEAN,
  disableDependencyUpdate: BOOLEAN,
};

/** Source: rancher/fleet bundledeployment_types.go `BundleDeploymentOptions`. */
const DEPLOYMENT_OPTIONS: FieldTree = {
  defaultNamespace: STRING,
  namespace: STRING,
  createNamespace: BOOLEAN,
  deleteNamespace: BOOLEAN,
  namespaceLabels: STRING_MAP,
  namespaceAnnotations: STRING_MAP,
  helm: map(HELM_FIELDS),
  kustomize: map({ dir: STRING }),
  yaml: map({ overlays: STRINGS }),
  serviceAccount: STRING,
  forceSyncGeneration: INT,
  diff: map({
    comparePatches: listOf({
      apiVersion: STRING,
      kind: STRING,
      name: STRING,
      namespace: STRING,
      jsonPointers: STRINGS,
      operations: listOf({ op: STRING, path: STRING, value: STRING }),
    }),
  }),
  keepResources: BOOLEAN,
  deleteCRDResources: BOOLEAN,
  ignore: map({ conditions: { type: 'list' } }),
  correctDrift: map({ enabled: BOOLEAN, force: BOOLEAN, keepFailHistory: BOOLEAN }),
  downstreamResources: listOf({ kind: STRING, name: STRING }),
  // Known to the file format, and set by Fleet itself or by Policies: what a user writes is overwritten.
  overwrites: ANY,
  allowPodSecurityNamespaceLabels: BOOLEAN,
  allowedTargetNamespaceSelector: ANY,
};

/** Targets of a GitRepo, or restrictions of a Bundle. */
export const GIT_TARGETS = listOf(GIT_TARGET);

const TARGET_FIELDS: FieldTree = { ...DEPLOYMENT_OPTIONS, ...GIT_TARGET, doNotDeploy: BOOLEAN };

const BUNDLE_OPTIONS: FieldTree = {
  ...DEPLOYMENT_OPTIONS,
  paused: BOOLEAN,
  rolloutStrategy: map(ROLLOUT_STRATEGY_FIELDS),
  dependsOn: listOf({ name: STRING, selector: SELECTOR, acceptedStates: STRINGS }),
  targetCustomizationMode: { ...STRING, since: '0.16' },
  targets: listOf(TARGET_FIELDS),
};

const IMAGE_SCAN_FIELDS: FieldTree = {
  name: STRING,
  tagName: STRING,
  gitrepoName: STRING,
  image: STRING,
  interval: STRING,
  secretRef: map({ name: STRING }),
  suspend: BOOLEAN,
  policy: map({ semver: map({ range: STRING }), alphabetical: map({ order: STRING }) }),
};

/** Source: rancher/fleet fleetyaml.go `FleetYAML`; what Fleet fills in itself (resources, hashes) apart. */
export const FLEET_YAML_FIELDS: FieldTree = {
  name: STRING,
  labels: STRING_MAP,
  ...BUNDLE_OPTIONS,
  targetCustomizations: listOf(TARGET_FIELDS),
  imageScans: listOf(IMAGE_SCAN_FIELDS),
  overrideTargets: GIT_TARGETS,
};

/** What a plan reads of a Bundle's or HelmOp's spec. */
export const BUNDLE_SPEC_FIELDS: FieldTree = { ...BUNDLE_OPTIONS, targetRestrictions: GIT_TARGETS };
