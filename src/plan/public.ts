/** The types of a plan document and of what a plan is told: what every entry shows that has a plan. */
export type { PlanOptions } from './plan';
export type { Finding, FindingData, Severity, Source } from '../core/finding';
export type { Fields, Manifest, ObjectMeta } from '../core/manifest';
export type { NotPlanned, PlanDocument, PlanSummary, SharedLimit, SharedRoom } from '../core/plan-document';
export type { OverriddenLevel, Provenance } from '../core/provenance';
export type {
  AutoscaledRollout,
  CapacityShortage,
  Created,
  DaemonSetSimulation,
  DaemonSetWave,
  DeploymentSimulation,
  DeploymentWave,
  DocumentedRollout,
  FleetPartition,
  FleetSimulation,
  FleetWave,
  FleetWaves,
  LabelShortage,
  Lack,
  MoreNodes,
  NodesShortage,
  OneNodeShortage,
  PlannedRollout,
  QuotaShortage,
  RayServiceRollback,
  RayServiceSimulation,
  RayServiceStep,
  ResourceRef,
  RevisionSimulation,
  RevisionWave,
  RolloutDependency,
  RolloutDuration,
  RolloutRoom,
  RolloutWorkers,
  WorkerAccelerator,
  WorkerSize,
  RoomVerdict,
  Shortage,
  Simulation,
  StatefulSetSimulation,
  SystemName,
  TaintShortage,
} from '../core/rollout';
export type { Product, Versions } from '../core/versions';
