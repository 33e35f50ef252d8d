import {
  ANY,
  BOOLEAN,
  INT32,
  INT_OR_PERCENT,
  LIST,
  MAP,
  METADATA,
  STRING,
  STRING_LIST,
  STRING_MAP,
  defineList,
  defineMap,
  requireNonNull,
  closeSchema,
} from '../../core/schema';
import type { FieldSchema, FieldSchemas } from '../../core/schema';

/** The same with no other field known, at any depth of the fields that are known. */
function closeSchemaDeeply(schema: FieldSchema): FieldSchema {
  if (!schema.fields) return schema;
  const fields = Object.entries(schema.fields).map(([name, inner]) => [name, closeSchemaDeeply(inner)]);
  return closeSchema({ ...schema, fields: Object.fromEntries(fields) as FieldSchemas });
}

/** A label selector; `text` is the type of its keys and operators. */
function buildLabelSelectorSchema(text: FieldSchema): FieldSchema {
  return defineMap({ matchLabels: STRING_MAP, matchExpressions: defineList({ key: text, operator: text, values: STRING_LIST }) });
}

const SELECTOR = buildLabelSelectorSchema(STRING);

const CRITERIA = { clusterName: STRING, clusterSelector: SELECTOR, clusterGroup: STRING, clusterGroupSelector: SELECTOR };

const GIT_TARGET = { name: STRING, ...CRITERIA };

/** Source: rancher/fleet v0.16.1 bundle_types.go `RolloutStrategy`, `Partition`. */
const ROLLOUT_STRATEGY = defineMap({
  maxUnavailable: INT_OR_PERCENT,
  maxUnavailablePartitions: INT_OR_PERCENT,
  autoPartitionSize: INT_OR_PERCENT,
  // Of these two the CRD has no format, as of Go's int: they are 64 bits.
  autoPartitionThreshold: { type: 'int64', since: '0.15' },
  maxNew: { type: 'int64', since: '0.16' },
  partitions: defineList({ name: STRING, maxUnavailable: INT_OR_PERCENT, ...CRITERIA }),
});

const VALUES_KEY = defineMap({ name: STRING, namespace: STRING, key: STRING });

const HELM_FIELDS = {
  chart: STRING,
  repo: STRING,
  version: STRING,
  releaseName: STRING,
  values: MAP,
  templateValues: STRING_MAP,
  valuesFiles: STRING_LIST,
  valuesFrom: defineList({ configMapKeyRef: VALUES_KEY, secretKeyRef: VALUES_KEY }),
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
  helm: defineMap(HELM_FIELDS),
  kustomize: defineMap({ dir: STRING }),
  yaml: defineMap({ overlays: STRING_LIST }),
  serviceAccount: STRING,
  forceSyncGeneration: INT32,
  diff: defineMap({
    comparePatches: defineList({
      apiVersion: STRING,
      kind: STRING,
      name: STRING,
      namespace: STRING,
      jsonPointers: STRING_LIST,
      operations: defineList({ op: STRING, path: STRING, value: STRING }),
    }),
  }),
  keepResources: BOOLEAN,
  deleteCRDResources: BOOLEAN,
  ignore: defineMap({ conditions: LIST }),
  correctDrift: defineMap({ enabled: BOOLEAN, force: BOOLEAN, keepFailHistory: BOOLEAN }),
  downstreamResources: defineList({ kind: STRING, name: STRING }),
  // Known to the file format, and set by Fleet itself or by Policies: what a user writes is overwritten.
  overwrites: ANY,
  allowPodSecurityNamespaceLabels: BOOLEAN,
  allowedTargetNamespaceSelector: ANY,
};

/** Targets of a GitRepo, or restrictions of a Bundle. */
const GIT_TARGETS = defineList(GIT_TARGET);

const TARGET_FIELDS = { ...DEPLOYMENT_OPTIONS, ...GIT_TARGET, doNotDeploy: BOOLEAN };

const BUNDLE_OPTIONS = {
  ...DEPLOYMENT_OPTIONS,
  paused: BOOLEAN,
  rolloutStrategy: ROLLOUT_STRATEGY,
  dependsOn: defineList({ name: STRING, selector: SELECTOR, acceptedStates: STRING_LIST }),
  targetCustomizationMode: { ...STRING, since: '0.16' },
  targets: defineList(TARGET_FIELDS),
};

const IMAGE_SCAN_FIELDS = {
  name: STRING,
  tagName: STRING,
  gitrepoName: STRING,
  image: STRING,
  interval: STRING,
  secretRef: defineMap({ name: STRING }),
  suspend: BOOLEAN,
  policy: defineMap({ semver: defineMap({ range: STRING }), alphabetical: defineMap({ order: STRING }) }),
};

/** Source: rancher/fleet fleetyaml.go `FleetYAML`; what Fleet fills in itself (resources, hashes) apart. */
export const FLEET_YAML_FIELDS = {
  name: STRING,
  labels: STRING_MAP,
  ...BUNDLE_OPTIONS,
  targetCustomizations: defineList(TARGET_FIELDS),
  imageScans: defineList(IMAGE_SCAN_FIELDS),
  overrideTargets: GIT_TARGETS,
};

/** A fleet.yaml, every field of it. */
export const FLEET_YAML_SCHEMA = closeSchemaDeeply(defineMap(FLEET_YAML_FIELDS));

/** What a plan reads of a Bundle's or HelmOp's spec. */
export const BUNDLE_SPEC_FIELDS = { ...BUNDLE_OPTIONS, targetRestrictions: GIT_TARGETS };

/** What a plan reads of a Bundle or HelmOp. Its rolloutStrategy is known whole. */
export const BUNDLE_SCHEMA = defineMap({
  metadata: METADATA,
  spec: requireNonNull(defineMap({ ...BUNDLE_SPEC_FIELDS, rolloutStrategy: closeSchemaDeeply(ROLLOUT_STRATEGY) })),
});

/** What a plan reads of a GitRepo's spec. */
export const GIT_REPO_SPEC_SCHEMA = defineMap({ paths: STRING_LIST, paused: BOOLEAN, targets: GIT_TARGETS });

const NAMED_FIELDS = { name: requireNonNull(STRING), namespace: STRING, labels: STRING_MAP };

/** A Cluster object, as far as a plan reads it. */
export const FLEET_CLUSTER_SCHEMA = defineMap({ metadata: defineMap(NAMED_FIELDS), spec: defineMap({ paused: BOOLEAN }) });

const GROUP_SELECTOR = buildLabelSelectorSchema(requireNonNull(STRING));

/** A ClusterGroup object, as far as a plan reads it. */
export const FLEET_CLUSTER_GROUP_SCHEMA = defineMap({ metadata: defineMap(NAMED_FIELDS), spec: defineMap({ selector: GROUP_SELECTOR }) });

/** A cluster in the compact form of an inventory, whole: a field left out for a slip would plan for other clusters than meant. */
export const CLUSTER_ENTRY_SCHEMA = closeSchema(defineMap({ ...NAMED_FIELDS, paused: BOOLEAN }));

/** A group in the compact form of an inventory, whole as well. */
export const GROUP_ENTRY_SCHEMA = closeSchemaDeeply(defineMap({ ...NAMED_FIELDS, selector: GROUP_SELECTOR }));
