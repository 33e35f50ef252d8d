/** Types of a plan document and of plan options, which every entry point with plans exports. */
export type { Behaviour, PlanChange, RiskEffect } from '../core/document/behaviour';
export type { RolloutBudget } from '../core/budget/budget';
export type { PlanBudget, RunBudget } from '../input/read-budget';
export type { PlanOptions } from './plan-options';
export type {
  ApplyMode,
  ApplyTool,
  AssumedApplier,
  HookRun,
  ChangeSummary,
  ConfigReference,
  ApplyEffect,
  FieldChange,
  KeptField,
  LowestAvailability,
  ObjectChange,
  PlannedChange,
  PodChange,
  ApplyRejection,
  RestartNeeded,
} from '../core/document/change';
export type { Finding, FindingData, FindingObject, Severity, Source, Suppression } from '../core/findings/finding';
export type { Fields, Manifest, ObjectMeta } from '../core/manifest/manifest';
export type { ClusterSource, UnreadResource } from '../core/document/cluster-source';
export type {
  FindingCounts,
  UnplannedKind,
  PlanDocument,
  PlanSummary,
  SharedLimit,
  SharedCapacityResult,
} from '../core/document/plan-document';
export type { OperatorResourceMap, RollsLike } from '../core/sources/operator-resource-map';
export type { OverriddenLevel, Provenance } from '../core/document/provenance';
export type { PlannedUpgrade, UpgradeDifference, UpgradeEffect } from '../core/document/upgrade';
export type {
  AnalysisCheck,
  AutoscaledRollout,
  CreatedObject,
  DocumentedRollout,
  MappedRollout,
  PlannedRollout,
  ResourceRef,
  RolloutAnalysis,
  RolloutDependency,
  RolloutDuration,
  SystemName,
} from '../core/document/rollout';
export type {
  CapacityShortage,
  LabelShortage,
  BaseShortage,
  MoreNodes,
  NodesShortage,
  OneNodeShortage,
  OwnNodesShortage,
  QuotaShortage,
  CapacityResult,
  CapacityVerdict,
  Shortage,
  DomainShortage,
  TaintShortage,
} from '../core/document/capacity-result';
export type { RequestTermination } from '../core/document/request-termination';
export type { ReadyEndpoints, ServicePlan, ServiceRole, ServiceWave } from '../core/document/service-plan';
export type { ArgoRolloutAbort, ArgoRolloutSimulation, ArgoRolloutWait, ArgoRolloutWave } from '../core/simulations/argo-rollout';
export type { DaemonSetSimulation, DaemonSetWave, DaemonSetHalt } from '../core/simulations/daemonset';
export type { CapacityHalt } from '../core/simulations/halt';
export type { DeploymentSimulation, DeploymentWave } from '../core/simulations/deployment';
export type {
  DisaggregatedRole,
  DisaggregatedRoleWave,
  DisaggregatedSetSimulation,
  DisaggregatedSetWave,
} from '../core/simulations/disaggregatedset';
export type { FleetPartition, FleetSimulation, FleetWave, FleetWaves } from '../core/simulations/fleet';
export type { LeaderWorkerSetSimulation, LeaderWorkerSetWave, LeaderWorkerSetHalt } from '../core/simulations/leaderworkerset';
export type { RayServiceRollback, RayServiceSimulation, RayServiceStep } from '../core/simulations/rayservice';
export type { RevisionSimulation, RevisionWave } from '../core/simulations/revision';
export type { RollingSyncSimulation, RollingSyncStep, RollingSyncWave } from '../core/simulations/rolling-sync';
export type { Simulation } from '../core/simulations/simulation';
export type { StatefulSetSimulation } from '../core/simulations/statefulset';
export type { RolloutGroups, RolloutWorkers, WorkerAccelerator, WorkerSize } from '../core/document/pod-group-size';
export type { RolloutHealth, InitialRolloutState, InitialRevision, RolloutRollback } from '../core/document/initial-state';
export type { Product, Versions } from '../core/values/versions';
