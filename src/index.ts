export { ApplicationSetRollout } from './constructs/application-set-rollout';
export { DaemonSetPolicy } from './constructs/daemon-set-policy';
export { DeploymentPolicy } from './constructs/deployment-policy';
export type { WorkloadSelector } from './constructs/workload-policy';
export { DisaggregatedSetRollout } from './constructs/disaggregated-set-rollout';
export { FleetBundle } from './constructs/fleet-bundle';
export type { BundleOutputProps, FleetBundleContent, FleetBundleProps, FleetYamlOutputProps } from './constructs/fleet-bundle';
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
export type { EmitPlatformConfigOptions } from './constructs/kserve-platform-config';
export { LeaderWorkerSetRollout } from './constructs/leader-worker-set-rollout';
export { LLMInferenceServiceRollout } from './constructs/llm-inference-service-rollout';
export { OperatorRollingUpdate } from './constructs/operator-rolling-update';
export { RolloutGuardrails } from './constructs/rollout-guardrails';
export type { RolloutGuardrailsProps } from './constructs/rollout-guardrails';
export { GuardrailPolicyError } from './guardrails/policy';
export type { GuardrailException, GuardrailPolicy, GuardrailScope } from './guardrails/policy';
export type { GuardedKind } from './guardrails/effective-limits';
export { RolloutPlan } from './constructs/rollout-plan';
export type { ChangeOptions } from './change/change-options';
export type { ChangePlanDocument } from './constructs/rollout-plan';
export { RolloutValidation } from './constructs/validation-plugin';
export type {
  IgnoreSetting,
  RolloutValidationContext,
  RolloutValidationProps,
  RolloutViolation,
  RuleSetting,
  RuleSettingProps,
} from './constructs/validation-plugin';

export { PlanDocumentError } from './change/diff/previous-plan';
export { GitError } from './input/git-revision';
export { PathError } from './input/read-paths';
export { PlatformConfigError } from './props/platform-config-file';
export type { UpgradeStage } from './systems/kuberay/stages';

export * from './props/public';
export type * from './plan/public';
