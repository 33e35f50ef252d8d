export { DeploymentPolicy } from './deployment-policy';
export type { DeploymentPolicyArgs, PolicedWorkloads, PolicyChoice, WorkloadProps } from './deployment-policy';
export { FleetBundle } from './fleet-bundle';
export type { BundleOutputArgs, BundleResources, FleetBundleArgs, FleetYamlOutputArgs } from './fleet-bundle';
export { IncrementalRayService } from './incremental-ray-service';
export type { GitOpsRayServiceArgs, IncrementalRayServiceArgs, OperatorRayServiceArgs, StackStage } from './incremental-ray-service';
export { InferenceServiceRollout } from './inference-service-rollout';
export type { InferenceServiceRolloutArgs } from './inference-service-rollout';
export { KServePlatformConfig } from './kserve-platform-config';
export type { KServePlatformConfigArgs } from './kserve-platform-config';
export type { WithInputs } from './leaf-strings';
export { OperatorRollingUpdate } from './operator-rolling-update';
export type { OperatorRollingUpdateArgs } from './operator-rolling-update';
export type { PlatformSource } from './platform-source';
export { RolloutComponent } from './rollout-component';
export type { RolloutComponentKind } from './type-tokens';

export * from '../props/public';
export type * from '../plan/public';
