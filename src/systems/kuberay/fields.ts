import { ANY, BOOLEAN, INT32, listOf, MAP, map, METADATA, needed, STRING, whole } from '../../core/schema';
import type { FieldSchemas } from '../../core/schema';

const OPTIONS = {
  maxSurgePercent: INT32,
  stepSizePercent: INT32,
  intervalSeconds: INT32,
  gatewayClassName: STRING,
} satisfies FieldSchemas;

/** A field of clusterUpgradeOptions. */
export type OptionField = keyof typeof OPTIONS;

/** The fields of clusterUpgradeOptions, in the order in which the plan lists them. */
export const OPTION_FIELDS = Object.keys(OPTIONS) as readonly OptionField[];

/** `spec.upgradeStrategy.clusterUpgradeOptions` */
export const OPTIONS_SCHEMA = whole(map(OPTIONS));

/** Options that stand right here have a rule of their own, so they count as known. */
const STRAY_OPTIONS: FieldSchemas = Object.fromEntries(OPTION_FIELDS.map((field) => [field, ANY]));

/** `spec.upgradeStrategy`; its options have a place of their own. */
export const STRATEGY_SCHEMA = whole(map({ type: STRING, clusterUpgradeOptions: ANY, ...STRAY_OPTIONS }));

/** `metadata` */
export const METADATA_SCHEMA = needed(METADATA);

/** `spec`, as far as its fields have no place of their own. Source: the CRD of KubeRay v1.7.0. */
export const SPEC_SCHEMA = needed(
  map({
    rayClusterDeletionDelaySeconds: INT32,
    excludeHeadPodFromServeSvc: BOOLEAN,
    suspend: BOOLEAN,
  }),
);

/** `spec.serveConfigV2` */
export const SERVE_CONFIG_SCHEMA = STRING;

/** `spec.rayClusterConfig` */
export const CLUSTER_SCHEMA = map({
  enableInTreeAutoscaling: BOOLEAN,
  headGroupSpec: map({ template: MAP }),
  workerGroupSpecs: listOf({
    groupName: STRING,
    replicas: INT32,
    minReplicas: INT32,
    maxReplicas: INT32,
    numOfHosts: INT32,
    template: MAP,
  }),
});
