import {
  ANY,
  BOOLEAN,
  INT32,
  defineList,
  defineMap,
  METADATA,
  requireNonNull,
  STRING,
  STRING_MAP,
  closeSchema,
} from '../../core/values/schema';
import type { FieldSchemas } from '../../core/values/schema';
import { requireWholeQuantities, toCustomResourceFields } from '../../workloads/pod/custom-resource-fields';
import { POD_SPEC } from '../../workloads/pod/pod-spec';

const UPGRADE_OPTIONS = {
  maxSurgePercent: INT32,
  stepSizePercent: INT32,
  intervalSeconds: INT32,
  gatewayClassName: STRING,
} satisfies FieldSchemas;

/** A field of clusterUpgradeOptions. */
export type UpgradeOptionField = keyof typeof UPGRADE_OPTIONS;

/** The fields of clusterUpgradeOptions, in the order in which the plan lists them. */
export const UPGRADE_OPTION_FIELDS = Object.keys(UPGRADE_OPTIONS) as readonly UpgradeOptionField[];

/** `spec.upgradeStrategy.clusterUpgradeOptions` */
export const UPGRADE_OPTIONS_SCHEMA = closeSchema(defineMap(UPGRADE_OPTIONS));

/** Options directly under upgradeStrategy. They count as known because misplaced-options reports them. */
const MISPLACED_OPTIONS: FieldSchemas = Object.fromEntries(UPGRADE_OPTION_FIELDS.map((field) => [field, ANY]));

/** `spec.upgradeStrategy`; its options have their own schema. */
export const UPGRADE_STRATEGY_SCHEMA = closeSchema(defineMap({ type: STRING, clusterUpgradeOptions: ANY, ...MISPLACED_OPTIONS }));

/** `metadata` */
export const RAY_SERVICE_METADATA_SCHEMA = requireNonNull(METADATA);

/** The fields of `spec` without a schema of their own. Source: the CRD of KubeRay v1.7.0. */
export const RAY_SERVICE_SPEC_SCHEMA = requireNonNull(
  defineMap({
    rayClusterDeletionDelaySeconds: INT32,
    excludeHeadPodFromServeSvc: BOOLEAN,
    suspend: BOOLEAN,
  }),
);

/** `spec.serveConfigV2` */
export const SERVE_CONFIG_SCHEMA = STRING;

/** The template of a pod. KubeRay has no webhook that rewrites the object, so its CRD decides about quantities. */
const POD_TEMPLATE = defineMap({
  metadata: defineMap({ labels: STRING_MAP, annotations: STRING_MAP }),
  spec: requireWholeQuantities(defineMap(toCustomResourceFields(POD_SPEC))),
});

/** `spec.rayClusterConfig` */
export const RAY_CLUSTER_SCHEMA = defineMap({
  enableInTreeAutoscaling: BOOLEAN,
  headGroupSpec: defineMap({ template: POD_TEMPLATE }),
  workerGroupSpecs: defineList({
    groupName: STRING,
    replicas: INT32,
    minReplicas: INT32,
    maxReplicas: INT32,
    numOfHosts: INT32,
    template: POD_TEMPLATE,
  }),
});
