export { DeploymentPolicy } from './deployment-policy';
export type { DeploymentPolicyArgs, PolicedWorkloads, PolicyChoice, WorkloadProps } from './deployment-policy';
export { FleetBundle } from './fleet-bundle';
export type { BundleOutputArgs, FleetBundleArgs, FleetYamlOutputArgs } from './fleet-bundle';
export { IncrementalRayService } from './incremental-ray-service';
export type {
  GitOpsRayServiceArgs,
  IncrementalRayServiceArgs,
  OperatorRayServiceArgs,
  StagedRayServiceProps,
} from './incremental-ray-service';
export { InferenceServiceRollout } from './inference-service-rollout';
export type { InferenceServiceRolloutArgs } from './inference-service-rollout';
export { KServePlatformConfig } from './kserve-platform-config';
export type { KServePlatformConfigArgs } from './kserve-platform-config';
export type { WithInputs } from './leaf-strings';
export { OperatorRollingUpdate } from './operator-rolling-update';
export type { OperatorRollingUpdateArgs } from './operator-rolling-update';
export type { PlatformSource } from './platform-level';
export { RolloutComponent } from './rollout-component';

export { Rollout } from '../workloads/deployment/intent';
export type { RolloutIntent } from '../workloads/deployment/intent';
export type { StatefulPolicyProps, StatelessPolicyProps } from '../workloads/policies';
export type { PlatformConfigProps, SettledComponent } from '../systems/kserve/types';
export { safeMaxSurgePercent } from '../systems/kuberay/sizing';
export { Inventory } from '../props/inventory';
export { InventoryError } from '../systems/fleet/inventory';
export { automaticPartitions, canary, FleetIntentError, partitionsByLabel } from '../systems/fleet/partition-intents';
export type { FleetRolloutProps } from '../systems/fleet/rollout-intent';
export { MountPathError } from '../systems/operator-resource/manifests';
export type { Finding, Severity } from '../core/finding';
export type { PlanDocument } from '../core/plan-document';
