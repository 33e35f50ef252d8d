import {
  ANY,
  BOOLEAN,
  INT32,
  INT_OR_PERCENT,
  LIST,
  MAP,
  METADATA,
  STRING,
  STRINGS,
  STRING_MAP,
  listOf,
  map,
  needed,
  whole,
} from '../../core/schema';
import type { FieldSchema, FieldSchemas } from '../../core/schema';

/** The same with no other field known, at any depth of the fields that are known. */
function wholly(schema: FieldSchema): FieldSchema {
  if (!schema.fields) return schema;
  const fields = Object.entries(schema.fields).map(([name, inner]) => [name, wholly(inner)]);
  return whole({ ...schema, fields: Object.fromEntries(fields) as FieldSchemas });
}

/** A label selector; `text` is the type of its keys and operators. */
function labelSelector(text: FieldSchema): FieldSchema {
  return map({ matchLabels: STRING_MAP, matchExpressions: listOf({ key: text, operator: text, values: STRINGS }) });
}

const SELECTOR = labelSelector(STRING);

const CRITERIA = { clusterName: STRING, clusterSelector: SELECTOR, clusterGroup: STRING, clusterGroupSelector: SELECTOR };

const GIT_TARGET = { name: STRING, ...CRITERIA };

/** Source: rancher/fleet v0.16.1 bundle_types.go `RolloutStrategy`, `Partition`. */
const ROLLOUT_STRATEGY = map({
  maxUnavailable: INT_OR_PERCENT,
  maxUnavailablePartitions: INT_OR_PERCENT,
  autoPartitionSize: INT_OR_PERCENT,
  // Of these two the CRD has no format, as of Go's int: they are 64 bits.
  autoPartitionThreshold: { type: 'int64', since: '0.15' },
  maxNew: { type: 'int64', since: '0.16' },
  partitions: listOf({ name: STRING, maxUnavailable: INT_OR_PERCENT, ...CRITERIA }),
});

const VALUES_KEY = map({ name: STRING, namespace: STRING, key: STRING });

const HELM_FIELDS = {
  chart: STRING,
  repo: STRING,
  version: STRING,
  releaseName: STRING,
  values: MAP,
  templateValues: STRING_MAP,
  valuesFiles: STRINGS,
  valuesFrom: listOf({ configMapKeyRef: VALUES_KEY, secretKeyRef: VALUES_KEY }),
  timeoutSeconds: INT32,
  force: BOOLEAN,
  takeOwnership: BOOLEAN,
  maxHistory: INT32,
  waitForJobs: BOOLEAN,
  atomic: BOOLEAN,
  disablePreProcess: BOOLEAN,
  disableDNS: BOOLEAN,
  skipSchemaValidation: BOOLEAN,
  disableDependencyUpdate: BOOLEAN,
};

/** Source: rancher/fleet bundledeployment_types.go `BundleDeploymentOptions`. */
const DEPLOYMENT_OPTIONS = {
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
  forceSyncGeneration: INT32,
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
  ignore: map({ conditions: LIST }),
  correctDrift: map({ enabled: BOOLEAN, force: BOOLEAN, keepFailHistory: BOOLEAN }),
  downstreamResources: listOf({ kind: STRING, name: STRING }),
  // Known to the file format, and set by Fleet itself or by Policies: what a user writes is overwritten.
  overwrites: ANY,
  allowPodSecurityNamespaceLabels: BOOLEAN,
  allowedTargetNamespaceSelector: ANY,
};

/** Targets of a GitRepo, or restrictions of a Bundle. */
const GIT_TARGETS = listOf(GIT_TARGET);

const TARGET_FIELDS = { ...DEPLOYMENT_OPTIONS, ...GIT_TARGET, doNotDeploy: BOOLEAN };

const BUNDLE_OPTIONS = {
  ...DEPLOYMENT_OPTIONS,
  paused: BOOLEAN,
  rolloutStrategy: ROLLOUT_STRATEGY,
  dependsOn: listOf({ name: STRING, selector: SELECTOR, acceptedStates: STRINGS }),
  targetCustomizationMode: { ...STRING, since: '0.16' },
  targets: listOf(TARGET_FIELDS),
};

const IMAGE_SCAN_FIELDS = {
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
export const FLEET_YAML_FIELDS = {
  name: STRING,
  labels: STRING_MAP,
  ...BUNDLE_OPTIONS,
  targetCustomizations: listOf(TARGET_FIELDS),
  imageScans: listOf(IMAGE_SCAN_FIELDS),
  overrideTargets: GIT_TARGETS,
};

/** A fleet.yaml, every field of it. */
export const FLEET_YAML = wholly(map(FLEET_YAML_FIELDS));

/** What a plan reads of a Bundle's or HelmOp's spec. */
export const BUNDLE_SPEC_FIELDS = { ...BUNDLE_OPTIONS, targetRestrictions: GIT_TARGETS };

/** What a plan reads of a Bundle or HelmOp. Its rolloutStrategy is known whole. */
export const BUNDLE = map({
  metadata: METADATA,
  spec: needed(map({ ...BUNDLE_SPEC_FIELDS, rolloutStrategy: wholly(ROLLOUT_STRATEGY) })),
});

/** What a plan reads of a GitRepo's spec. */
export const GIT_REPO_SPEC = map({ paths: STRINGS, paused: BOOLEAN, targets: GIT_TARGETS });

const NAMED = { name: needed(STRING), namespace: STRING, labels: STRING_MAP };

/** A Cluster object, as far as a plan reads it. */
export const CLUSTER = map({ metadata: map(NAMED), spec: map({ paused: BOOLEAN }) });

const GROUP_SELECTOR = labelSelector(needed(STRING));

/** A ClusterGroup object, as far as a plan reads it. */
export const CLUSTER_GROUP = map({ metadata: map(NAMED), spec: map({ selector: GROUP_SELECTOR }) });

/** A cluster in the compact form of an inventory, whole: a field left out for a slip would plan for other clusters than meant. */
export const CLUSTER_ENTRY = whole(map({ ...NAMED, paused: BOOLEAN }));

/** A group in the compact form of an inventory, whole as well. */
export const GROUP_ENTRY = wholly(map({ ...NAMED, selector: GROUP_SELECTOR }));
