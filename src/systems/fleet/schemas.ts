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
  requireNonNull,
  closeSchema,
} from '../../core/values/schema';
import type { FieldSchema, FieldSchemas } from '../../core/values/schema';
import { defineStruct } from '../../workloads/pod/field';
import { OBJECT_META } from '../../workloads/pod/object-meta';

/** Closes a schema, and every schema nested in it, to unknown fields. */
function closeSchemaDeeply(schema: FieldSchema): FieldSchema {
  if (!schema.fields) return schema;
  const fields = Object.entries(schema.fields).map(([name, inner]) => [name, closeSchemaDeeply(inner)]);
  return closeSchema({ ...schema, fields: Object.fromEntries(fields) as FieldSchemas });
}

/** Builds the schema of a label selector. `text` is the type of its keys and operators. */
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
  // These two are Go ints without a format in the CRD, so they have 64 bits.
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
  // The file format has these fields, but Fleet or Policies overwrite the user's values.
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

/** Source: rancher/fleet fleetyaml.go `FleetYAML`, except what Fleet fills in itself (resources, hashes). */
export const FLEET_YAML_FIELDS = {
  name: STRING,
  labels: STRING_MAP,
  ...BUNDLE_OPTIONS,
  targetCustomizations: defineList(TARGET_FIELDS),
  imageScans: defineList(IMAGE_SCAN_FIELDS),
  overrideTargets: GIT_TARGETS,
};

/** Schema of a fleet.yaml with every field. */
export const FLEET_YAML_SCHEMA = closeSchemaDeeply(defineMap(FLEET_YAML_FIELDS));

/** Spec fields of a Bundle or HelmOp that a plan reads. */
export const BUNDLE_SPEC_FIELDS = { ...BUNDLE_OPTIONS, targetRestrictions: GIT_TARGETS };

/** Options that the API server stores in a Bundle or HelmOp, although Fleet overwrites those of a fleet.yaml. */
const STORED_OPTIONS = {
  overwrites: defineList({ kind: STRING, name: STRING, namespace: STRING }),
  allowedTargetNamespaceSelector: SELECTOR,
};

/** All fields of the spec of a Bundle. Source: the CRDs of rancher/fleet v0.12.0 to v0.16.1. */
const BUNDLE_SPEC = {
  ...BUNDLE_SPEC_FIELDS,
  ...STORED_OPTIONS,
  targets: defineList({ ...TARGET_FIELDS, ...STORED_OPTIONS }),
  resources: defineList({ name: STRING, content: STRING, encoding: STRING }),
  contentsId: STRING,
  valuesHash: STRING,
  helmOpOptions: defineMap({ helmOpSecretName: STRING, helmOpInsecureSkipTLSVerify: BOOLEAN, helmOpCABundle: ANY }),
  // The names in v0.12.
  helmAppOptions: defineMap({ helmAppSecretName: STRING, helmAppInsecureSkipTLSVerify: BOOLEAN }),
};

function buildObjectSchema(spec: FieldSchemas): FieldSchema {
  const fields = { apiVersion: ANY, kind: ANY, metadata: defineStruct(OBJECT_META), status: ANY };
  return closeSchema(defineMap({ ...fields, spec: requireNonNull(closeSchemaDeeply(defineMap(spec))) }));
}

/** Schema of a Bundle with every field. */
export const BUNDLE_SCHEMA = buildObjectSchema(BUNDLE_SPEC);

/** Schema of a HelmOp with every field. Source: as of a Bundle. */
export const HELM_OP_SCHEMA = buildObjectSchema({
  ...BUNDLE_SPEC,
  labels: STRING_MAP,
  helmSecretName: STRING,
  insecureSkipTLSVerify: BOOLEAN,
  pollingInterval: STRING,
});

/** Schema of the spec fields of a GitRepo that a plan reads. */
export const GIT_REPO_SPEC_SCHEMA = defineMap({ paths: STRING_LIST, paused: BOOLEAN, targets: GIT_TARGETS });

const NAMED_FIELDS = { name: requireNonNull(STRING), namespace: STRING, labels: STRING_MAP };

/** Schema of the fields of a Cluster object that a plan reads. */
export const FLEET_CLUSTER_SCHEMA = defineMap({ metadata: defineMap(NAMED_FIELDS), spec: defineMap({ paused: BOOLEAN }) });

const GROUP_SELECTOR = buildLabelSelectorSchema(requireNonNull(STRING));

/** Schema of the fields of a ClusterGroup object that a plan reads. */
export const FLEET_CLUSTER_GROUP_SCHEMA = defineMap({ metadata: defineMap(NAMED_FIELDS), spec: defineMap({ selector: GROUP_SELECTOR }) });

/** Closed schema of a cluster in the compact form of an inventory. Ignoring a misspelled field would plan for the wrong clusters. */
export const CLUSTER_ENTRY_SCHEMA = closeSchema(
  defineMap({ ...NAMED_FIELDS, paused: BOOLEAN, notReady: BOOLEAN, notRegistered: BOOLEAN, outsideSchedule: BOOLEAN }),
);

/** Closed schema of a group in the compact form of an inventory. */
export const GROUP_ENTRY_SCHEMA = closeSchemaDeeply(defineMap({ ...NAMED_FIELDS, selector: GROUP_SELECTOR }));
