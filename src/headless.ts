export { diffPlans } from './change/diff';
export type { DiffObjects } from './change/diff';
export { planManifests } from './plan/plan';
export type { PlanOptions } from './plan/plan';
export { InventoryError } from './systems/fleet/inventory';
export { CapacityError } from './cluster/room/capacity';
export { VersionError } from './core/versions';
export type { Finding, Severity, Source } from './core/finding';
export type { PlanChange, PlanDiff, RiskEffect, Trigger } from './core/plan-diff';
export type { PlanDocument, PlanSummary } from './core/plan-document';
export type { OverriddenLevel, Provenance } from './core/provenance';
export type {
  Created,
  DeploymentSimulation,
  DeploymentWave,
  FleetPartition,
  FleetSimulation,
  FleetWave,
  FleetWaves,
  RayServiceSimulation,
  ResourceRef,
  PlannedRollout,
  Simulation,
  StatefulSetSimulation,
  SystemName,
} from './core/rollout';
export type { Product, Versions } from './core/versions';
export { diffRayServices, rollsBack } from './systems/kuberay/trigger';
export type { RayServiceChange, RayServiceDiff } from './systems/kuberay/trigger';
