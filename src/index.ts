export { DeploymentPolicy } from './constructs/deployment-policy';
export type { WorkloadSelector } from './constructs/deployment-policy';
export { FleetBundle } from './constructs/fleet-bundle';
export type { BundleOutputProps, FleetBundleProps, FleetYamlOutputProps } from './constructs/fleet-bundle';
export { IncrementalRayService } from './constructs/incremental-ray-service';
export type {
  GitOpsRayServiceProps,
  IncrementalRayServiceProps,
  OperatorRayServiceProps,
  StagedRayServiceProps,
} from './constructs/incremental-ray-service';
export type { RayClusterProps, RayHeadGroupProps, RayPodTemplate, RayWorkerGroupProps } from './constructs/ray-cluster-props';
export { InferenceServiceRollout } from './constructs/inference-service-rollout';
export type { InferenceServiceRolloutProps } from './constructs/inference-service-rollout';
export { KServePlatformConfig } from './constructs/kserve-platform-config';
export { PlatformConfigError } from './props/platform-config-file';
export type { EmitPlatformConfigOptions } from './constructs/kserve-platform-config';
export { OperatorRollingUpdate } from './constructs/operator-rolling-update';
export type { OperatorRollingUpdateProps } from './constructs/operator-rolling-update';
export { RolloutValidation } from './constructs/validation-plugin';
export type { RolloutValidationProps } from './constructs/validation-plugin';

export { Rollout } from './workloads/deployment/intent';
export type {
  AvailabilityIntent,
  RecreateIntent,
  ResourceAwareIntent,
  RolloutIntent,
  RollingUpdateIntent,
} from './workloads/deployment/intent';
export type { StatefulPolicyProps, StatelessPolicyProps } from './workloads/policies';
export type { DeploymentStrategy, DeploymentStrategySpec } from './workloads/types';
export type {
  CanarySpec,
  ComponentName,
  ComponentProps,
  DeploymentMode,
  DocumentedMode,
  PlatformConfigProps,
  PlatformRolloutProps,
  PredictorProps,
  SettledComponent,
  WorkerSpec,
} from './systems/kserve/types';

export type { Finding, Severity, Source } from './core/finding';
export type { IntOrPercent } from './core/int-or-percent';
export type { OverriddenLevel, Provenance } from './core/provenance';
export type { PlannedRollout, Simulation } from './core/rollout';

export { MountPathError } from './systems/operator-resource/manifests';
export type { OperatorResource } from './systems/operator-resource/manifests';
export { safeMaxSurgePercent } from './systems/kuberay/sizing';
export type { ResourceShare, SurgeByCluster, SurgeByNumbers, SurgeByTemplate } from './systems/kuberay/sizing';
export type { UpgradeStage } from './systems/kuberay/stages';
export type {
  ClusterUpgradeOptions,
  PodTemplate,
  RayClusterSpec,
  RayServiceSpec,
  ServeApplication,
  ServeConfig,
  ServeDeployment,
  UpgradeProps,
  UpgradeStrategy,
} from './systems/kuberay/types';

export { Inventory } from './props/inventory';
export { InventoryError } from './systems/fleet/inventory';
export { automaticPartitions, canary, FleetIntentError, partitionsByLabel } from './systems/fleet/partition-intents';
export type {
  AutomaticPartitions,
  CanaryPartitions,
  ClusterGroupProps,
  PartitionProps,
  PartitionsIntent,
} from './systems/fleet/partition-intents';
export type { FleetRolloutProps } from './systems/fleet/rollout-intent';
export type {
  BundleRef,
  BundleSpec,
  BundleTarget,
  ClusterGroupSpec,
  ClusterSpec,
  FleetYaml,
  GitRepoSpec,
  GitTarget,
  HelmOpSpec,
  ImageScan,
  LabelSelector,
  LabelSelectorRequirement,
  Partition,
  RolloutStrategy,
} from './systems/fleet/types';
