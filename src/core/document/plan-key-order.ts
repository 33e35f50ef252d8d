import type { RolloutBudget } from '../budget/budget';
import { sortBehaviourKeys } from './behaviour-key-order';
import type { PlannedChange } from './change';
import type { ClusterSource } from './cluster-source';
import { sortChangeKeys } from './change-key-order';
import type { Finding, Suppression } from '../findings/finding';
import { sortKeysOfEach, sortKeys, sortNestedKeys } from '../collections/key-order';
import { sortSourceKeys } from '../findings/finding';
import { sortResourceKeys } from './rollout';
import type { KeyOrder } from '../collections/key-order';
import { summarizePlan } from './plan-document';
import type { UnplannedKind, PlanDocument, PlanSummary, SharedLimit, SharedCapacityResult } from './plan-document';
import type { OverriddenLevel, Provenance } from './provenance';
import type {
  AnalysisCheck,
  AutoscaledRollout,
  CreatedObject,
  DocumentedRollout,
  PlannedRollout,
  RolloutAnalysis,
  RolloutDependency,
  RolloutDuration,
} from './rollout';
import type { RequestTermination } from './request-termination';
import type { ReadyEndpoints, ServicePlan, ServiceWave } from './service-plan';
import type { MoreNodes, CapacityResult, Shortage } from './capacity-result';
import { sortSimulationKeys } from '../simulations/simulation-kinds';
import type { RolloutGroups, RolloutWorkers, WorkerAccelerator, WorkerSize } from './pod-group-size';
import type { InitialRolloutState, InitialRevision, RolloutRollback } from './initial-state';
import type { PlannedUpgrade, UpgradeDifference } from './upgrade';
import { PRODUCTS } from '../values/versions';
import type { Versions } from '../values/versions';

const VERSIONS = Object.fromEntries(PRODUCTS.map((product) => [product, true])) as KeyOrder<Versions>;
const SUMMARY: KeyOrder<PlanSummary> = { rollouts: true, notPlanned: true, errors: true, warnings: true, infos: true, suppressed: true };
const SUPPRESSION: KeyOrder<Suppression> = { reason: true, by: true };
const FINDING: KeyOrder<Finding> = {
  code: true,
  severity: true,
  messageId: true,
  data: true,
  path: true,
  object: true,
  message: true,
  help: true,
  source: true,
  suppressed: true,
};
const OVERRIDDEN: KeyOrder<OverriddenLevel> = { layer: true, value: true, reason: true };
const PROVENANCE: KeyOrder<Provenance> = { field: true, value: true, layer: true, reason: true, overridden: true };
const DEPENDENCY: KeyOrder<RolloutDependency> = { name: true, selector: true, acceptedStates: true };
const ACCELERATOR: KeyOrder<WorkerAccelerator> = { resource: true, count: true, surge: true };
const WORKER_SIZE: KeyOrder<WorkerSize> = { pods: true, gpus: true, surgePods: true, surgeGpus: true, accelerators: true };
const WORKERS: KeyOrder<RolloutWorkers> = { ...WORKER_SIZE, autoscaled: true, maximum: true };
const GROUPS: KeyOrder<RolloutGroups> = { size: true, pods: true, surgeGroups: true, surgePods: true, accelerators: true };
const SHORTAGE: Readonly<Record<string, true>> = {
  kind: true,
  limit: true,
  resource: true,
  needed: true,
  available: true,
  excludesNodes: true,
  refusal: true,
};
const MORE_NODES: KeyOrder<MoreNodes> = { pool: true, nodes: true };
const AUTOSCALED: KeyOrder<AutoscaledRollout> = { by: true, minimum: true, maximum: true, maximumCapacity: true };
const DOCUMENTED: KeyOrder<DocumentedRollout> = { source: true, simulation: true, difference: true };
const SHARED_CAPACITY: KeyOrder<SharedCapacityResult> = { sequential: true, concurrent: true, limits: true, message: true };

const CREATED: KeyOrder<CreatedObject> = {
  apiVersion: true,
  kind: true,
  name: true,
  namespace: true,
  replicas: true,
  selector: true,
  strategy: true,
};

const DURATION: KeyOrder<RolloutDuration> = {
  startupSeconds: true,
  lowerBoundSeconds: true,
  expectedSeconds: true,
  abortSeconds: true,
  blastRadius: true,
  startsInParallel: true,
};

const CAPACITY: KeyOrder<CapacityResult> = {
  verdict: true,
  peakPods: true,
  podsThatFit: true,
  mostPodsThatFit: true,
  because: true,
  newPodsAtLeast: true,
  newPodsAtMost: true,
  usedBy: true,
  shortage: true,
  deadlockWave: true,
  iterations: true,
  hasUnlimitedRows: true,
  moreNodes: true,
  message: true,
};

const SHARED_LIMIT: KeyOrder<SharedLimit> = {
  limit: true,
  resource: true,
  available: true,
  steady: true,
  sequential: true,
  concurrent: true,
};

const BUDGET: KeyOrder<RolloutBudget> = { name: true, pods: true, desiredHealthy: true, lowest: true, ownDesiredHealthy: true };
const INITIAL_STATE: KeyOrder<InitialRolloutState> = { replicas: true, revisions: true, underWay: true, health: true };
const REVISION: KeyOrder<InitialRevision> = { revision: true, replicas: true, available: true };
const ANALYSIS: KeyOrder<RolloutAnalysis> = {
  strategy: true,
  provider: true,
  isProviderAssumed: true,
  intervalSeconds: true,
  checks: true,
  durationSeconds: true,
  outcome: true,
  approvals: true,
  elided: true,
};
const ANALYSIS_CHECK: KeyOrder<AnalysisCheck> = {
  check: true,
  elapsedSeconds: true,
  phase: true,
  pods: true,
  newWeight: true,
  mirrors: true,
};
const ROLLBACK: KeyOrder<RolloutRollback> = { works: true, message: true, command: true };

const ROLLOUT: KeyOrder<PlannedRollout> = {
  system: true,
  resource: true,
  mapped: true,
  unit: true,
  strategy: true,
  provenance: true,
  initialState: true,
  simulation: true,
  rollback: true,
  documented: true,
  autoscaled: true,
  capacity: true,
  budgets: true,
  duration: true,
  termination: true,
  requestsPickedBy: true,
  workers: true,
  groups: true,
  analysis: true,
  dependsOn: true,
  creates: true,
  findings: true,
};

const UPGRADE: KeyOrder<PlannedUpgrade> = { product: true, from: true, to: true, differences: true, saferOrder: true };
const UPGRADE_DIFFERENCE: KeyOrder<UpgradeDifference> = {
  id: true,
  since: true,
  effect: true,
  message: true,
  objects: true,
  elided: true,
};
const NOT_PLANNED: KeyOrder<UnplannedKind> = { apiVersion: true, kind: true, count: true, reason: true };
const PLAN: KeyOrder<PlanDocument> = {
  formatVersion: true,
  versions: true,
  assumedVersions: true,
  cluster: true,
  change: true,
  upgrade: true,
  behaviour: true,
  rollouts: true,
  notPlanned: true,
  findings: true,
  capacity: true,
  services: true,
  summary: true,
  inputDigest: true,
};
const SERVICE: KeyOrder<ServicePlan> = {
  resource: true,
  selects: true,
  role: true,
  readyEndpoints: true,
  waves: true,
  usedBy: true,
  mayAlsoSelect: true,
};
const TERMINATION: KeyOrder<RequestTermination> = {
  requestSeconds: true,
  preStopSeconds: true,
  drainSeconds: true,
  graceSeconds: true,
  container: true,
  endedBy: true,
};
const READY_ENDPOINTS: KeyOrder<ReadyEndpoints> = { before: true, least: true, after: true, leastInUse: true };
const SERVICE_WAVE: KeyOrder<ServiceWave> = { wave: true, ready: true, newShare: true, answers: true, answerSeconds: true };

function sortServiceKeys(service: ServicePlan): ServicePlan {
  const parts: Partial<ServicePlan> = {
    resource: sortResourceKeys(service.resource),
    selects: sortKeysOfEach(service.selects, sortResourceKeys),
    readyEndpoints: sortKeys(service.readyEndpoints, READY_ENDPOINTS),
    waves: service.waves?.map((wave) => sortKeys(wave, SERVICE_WAVE)),
    usedBy: service.usedBy?.map(sortResourceKeys),
    mayAlsoSelect: service.mayAlsoSelect?.map(sortResourceKeys),
  };
  return sortNestedKeys(service, parts, SERVICE);
}

function sortFindingKeys(finding: Finding): Finding {
  const parts = {
    source: finding.source && sortSourceKeys(finding.source),
    suppressed: finding.suppressed && sortKeys(finding.suppressed, SUPPRESSION),
  };
  return sortNestedKeys(finding, parts, FINDING);
}

function sortProvenanceKeys(provenance: Provenance): Provenance {
  const overridden = sortKeysOfEach(provenance.overridden, (level) => sortKeys(level, OVERRIDDEN));
  return sortNestedKeys(provenance, { overridden }, PROVENANCE);
}

function sortCapacityKeys(capacity: CapacityResult): CapacityResult {
  const { shortage, moreNodes } = capacity;
  const parts = {
    shortage: shortage && sortKeys(shortage, SHORTAGE as KeyOrder<Shortage>),
    moreNodes: moreNodes && sortKeys(moreNodes, MORE_NODES),
  };
  return sortKeys({ ...capacity, ...parts }, CAPACITY);
}

function sortAutoscaledKeys(autoscaled: AutoscaledRollout): AutoscaledRollout {
  const { minimum, maximum, maximumCapacity } = autoscaled;
  const ends = { minimum: sortSimulationKeys(minimum), maximum: sortSimulationKeys(maximum) };
  return sortKeys({ ...autoscaled, ...ends, maximumCapacity: maximumCapacity && sortCapacityKeys(maximumCapacity) }, AUTOSCALED);
}

function sortAcceleratorKeys<Size extends Pick<WorkerSize, 'accelerators'>>(size: Size): Size {
  return {
    ...size,
    ...(size.accelerators && { accelerators: size.accelerators.map((accelerator) => sortKeys(accelerator, ACCELERATOR)) }),
  };
}

function sortWorkerKeys(workers: RolloutWorkers): RolloutWorkers {
  const largest = workers.maximum && sortKeys(sortAcceleratorKeys(workers.maximum), WORKER_SIZE);
  return sortKeys(sortAcceleratorKeys({ ...workers, ...(largest && { maximum: largest }) }), WORKERS);
}

function sortRolloutKeys(rollout: PlannedRollout): PlannedRollout {
  const { initialState, simulation, rollback, documented, autoscaled, capacity, duration, workers, groups } = rollout;
  const parts: Partial<PlannedRollout> = {
    resource: sortResourceKeys(rollout.resource),
    provenance: sortKeysOfEach(rollout.provenance, sortProvenanceKeys),
    initialState:
      initialState &&
      sortKeys({ ...initialState, revisions: initialState.revisions.map((revision) => sortKeys(revision, REVISION)) }, INITIAL_STATE),
    simulation: simulation && sortSimulationKeys(simulation),
    rollback: rollback && sortKeys(rollback, ROLLBACK),
    documented: documented && sortKeys({ ...documented, simulation: sortSimulationKeys(documented.simulation) }, DOCUMENTED),
    autoscaled: autoscaled && sortAutoscaledKeys(autoscaled),
    capacity: capacity && sortCapacityKeys(capacity),
    budgets: rollout.budgets?.map((budget) => sortKeys(budget, BUDGET)),
    duration: duration && sortKeys(duration, DURATION),
    termination: rollout.termination && sortKeys(rollout.termination, TERMINATION),
    workers: workers && sortWorkerKeys(workers),
    groups: groups && sortKeys(sortAcceleratorKeys(groups), GROUPS),
    analysis:
      rollout.analysis &&
      sortKeys({ ...rollout.analysis, checks: rollout.analysis.checks.map((check) => sortKeys(check, ANALYSIS_CHECK)) }, ANALYSIS),
    dependsOn: rollout.dependsOn?.map((dependency) => sortKeys(dependency, DEPENDENCY)),
    creates: rollout.creates?.map((created) => sortKeys(created, CREATED)),
    findings: sortKeysOfEach(rollout.findings, sortFindingKeys),
  };
  return sortNestedKeys(rollout, parts, ROLLOUT);
}

function sortSharedCapacityKeys(capacity: SharedCapacityResult): SharedCapacityResult {
  return sortKeys({ ...capacity, limits: capacity.limits.map((limit) => sortKeys(limit, SHARED_LIMIT)) }, SHARED_CAPACITY);
}

/** Adds a planned change and its findings to a plan document, in the order of the contract. */
export function addPlannedChange(plan: PlanDocument, change: PlannedChange, changeFindings: readonly Finding[]): PlanDocument {
  const findings = [...changeFindings.map(sortFindingKeys), ...plan.findings];
  const summary = sortKeys(summarizePlan({ ...plan, findings }), SUMMARY);
  return sortKeys({ ...plan, change: sortChangeKeys(change), findings, summary }, PLAN);
}

function sortUpgradeKeys(upgrade: PlannedUpgrade): PlannedUpgrade {
  const differences = upgrade.differences.map((difference) =>
    sortKeys({ ...difference, objects: difference.objects.map(sortResourceKeys) }, UPGRADE_DIFFERENCE),
  );
  return sortKeys({ ...upgrade, differences }, UPGRADE);
}

/** Adds the upgrade that a plan is for, in the order of the contract. */
export function addPlannedUpgrade(plan: PlanDocument, upgrade: PlannedUpgrade): PlanDocument {
  return sortKeys({ ...plan, upgrade: sortUpgradeKeys(upgrade) }, PLAN);
}

/** Adds the cluster that a plan starts from, in the order of the contract. */
export function addClusterSource(plan: PlanDocument, { context, namespaces, detectedVersions, unread }: ClusterSource): PlanDocument {
  const resources = unread.map(({ resource, namespace }) => ({ resource, ...(namespace !== undefined && { namespace }) }));
  return sortKeys({ ...plan, cluster: { context, namespaces, detectedVersions, unread: resources } }, PLAN);
}

/**
 * Sorts the keys of a plan document in the order of the contract, without those that have no value, so that every front end writes the same
 * JSON.
 */
export function sortPlanKeys(plan: PlanDocument): PlanDocument {
  const parts: PlanDocument = {
    ...plan,
    versions: sortKeys(plan.versions, VERSIONS),
    change: plan.change && sortChangeKeys(plan.change),
    upgrade: plan.upgrade && sortUpgradeKeys(plan.upgrade),
    behaviour: plan.behaviour && sortBehaviourKeys(plan.behaviour),
    rollouts: plan.rollouts.map(sortRolloutKeys),
    notPlanned: plan.notPlanned.map((kind) => sortKeys(kind, NOT_PLANNED)),
    findings: plan.findings.map(sortFindingKeys),
    capacity: plan.capacity && sortSharedCapacityKeys(plan.capacity),
    services: plan.services?.map(sortServiceKeys),
    summary: sortKeys(plan.summary, SUMMARY),
  };
  return sortKeys(parts, PLAN);
}
