/** Props and types that constructs and Pulumi components share. */
export { IntentError } from '../core/errors/intent-error';
export type { Preference, RolloutGoal } from '../core/document/advice';
export type { IntOrPercent, IntOrPercentForms } from '../core/values/int-or-percent';
export type { Quantity } from '../core/values/quantity';
export type { DrainIntent } from '../workloads/drain';
export { Rollout } from './rollout';
export type {
  AvailabilityIntent,
  GoalIntent,
  RolloutGoalProps,
  GroupLimitProps,
  GroupsNotBothZero,
  NotBothZero,
  NotZero,
  Refused,
  Zero,
  RecreateIntent,
  ResourceAwareIntent,
  RolloutIntent,
  RollingUpdateIntent,
  RollingUpdateLimits,
} from '../workloads/deployment/intent';
export type {
  PolicyProps,
  DaemonSetGoalProps,
  GoalPolicyProps,
  StatefulOnDeleteProps,
  DaemonSetOnDeleteProps,
  DaemonSetPolicyProps,
  DaemonSetSurgeProps,
  DaemonSetUnavailableProps,
  StatefulPolicyProps,
  StatefulRollingUpdateProps,
  StatelessPolicyProps,
  StatelessRecreateProps,
  StatelessRollingUpdateProps,
} from '../workloads/policies';
export type { DeploymentStrategy, DeploymentStrategySpec, RollingUpdateDeployment } from '../workloads/deployment/types';

export type {
  CanarySpec,
  ComponentExtension,
  ComponentName,
  ComponentProps,
  ComponentSpec,
  DeploymentMode,
  DocumentedMode,
  ExplainerProps,
  ExplainerSpec,
  InferenceServiceProps,
  LegacyDeploymentMode,
  ModelSpec,
  PlatformConfig,
  PlatformConfigProps,
  PlatformRollout,
  PlatformRolloutProps,
  PredictorProps,
  PredictorSpec,
  ServiceContainer,
  ResolvedComponent,
  WorkerSpec,
} from '../systems/kserve/types';

export type { ComponentFields, ContainerFields, FrameworkFields, ModelFields, PodFields } from '../systems/kserve/passthrough-fields';

export { safeMaxSurgePercent } from './safe-surge';
export type { ResourceShare, SurgeByCluster, SurgeByNumbers, SurgeByTemplate } from './safe-surge';
export type {
  AutoscalerOptions,
  ClusterUpgradeOptions,
  HeadGroupSpec,
  PodTemplate,
  RayActorOptions,
  RayClusterSpec,
  RayContainer,
  RayServiceSpec,
  ServeApplication,
  ServeAutoscalingConfig,
  ServeConfig,
  ServeDeployment,
  ServeDeploymentFields,
  UpgradeStrategy,
  WorkerGroupSpec,
} from '../systems/kuberay/types';
export type {
  GatewayClassProps,
  OperatorUpgradeProps,
  ServiceUpgradeProps,
  StagedServiceProps,
  StagedUpgradeProps,
  UpgradeByGoalProps,
  UpgradeGoal,
  UpgradeProps,
} from '../systems/kuberay/upgrade-props';

export { Inventory } from './inventory';
export { InventoryError } from '../systems/fleet/inventory';
export type { InventoryProp } from './inventory';
export type { BundleOutput, FleetYamlOutput } from './fleet-bundle';
export type { BundleIntent } from '../systems/fleet/bundle-intent';
export type { FleetCluster, FleetClusterGroup } from '../systems/fleet/clusters';
export type { ComparePatch, DeploymentOptions, HelmOptions, ValuesKey } from '../systems/fleet/deployment-options';
export type { TargetedBundle } from '../systems/fleet/manifests';
export { FleetIntentError } from '../systems/fleet/partition-intents';
export { automaticPartitions, canary, partitionsByLabel } from './partitions';
export type {
  AutomaticPartitions,
  CanaryPartitions,
  ClusterGroupProps,
  PartitionOfGroup,
  PartitionProps,
  PartitionsIntent,
  RequiredCriterion,
} from '../systems/fleet/partition-intents';
export type { GoalFunction } from './rollout';
export type { FleetGoal, FleetGoalIntent, FleetRolloutProps } from '../systems/fleet/rollout-intent';
export type { Labels } from '../systems/fleet/selector';
export type {
  BundleOptions,
  BundleRef,
  BundleResource,
  BundleSpec,
  BundleTarget,
  ClusterCriteria,
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
} from '../systems/fleet/types';

export type { ApplicationSetRolloutProps } from './application-set';
export type {
  ApplicationGenerator,
  ApplicationMetadata,
  ApplicationSetIntent,
  ApplicationTemplate,
  StepMatchExpression,
  SyncStep,
} from '../systems/argo-cd/props';

export type { LeaderWorkerSetRolloutProps } from '../systems/leaderworkerset/props';
export type {
  GroupPodTemplate,
  GroupVersionsProps,
  GroupsProps,
  GroupsRollout,
  LeaderWorkerTemplateProps,
} from '../workloads/leader-worker-set/props';
export type { DisaggregatedRoleProps, DisaggregatedSetRolloutProps } from '../systems/disaggregatedset/props';
export type { LeaderWorkerSetStrategy } from '../workloads/leader-worker-set/strategy';

export type { LLMInferenceServiceRolloutProps, LlmModel, LlmRollout, LlmWorkloadProps } from '../systems/llminferenceservice/props';

export { MountPathError } from '../systems/operator-resource/manifests';
export type { OperatorResource, OperatorRollingUpdateProps } from '../systems/operator-resource/manifests';
export type { NumberStyle } from '../systems/operator-resource/strategy';
export { OptionError } from '../core/errors/option-error';
