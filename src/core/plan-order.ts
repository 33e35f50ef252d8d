import type { RolloutBudget } from './budget';
import { orderedBehaviour } from './behaviour-order';
import type { PlannedChange } from './change';
import { orderedChange } from './change-order';
import type { Finding, Suppression } from './finding';
import { eachInOrder, ordered, withParts } from './key-order';
import type { KeyOrder } from './key-order';
import { summarise } from './plan-document';
import type { NotPlanned, PlanDocument, PlanSummary, SharedLimit, SharedRoom } from './plan-document';
import type { OverriddenLevel, Provenance } from './provenance';
import { orderedResource, orderedSource } from './reference-order';
import type { AutoscaledRollout, Created, DocumentedRollout, PlannedRollout, RolloutDependency, RolloutDuration } from './rollout';
import type { MoreNodes, RolloutRoom, Shortage } from './room';
import { orderedSimulation } from './simulations/kinds';
import type { RolloutGroups, RolloutWorkers, WorkerAccelerator, WorkerSize } from './workers';
import type { RolloutStart, StartingRevision, WayBack } from './rollout-start';
import { PRODUCTS } from './versions';
import type { Versions } from './versions';

const VERSIONS = Object.fromEntries(PRODUCTS.map((product) => [product, true])) as KeyOrder<Versions>;
const SUMMARY: KeyOrder<PlanSummary> = { rollouts: true, notPlanned: true, errors: true, warnings: true, infos: true, suppressed: true };
const SUPPRESSION: KeyOrder<Suppression> = { reason: true, by: true };
const FINDING: KeyOrder<Finding> = {
  code: true,
  severity: true,
  messageId: true,
  data: true,
  path: true,
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
const WORKERS: KeyOrder<RolloutWorkers> = { ...WORKER_SIZE, autoscaled: true, most: true };
const GROUPS: KeyOrder<RolloutGroups> = { size: true, pods: true, surgeGroups: true, surgePods: true, accelerators: true };
const SHORTAGE: Readonly<Record<string, true>> = {
  kind: true,
  limit: true,
  resource: true,
  needed: true,
  available: true,
  isChoosy: true,
  refusal: true,
};
const MORE_NODES: KeyOrder<MoreNodes> = { pool: true, nodes: true };
const AUTOSCALED: KeyOrder<AutoscaledRollout> = { by: true, minimum: true, maximum: true, maximumRoom: true };
const DOCUMENTED: KeyOrder<DocumentedRollout> = { source: true, simulation: true, difference: true };
const SHARED_ROOM: KeyOrder<SharedRoom> = { oneAfterAnother: true, together: true, limits: true, message: true };

const CREATED: KeyOrder<Created> = {
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
  startsTogether: true,
};

const ROOM: KeyOrder<RolloutRoom> = {
  verdict: true,
  peakPods: true,
  podsWithRoom: true,
  podsAtMost: true,
  unmodelled: true,
  shortage: true,
  deadlockWave: true,
  iterations: true,
  moreNodes: true,
  message: true,
};

const SHARED_LIMIT: KeyOrder<SharedLimit> = {
  limit: true,
  resource: true,
  available: true,
  steady: true,
  oneAfterAnother: true,
  together: true,
};

const BUDGET: KeyOrder<RolloutBudget> = { name: true, pods: true, desiredHealthy: true, lowest: true, ownDesiredHealthy: true };
const START: KeyOrder<RolloutStart> = { replicas: true, revisions: true, underWay: true, health: true };
const REVISION: KeyOrder<StartingRevision> = { revision: true, replicas: true, available: true };
const BACK: KeyOrder<WayBack> = { works: true, message: true, command: true };

const ROLLOUT: KeyOrder<PlannedRollout> = {
  system: true,
  resource: true,
  unit: true,
  strategy: true,
  provenance: true,
  start: true,
  simulation: true,
  back: true,
  documented: true,
  autoscaled: true,
  room: true,
  budgets: true,
  duration: true,
  workers: true,
  groups: true,
  dependsOn: true,
  creates: true,
  findings: true,
};

const NOT_PLANNED: KeyOrder<NotPlanned> = { apiVersion: true, kind: true, count: true, reason: true };
const PLAN: KeyOrder<PlanDocument> = {
  formatVersion: true,
  versions: true,
  change: true,
  behaviour: true,
  rollouts: true,
  notPlanned: true,
  findings: true,
  room: true,
  summary: true,
};

function orderedFinding(finding: Finding): Finding {
  const parts = {
    source: finding.source && orderedSource(finding.source),
    suppressed: finding.suppressed && ordered(finding.suppressed, SUPPRESSION),
  };
  return withParts(finding, parts, FINDING);
}

function orderedProvenance(provenance: Provenance): Provenance {
  const overridden = eachInOrder(provenance.overridden, (level) => ordered(level, OVERRIDDEN));
  return withParts(provenance, { overridden }, PROVENANCE);
}

function orderedRoom(room: RolloutRoom): RolloutRoom {
  const { shortage, moreNodes } = room;
  const parts = {
    shortage: shortage && ordered(shortage, SHORTAGE as KeyOrder<Shortage>),
    moreNodes: moreNodes && ordered(moreNodes, MORE_NODES),
  };
  return ordered({ ...room, ...parts }, ROOM);
}

function orderedAutoscaled(autoscaled: AutoscaledRollout): AutoscaledRollout {
  const { minimum, maximum, maximumRoom } = autoscaled;
  const ends = { minimum: orderedSimulation(minimum), maximum: orderedSimulation(maximum) };
  return ordered({ ...autoscaled, ...ends, maximumRoom: maximumRoom && orderedRoom(maximumRoom) }, AUTOSCALED);
}

function withOrderedAccelerators<Size extends Pick<WorkerSize, 'accelerators'>>(size: Size): Size {
  return { ...size, ...(size.accelerators && { accelerators: size.accelerators.map((one) => ordered(one, ACCELERATOR)) }) };
}

function orderedWorkers(workers: RolloutWorkers): RolloutWorkers {
  const most = workers.most && ordered(withOrderedAccelerators(workers.most), WORKER_SIZE);
  return ordered(withOrderedAccelerators({ ...workers, ...(most && { most }) }), WORKERS);
}

function orderedRollout(rollout: PlannedRollout): PlannedRollout {
  const { start, simulation, back, documented, autoscaled, room, duration, workers, groups } = rollout;
  const parts: Partial<PlannedRollout> = {
    resource: orderedResource(rollout.resource),
    provenance: eachInOrder(rollout.provenance, orderedProvenance),
    start: start && ordered({ ...start, revisions: start.revisions.map((revision) => ordered(revision, REVISION)) }, START),
    simulation: simulation && orderedSimulation(simulation),
    back: back && ordered(back, BACK),
    documented: documented && ordered({ ...documented, simulation: orderedSimulation(documented.simulation) }, DOCUMENTED),
    autoscaled: autoscaled && orderedAutoscaled(autoscaled),
    room: room && orderedRoom(room),
    budgets: rollout.budgets?.map((budget) => ordered(budget, BUDGET)),
    duration: duration && ordered(duration, DURATION),
    workers: workers && orderedWorkers(workers),
    groups: groups && ordered(withOrderedAccelerators(groups), GROUPS),
    dependsOn: rollout.dependsOn?.map((dependency) => ordered(dependency, DEPENDENCY)),
    creates: rollout.creates?.map((created) => ordered(created, CREATED)),
    findings: eachInOrder(rollout.findings, orderedFinding),
  };
  return withParts(rollout, parts, ROLLOUT);
}

function orderedSharedRoom(room: SharedRoom): SharedRoom {
  return ordered({ ...room, limits: room.limits.map((limit) => ordered(limit, SHARED_LIMIT)) }, SHARED_ROOM);
}

/** A plan document in the order of the contract, with the change that it is the plan of and what is said of that. */
export function withChange(plan: PlanDocument, change: PlannedChange, said: readonly Finding[]): PlanDocument {
  const findings = [...said.map(orderedFinding), ...plan.findings];
  const summary = ordered(summarise({ ...plan, findings }), SUMMARY);
  return ordered({ ...plan, change: orderedChange(change), findings, summary }, PLAN);
}

/**
 * The plan document with its keys in the order of the contract, and without those that have no value,
 * so that whoever writes it as JSON writes the same.
 */
export function inContractOrder(plan: PlanDocument): PlanDocument {
  const parts: PlanDocument = {
    ...plan,
    versions: ordered(plan.versions, VERSIONS),
    change: plan.change && orderedChange(plan.change),
    behaviour: plan.behaviour && orderedBehaviour(plan.behaviour),
    rollouts: plan.rollouts.map(orderedRollout),
    notPlanned: plan.notPlanned.map((kind) => ordered(kind, NOT_PLANNED)),
    findings: plan.findings.map(orderedFinding),
    room: plan.room && orderedSharedRoom(plan.room),
    summary: ordered(plan.summary, SUMMARY),
  };
  return ordered(parts, PLAN);
}
